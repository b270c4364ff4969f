/** Figures, described once for JSON, `--fields`, CSV, help, schema and page. Fields of `Horizon` keep its names. */
import * as v from 'valibot';
import type { HorizonName } from '../api/contract/horizons.ts';
import { count, described, time } from '../api/contract/primitives.ts';
import { formatApiTime } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';
import { FEW_CLUSTERS, medianInterval } from '../statistics/clustered-median.ts';
import { LEVEL } from '../statistics/holm.ts';
import { quantile, type Sorted } from '../statistics/quantile.ts';
import type { Interval, PlainVerdict } from '../statistics/types.ts';
import { type Judged, verdictOf, wouldShow } from '../statistics/verdict.ts';
import type { Company } from './company.ts';
import { bounds, type FiguresOf, figure, figureTable, interval, type SinceThen, sinceThen } from './figure.ts';
import { type Group, type HorizonData, NEVER } from './horizon.ts';
import type { Uneven } from './rate.ts';
import type { Row } from './row.ts';
import { SHOWN_VERDICTS, VERDICTS, VERDICTS_VS_OTHERS } from './types.ts';

export interface HorizonFiguresData extends HorizonData {
  readonly sinceThen: SinceThen;
  /** Epoch milliseconds UTC. */
  readonly nextMedians: number | null;
  readonly now: number;
  /** Whether words are of this horizon. */
  readonly isAsked: boolean;
}

export const HORIZON_TABLE = figureTable<HorizonFiguresData>()({
  sample: {
    schema: count,
    about: 'cards with a measured move',
    of: ({ sample }) => sample.size,
  },
  pending: {
    schema: count,
    about: 'outcomes still pending when bought',
    of: ({ sample }) => sample.states.pending,
  },
  missing: {
    schema: count,
    about: 'outcomes that the service said are missing, or available without a move',
    of: ({ sample }) => sample.states.missing,
  },
  other_states: {
    schema: count,
    about: 'outcomes in a state that the API document does not list',
    of: ({ sample }) => sample.states.other,
  },
  without_outcome: {
    schema: count,
    about: 'cards whose outcome is not bought, or that have none',
    of: ({ sample }) => sample.states.without,
  },
  distinct_symbols: {
    schema: count,
    about: 'symbols in the sample',
    label: 'Symbols',
    of: ({ sample }) => sample.moves.symbols,
  },
  distinct_days: {
    schema: count,
    about: 'UTC days in the sample',
    label: 'UTC days',
    of: ({ sample }) => sample.moves.days,
  },
  clusters: {
    schema: count,
    about: 'blocks of cluster_days days in the sample, within which moves may depend on each other',
    label: 'Clusters of moves',
    of: ({ sample }) => sample.moves.clusters,
  },
  cluster_days: {
    schema: count,
    about: 'UTC days that count as one cluster: 1 for 1h; 2 or 3 for 24h; more if days in a row move alike',
    of: ({ sample }) => sample.moves.clusterDays,
  },
  median_move_pct: {
    schema: figure,
    about: 'median price move; null: not yet measurable',
    unit: 'percent',
    label: 'Median move',
    interval: { name: 'median_move_pct_interval_95' },
    of: ({ sample }) => sample.moves.median,
  },
  median_move_pct_interval_95: {
    schema: interval,
    about: '95 % interval of it; null below 6 clusters, or if the data bound it on neither side',
    unit: 'percent',
    of: ({ sample }) => medianInterval(sample.moves, LEVEL),
  },
  quartiles_move_pct: {
    schema: interval,
    about: 'lower and upper quartile',
    unit: 'percent',
    label: 'Quartiles',
    of: ({ sample }) => quartilesOf(sample.moves.sorted),
  },
  median_size_pct: {
    schema: figure,
    about: 'median size of the move, upwards or downwards',
    unit: 'percent',
    label: 'Median size of a move',
    of: ({ sample }) => sample.medianSize,
  },
  missing_share: {
    schema: figure,
    about: 'share of the outcomes, measured or missing, that are missing',
    unit: 'fraction',
    label: 'Share missing',
    isRare: true,
    of: ({ sample }) => sample.missingShare,
  },
  missing_move_interval_95: {
    schema: bounds,
    about: '95 % interval of the median move, wherever the missing ones are; null if none is missing',
    unit: 'percent',
    of: ({ sample }) => sample.missingMoves,
  },
  cards_of_btc: {
    schema: count,
    about: "BTC's own cards: left out of everything compared with BTC",
    label: "BTC's own cards",
    isRare: true,
    of: ({ sample }) => sample.states.ofBtc,
  },
  btc_sample: {
    schema: count,
    about: "cards for which BTC's move is known too, without BTC's own",
    label: 'BTC sample',
    of: ({ sample }) => sample.differences.sorted.length,
  },
  btc_clusters: {
    schema: count,
    about: 'clusters of the btc_sample',
    of: ({ sample }) => sample.differences.clusters,
  },
  median_vs_btc_percentage_points: {
    schema: figure,
    about: "median of move minus BTC's",
    unit: 'percentage points',
    label: 'Median vs BTC',
    interval: { name: 'median_vs_btc_interval_95' },
    of: ({ sample }) => sample.differences.median,
  },
  median_vs_btc_interval_95: {
    schema: interval,
    about: '95 % interval of it, for this group alone',
    unit: 'percentage points',
    of: ({ sample }) => medianInterval(sample.differences, LEVEL),
  },
  median_vs_btc_interval_holm: {
    schema: interval,
    about: 'the same, widened for all groups of the horizon: leaves out zero exactly where the verdict does',
    unit: 'percentage points',
    of: ({ vsBtc }) => holmInterval(vsBtc),
  },
  missing_interval_95: {
    schema: bounds,
    about: '95 % interval of the median difference, wherever the missing ones are; null if none is missing',
    unit: 'percentage points',
    of: ({ vsBtc }) => vsBtc.bounds?.(LEVEL) ?? null,
  },
  share_above_btc: {
    schema: figure,
    about: 'share that moved more than BTC, ties left out',
    unit: 'fraction',
    label: 'Moved more than BTC',
    interval: { name: 'share_above_btc_interval_95' },
    of: ({ sample }) => sample.shareAbove.share,
  },
  share_above_btc_interval_95: {
    schema: interval,
    about: '95 % interval of that share; null if it is 0 or 1',
    unit: 'fraction',
    of: ({ sample }) => sample.shareAbove.interval,
  },
  p_vs_btc: {
    schema: figure,
    about: 'two-sided p of the median difference being 0; null below 6 clusters',
    of: ({ vsBtc }) => vsBtc.p,
  },
  p_vs_btc_holm: {
    schema: figure,
    about: 'the same, adjusted for all groups of the horizon (Holm)',
    of: ({ vsBtc }) => vsBtc.adjusted?.p ?? null,
  },
  verdict: {
    schema: v.nullable(v.picklist(VERDICTS)),
    about: 'none: no difference that matters, and that is known; null if no difference is measured yet',
    label: 'Verdict vs BTC',
    word: 'btc',
    of: ({ vsBtc }) => against('btc', verdictOf(vsBtc)),
  },
  others_sample: {
    schema: v.nullable(count),
    about:
      'cards compared with at least 3 cards of other groups of the same UTC day; null if groups are not compared with each other',
    label: 'Compared with others',
    isRare: true,
    of: ({ othersSample }) => othersSample ?? null,
  },
  median_vs_others_percentage_points: {
    schema: figure,
    about: "median of the difference to BTC minus the day's median of your other cards",
    unit: 'percentage points',
    label: 'Median vs others',
    isRare: true,
    interval: { name: 'median_vs_others_interval_95', required: true },
    of: ({ vsOthers }) => vsOthers?.value ?? null,
  },
  median_vs_others_interval_95: {
    schema: interval,
    about: '95 % interval of it, for this group alone',
    unit: 'percentage points',
    of: ({ vsOthers }) => vsOthers?.interval(LEVEL) ?? null,
  },
  median_vs_others_interval_holm: {
    schema: interval,
    about: 'the same, widened for all groups of the horizon',
    unit: 'percentage points',
    of: ({ vsOthers }) => (vsOthers === undefined ? null : holmInterval(vsOthers)),
  },
  p_vs_others: {
    schema: figure,
    about: 'two-sided p of that median being 0; null below 6 clusters',
    of: ({ vsOthers }) => vsOthers?.p ?? null,
  },
  p_vs_others_holm: {
    schema: figure,
    about: 'the same, adjusted for all groups of the horizon (Holm)',
    of: ({ vsOthers }) => vsOthers?.adjusted?.p ?? null,
  },
  verdict_vs_others: {
    schema: v.nullable(v.picklist(VERDICTS_VS_OTHERS)),
    about: 'relative: next to one strong group, an average one is below; null if there is no such comparison',
    label: 'Verdict vs others',
    isRare: true,
    word: 'others',
    of: ({ vsOthers }) => (vsOthers === undefined ? null : against('others', verdictOf(vsOthers))),
  },
  vs_others_from: {
    schema: v.nullable(v.picklist(['service', 'bought'])),
    about: "whether the median vs others comes from the service's own medians of 30 days or from the bought outcomes",
    of: ({ vsOthers, service }) => (vsOthers === undefined ? null : service === undefined ? 'bought' : 'service'),
  },
  service_windows: {
    schema: v.nullable(count),
    about: 'windows of 30 days for which the service gave its median; null if none is used',
    of: ({ service }) => service?.windows ?? null,
  },
  service_sample: {
    schema: v.nullable(count),
    about: 'outcomes that the service counted in them',
    label: 'Outcomes at the service',
    isRare: true,
    of: ({ service }) => service?.sample ?? null,
  },
  service_median_vs_btc_percentage_points: {
    schema: figure,
    about: "the service's own median of move minus BTC's, over all outcomes of its windows",
    unit: 'percentage points',
    of: ({ service }) => service?.vsBtc ?? null,
  },
  next_medians_at: {
    schema: v.nullable(time),
    about: 'when daily exports ask the service for its medians next, UTC; null: not, as far as is known',
    of: ({ nextMedians }) => (nextMedians === null ? null : formatApiTime(nextMedians)),
  },
  shown_verdict: {
    schema: v.nullable(v.picklist(SHOWN_VERDICTS)),
    about: 'the one verdict: vs others, or vs BTC if there are none; once given, it stays while p is below .05',
    of: ({ isAsked, shownTo, word }) => (isAsked ? against(shownTo, word) : null),
  },
  verdict_since: {
    schema: v.nullable(time),
    about: 'the first day of the verdict, UTC, as an export wrote it down; null: a question of your own',
    of: ({ isAsked, since }) => (isAsked && since !== undefined ? formatApiTime(since) : null),
  },
  since_then: {
    schema: sinceThen,
    about: 'what came after the verdict, on cards that had no part in it',
    of: ({ sinceThen: after }) => after,
  },
  would_show_percentage_points: {
    schema: figure,
    about: 'the difference that would show now in four of five cases; null if there is no interval',
    unit: 'percentage points',
    of: ({ shown }) => wouldShow(shown),
  },
  days_until_least_shows: {
    schema: figure,
    about:
      'about how many more calendar days until least_percentage_points would show, if the verdict is unclear; coarse',
    of: ({ isAsked, wait, now }) =>
      isAsked && wait !== null && wait !== NEVER ? Math.max(0, wait.until - now) / DAY : null,
  },
  shown_clusters: {
    schema: count,
    about: 'blocks of days of the comparison that decides',
    label: 'Blocks of the verdict',
    of: ({ shown }) => shown.clusters,
  },
  weak: {
    schema: v.boolean(),
    about: 'whether shown_clusters are fewer than 12: the verdict holds, but for few days',
    of: ({ shown }) => isWeak(shown),
  },
});

export type HorizonFigures = FiguresOf<typeof HORIZON_TABLE>;

export interface GroupData {
  readonly rows: readonly Row[];
  readonly due: readonly Row[];
  readonly perDay: number | null;
  /** Epoch milliseconds UTC; infinite if there was no change. */
  readonly since: number;
  readonly coincides: readonly { readonly group: string; readonly share: number }[];
}

export const GROUP_TABLE = figureTable<GroupData>()({
  rows: { schema: count, about: 'cards in the history that match', of: ({ rows }) => rows.length },
  bought: { schema: count, about: 'of these, the ones whose outcome was bought', of: ({ rows }) => countBought(rows) },
  due: {
    schema: count,
    about: 'of these, the ones old enough for both horizons to be settled',
    of: ({ due }) => due.length,
  },
  bought_share: {
    schema: figure,
    about: 'share of the due outcomes that was bought; null if nothing is due',
    unit: 'fraction',
    of: ({ due }) => countBought(due) / due.length,
  },
  cards_per_day: {
    schema: figure,
    about:
      'cards a day in the last 28 days or since settings_since, silent days counted; by settings: in all their time; null for months',
    of: ({ perDay }) => perDay,
  },
  settings_since: {
    schema: v.nullable(time),
    about: 'the figures are of cards since then, when the present settings were first recorded, UTC; null: of all',
    of: ({ since }) => (Number.isFinite(since) ? formatApiTime(since) : null),
  },
  coincides_with: {
    schema: v.array(
      v.object({
        group: described(v.string(), 'screener type'),
        share: described(v.number(), "share of this group's cards with one of that type on the symbol within an hour"),
      }),
    ),
    about: 'types that come with at least half of its cards',
    of: ({ coincides }) => [...coincides],
  },
});

export interface GroupFigures extends FiguresOf<typeof GROUP_TABLE> {
  /** The screener type, symbol or month (`2026-11`); null for all cards together. */
  readonly group: string | null;
  readonly horizons: { readonly [name in HorizonName]: HorizonFigures };
}

/** What screens make a standing of. */
export interface Judgement extends Group {
  readonly data: HorizonFiguresData;
  /** Whether it is unclear only because outcomes are missing. */
  readonly isHeldBack: boolean;
}

export interface Comparison {
  readonly groups: readonly GroupFigures[];
  /** P values that the adjustment is over. */
  readonly comparisons: number;
  /** Percentage points after 24 h; after 1 h a quarter of it. */
  readonly least_percentage_points: number;
  readonly groups_left_out: number;
  /** See `unevenly`: of these groups. */
  readonly uneven: (of: readonly (string | null)[]) => Uneven;
  /** Only by type. */
  readonly company: Company | undefined;
  /** The judgement of each group, at the horizon asked for. */
  readonly data: readonly Judgement[];
}

export const isWeak = ({ clusters }: Judged) => clusters < FEW_CLUSTERS;

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
