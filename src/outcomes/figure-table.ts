/** Figures, described once for JSON, `--fields`, CSV, help, schema and page. Fields of `Horizon` keep its names. */
import * as v from 'valibot';
import { HORIZONS, type HorizonName } from '../api/contract/horizons.ts';
import { count, described, time } from '../api/contract/primitives.ts';
import { formatApiTime } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';
import { FEW_CLUSTERS } from '../statistics/clustered-median.ts';
import { LEVEL } from '../statistics/holm.ts';
import { type Interval, type PlainVerdict, quantile, type Sorted } from '../statistics/quantile.ts';
import { type Judged, verdictOf, wouldShow } from '../statistics/verdict.ts';
import type { Company } from './company.ts';
import { bounds, type FiguresOf, figure, figureOf, interval, type SinceThen, sinceThen } from './figure.ts';
import { type Group, type HorizonData, NEVER } from './horizon.ts';
import type { Uneven } from './rate.ts';
import type { Row } from './row.ts';
import { SHOWN_VERDICTS, VERDICTS, VERDICTS_VS_OTHERS } from './types.ts';

export interface HorizonFiguresData extends HorizonData {
  readonly sinceThen: SinceThen;
  readonly now: number;
  /** Whether words are of this horizon. */
  readonly isAsked: boolean;
}

const ofHorizon = figureOf<HorizonFiguresData>();
const inPercent = figureOf<HorizonFiguresData>('percent');
const inPoints = figureOf<HorizonFiguresData>('percentage points');
const asShare = figureOf<HorizonFiguresData>('fraction');

export const HORIZON_TABLE = {
  sample: ofHorizon(count, 'cards with a measured move', ({ sample }) => sample.size),
  pending: ofHorizon(count, 'outcomes still pending when bought', ({ sample }) => sample.states.pending),
  missing: ofHorizon(
    count,
    'outcomes that the service said are missing, or available without a move',
    ({ sample }) => sample.states.missing,
  ),
  other_states: ofHorizon(count, 'outcomes in a state the document does not list', ({ sample }) => sample.states.other),
  without_outcome: ofHorizon(
    count,
    'cards whose outcome is not bought, or that have none',
    ({ sample }) => sample.states.without,
  ),
  distinct_symbols: ofHorizon(count, 'symbols in the sample', ({ sample }) => sample.series.moves.median.symbols, {
    label: 'Symbols',
  }),
  distinct_days: ofHorizon(count, 'UTC days in the sample', ({ sample }) => sample.series.moves.median.days, {
    label: 'UTC days',
  }),
  clusters: ofHorizon(
    count,
    'blocks of cluster_days days in the sample, within which moves may depend on each other',
    ({ sample }) => sample.series.moves.median.clusters,
    { label: 'Blocks of days' },
  ),
  cluster_days: ofHorizon(
    count,
    `UTC days that count as one block: ${HORIZONS.map(({ name, clusterDays }) => `${[...new Set(clusterDays)].join(' or ')} for ${name}`).join('; ')}; more if days in a row move alike`,
    ({ sample }) => sample.series.moves.median.clusterDays,
  ),
  median_move_pct: inPercent(
    figure,
    'median price move; null: not yet measurable',
    ({ sample }) => sample.series.moves.median.median,
    { label: 'Median move', interval: { name: 'median_move_pct_interval_95' } },
  ),
  median_move_pct_interval_95: inPercent(
    interval,
    '95 % interval of it; null below 6 blocks, or if the data bound it on neither side',
    ({ sample }) => sample.series.moves.estimate.interval(LEVEL),
  ),
  quartiles_move_pct: inPercent(
    interval,
    'lower and upper quartile',
    ({ sample }) => quartilesOf(sample.series.moves.median.sorted),
    { label: 'Quartiles' },
  ),
  median_size_pct: inPercent(
    figure,
    'median size of the move, upwards or downwards',
    ({ sample }) => sample.medianSize,
    { label: 'Median size of a move' },
  ),
  missing_share: asShare(
    figure,
    'share of the bought outcomes, without the pending ones, that have no measured move',
    ({ sample }) => sample.missingShare,
    { label: 'Share without a figure', isRare: true },
  ),
  missing_move_interval_95: inPercent(
    bounds,
    '95 % interval of the median move, wherever the missing ones are; null if none is missing',
    ({ sample }) => sample.series.moves.estimate.bounds?.(LEVEL) ?? null,
  ),
  cards_of_btc: ofHorizon(
    count,
    "BTC's own cards: left out of everything compared with BTC",
    ({ sample }) => sample.states.ofBtc,
    { label: "BTC's own cards", isRare: true },
  ),
  btc_sample: ofHorizon(
    count,
    "cards for which BTC's move is known too, without BTC's own",
    ({ sample }) => sample.series.differences.median.sorted.length,
    { label: 'BTC sample' },
  ),
  btc_clusters: ofHorizon(count, 'blocks of the btc_sample', ({ sample }) => sample.series.differences.median.clusters),
  service_median_vs_btc_percentage_points: inPoints(
    figure,
    "the service's own median of move minus BTC's, over all outcomes of its windows",
    ({ service }) => service?.vsBtc ?? null,
    { label: 'Median vs BTC, service', isRare: true },
  ),
  median_vs_btc_percentage_points: inPoints(
    figure,
    "median of move minus BTC's",
    ({ sample }) => sample.series.differences.median.median,
    { label: 'Median vs BTC', interval: { name: 'median_vs_btc_interval_95' } },
  ),
  median_vs_btc_interval_95: inPoints(interval, '95 % interval of it, for this group alone', ({ sample }) =>
    sample.series.differences.estimate.interval(LEVEL),
  ),
  median_vs_btc_interval_holm: inPoints(
    interval,
    'the same, widened for all groups of the horizon: leaves out zero exactly where the verdict does',
    ({ vsBtc }) => holmInterval(vsBtc),
  ),
  missing_interval_95: inPoints(
    bounds,
    '95 % interval of the median difference, wherever the missing ones are; null if none is missing',
    ({ vsBtc }) => vsBtc.bounds?.(LEVEL) ?? null,
  ),
  share_above_btc: asShare(
    figure,
    'share that moved more than BTC, ties left out',
    ({ sample }) => sample.shareAbove.share,
    { label: 'Moved more than BTC', interval: { name: 'share_above_btc_interval_95' } },
  ),
  share_above_btc_interval_95: asShare(
    interval,
    '95 % interval of that share; null if it is 0 or 1',
    ({ sample }) => sample.shareAbove.interval,
  ),
  p_vs_btc: ofHorizon(figure, 'two-sided p of that difference being 0; null below 6 blocks', ({ vsBtc }) => vsBtc.p),
  p_vs_btc_holm: ofHorizon(
    figure,
    'the same, adjusted for all groups of the horizon (Holm)',
    ({ vsBtc }) => vsBtc.adjusted?.p ?? null,
  ),
  verdict: ofHorizon(
    v.nullable(v.picklist(VERDICTS)),
    'none: no difference that matters, and that is known; null if no difference is measured yet',
    ({ vsBtc }) => against('btc', verdictOf(vsBtc)),
    { label: 'Verdict vs BTC', word: 'btc' },
  ),
  others_sample: ofHorizon(
    v.nullable(count),
    'cards compared with at least 3 cards of other groups of the same UTC day; null if groups are not compared with each other',
    ({ othersSample }) => othersSample ?? null,
    { label: 'Compared with others', isRare: true },
  ),
  median_vs_others_percentage_points: inPoints(
    figure,
    "median of the difference to BTC minus the day's median of your other cards",
    ({ vsOthers }) => vsOthers?.value ?? null,
    { label: 'Median vs others', isRare: true, interval: { name: 'median_vs_others_interval_95', required: true } },
  ),
  median_vs_others_interval_95: inPoints(
    interval,
    '95 % interval of it, for this group alone',
    ({ vsOthers }) => vsOthers?.interval(LEVEL) ?? null,
  ),
  median_vs_others_interval_holm: inPoints(
    interval,
    'the same, widened for all groups of the horizon',
    ({ vsOthers }) => (vsOthers === undefined ? null : holmInterval(vsOthers)),
  ),
  p_vs_others: ofHorizon(
    figure,
    'two-sided p of that median being 0; null below 6 blocks',
    ({ vsOthers }) => vsOthers?.p ?? null,
  ),
  p_vs_others_holm: ofHorizon(
    figure,
    'the same, adjusted for all groups of the horizon (Holm)',
    ({ vsOthers }) => vsOthers?.adjusted?.p ?? null,
  ),
  verdict_vs_others: ofHorizon(
    v.nullable(v.picklist(VERDICTS_VS_OTHERS)),
    'relative: next to one strong group, an average one is below; null if there is no such comparison',
    ({ vsOthers }) => (vsOthers === undefined ? null : against('others', verdictOf(vsOthers))),
    { label: 'Verdict vs others', isRare: true, word: 'others' },
  ),
  vs_others_from: ofHorizon(
    v.nullable(v.picklist(['service', 'bought'])),
    "whether the median vs others comes from the service's own medians of 30 days or from the bought outcomes",
    ({ vsOthers, service }) => (vsOthers === undefined ? null : service === undefined ? 'bought' : 'service'),
  ),
  service_windows: ofHorizon(
    v.nullable(count),
    'windows of 30 days for which the service gave its median; null if none is used',
    ({ service }) => service?.windows ?? null,
  ),
  service_sample: ofHorizon(
    v.nullable(count),
    'outcomes that the service counted in them',
    ({ service }) => service?.sample ?? null,
    { label: 'Outcomes at the service', isRare: true },
  ),
  next_medians_at: ofHorizon(
    v.nullable(time),
    'when daily exports ask the service for its medians next, UTC; null: not, as far as is known',
    ({ nextMedians }) => (nextMedians === null ? null : formatApiTime(nextMedians)),
  ),
  shown_verdict: ofHorizon(
    v.nullable(v.picklist(SHOWN_VERDICTS)),
    'the one verdict: vs others, or vs BTC if there are none; once given, it stays while p is below .05',
    ({ isAsked, shownTo, word }) => (isAsked ? against(shownTo, word) : null),
  ),
  verdict_since: ofHorizon(
    v.nullable(time),
    'the first day of the verdict, UTC, as an export wrote it down; null: a question of your own',
    ({ isAsked, since }) => (isAsked && since !== undefined ? formatApiTime(since) : null),
  ),
  since_then: ofHorizon(
    sinceThen,
    'what came after the verdict, on cards that had no part in it',
    ({ sinceThen: after }) => after,
  ),
  would_show_percentage_points: inPoints(
    figure,
    'the difference that would show now in four of five cases; null if there is no interval',
    ({ shown }) => wouldShow(shown),
  ),
  days_until_least_shows: ofHorizon(
    figure,
    'calendar days until a verdict is likely, if it is unclear; coarse; null if 180 days of outcomes are not likely to tell',
    ({ isAsked, wait, now }) =>
      isAsked && wait !== null && wait !== NEVER ? Math.max(0, wait.until - now) / DAY : null,
  ),
  shown_clusters: ofHorizon(count, 'blocks of days of the comparison that decides', ({ shown }) => shown.clusters, {
    label: 'Blocks of days, verdict',
  }),
  weak: ofHorizon(
    v.boolean(),
    'whether shown_clusters are fewer than 12: the verdict holds, but for few days',
    ({ shown }) => isWeak(shown),
  ),
};

export type HorizonFigures = FiguresOf<typeof HORIZON_TABLE>;

export interface GroupData {
  readonly rows: readonly Row[];
  readonly due: readonly Row[];
  readonly perDay: number | null;
  /** Epoch milliseconds UTC; infinite if there was no change. */
  readonly since: number;
  readonly coincides: readonly { readonly group: string; readonly share: number }[];
}

const ofGroup = figureOf<GroupData>();

export const GROUP_TABLE = {
  rows: ofGroup(count, 'cards in the history that match', ({ rows }) => rows.length),
  bought: ofGroup(count, 'of these, the ones whose outcome was bought', ({ rows }) => countBought(rows)),
  due: ofGroup(count, 'of these, the ones whose outcome was due at the last export', ({ due }) => due.length),
  bought_share: figureOf<GroupData>('fraction')(
    figure,
    'share of the due outcomes that was bought; null if nothing is due',
    ({ due }) => countBought(due) / due.length,
  ),
  cards_per_day: ofGroup(
    figure,
    'cards a day in the last 28 days, not before settings_since, silent days counted; by settings: in all their time; null for months',
    ({ perDay }) => perDay,
  ),
  settings_since: ofGroup(
    v.nullable(time),
    'the figures are of cards since then, when the present settings were first recorded, UTC; null: of all',
    ({ since }) => (Number.isFinite(since) ? formatApiTime(since) : null),
  ),
  coincides_with: ofGroup(
    v.array(
      v.object({
        group: described(v.string(), 'screener type'),
        share: described(v.number(), "share of this group's cards with one of that type on the symbol within an hour"),
      }),
    ),
    'types that come with at least half of its cards',
    ({ coincides }) => [...coincides],
  ),
};

export interface GroupFigures extends FiguresOf<typeof GROUP_TABLE> {
  /** The screener type, symbol or month (`2026-11`); null for all cards together. */
  readonly group: string | null;
  readonly horizons: { readonly [name in HorizonName]: HorizonFigures };
}

export interface Comparison {
  readonly groups: readonly GroupFigures[];
  /** P values that the adjustment is over. */
  readonly comparisons: number;
  /** Percentage points after `MAIN_HORIZON`. */
  readonly least_percentage_points: number;
  readonly groups_left_out: number;
  /** See `unevenly`: of these groups. */
  readonly uneven: (of: readonly (string | null)[]) => Uneven;
  readonly company: Company | undefined;
  /** What screens make standings of: each group at the horizon asked for. */
  readonly judged: readonly (Group & { readonly data: HorizonFiguresData })[];
}

export const isWeak = ({ clusters }: Pick<Judged, 'clusters'>) => clusters < FEW_CLUSTERS;

function holmInterval({ adjusted, interval: of }: Judged): Interval | null {
  return adjusted === undefined ? null : of(adjusted.level);
}

export function against<To extends 'btc' | 'others'>(to: To, verdict: PlainVerdict | null) {
  if (verdict === 'above') return `above_${to}` as const;
  return verdict === 'below' ? (`below_${to}` as const) : verdict;
}

function countBought(rows: readonly Row[]): number {
  return rows.reduce((count, { isBought }) => count + Number(isBought), 0);
}

function quartilesOf(sorted: Sorted): Interval | null {
  return sorted.length === 0 ? null : { low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}
