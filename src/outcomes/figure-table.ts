/** The figures of a group of cards, described once for JSON, `--fields`, CSV, help, schemas and pages. */
import * as v from 'valibot';
import { blockLengthsOf, HORIZONS, type HorizonName } from '../api/contract/horizons.ts';
import { count, described, time } from '../api/contract/primitives.ts';
import { apiTimeOrNull } from '../api/time.ts';
import { DAY } from '../base/units.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { FEW_CLUSTERS } from '../statistics/clusters.ts';
import { type Estimate, LEVEL } from '../statistics/estimate.ts';
import { type Interval, medianOf, quantile, type Sorted } from '../statistics/quantile.ts';
import { SURE_LEVEL, type Verdict, wouldShow } from '../statistics/rule.ts';
import {
  bounds,
  differenceInPeriod,
  type FiguresOf,
  figureOf,
  interval,
  numberOrNull,
  sinceThen,
  sinceThenOf,
} from './figure.ts';
import { decidingEstimate } from './group-comparison.ts';
import type { HistoryCard } from './history-card.ts';
import type { HorizonData } from './horizon.ts';
import { TO_DO } from './to-do.ts';
import { SHOWN_VERDICTS, VERDICTS_VS_BTC, VERDICTS_VS_OTHERS } from './types.ts';

const ofHorizon = figureOf<HorizonData>();
const counted = ofHorizon(count);
const countedIfThere = ofHorizon(v.nullable(count));
const number = ofHorizon(numberOrNull);
const inPercent = ofHorizon(numberOrNull, 'percent');
const rangeInPercent = ofHorizon(interval, 'percent');
const inPoints = ofHorizon(numberOrNull, 'percentage points');
const rangeInPoints = ofHorizon(interval, 'percentage points');
const asFraction = ofHorizon(numberOrNull, 'fraction');
const moment = ofHorizon(v.nullable(time));

/** The UTC days of a block after each horizon: `1 for 1h`, `2 or 3 for 24h`. */
const BLOCK_DAYS = HORIZONS.map(({ name, blockDays }) => {
  const lengths = new Set(Object.values(blockDays));
  return `${[...lengths].join(' or ')} for ${name}`;
});

/** A group's figures after one horizon. */
export const HORIZON_TABLE = {
  sample: counted('cards with a measured move', ({ sample }) => sample.states.measured),
  pending: counted('outcomes still pending when bought', ({ sample }) => sample.states.pending),
  missing: counted(
    'outcomes that the service said are missing, or available without a move',
    ({ sample }) => sample.states.missing,
  ),
  other_states: counted(
    'outcomes in a state the document does not list',
    ({ sample }) => sample.states.other,
  ),
  without_outcome: counted(
    'cards whose outcome is not bought, or that have none',
    ({ sample }) => sample.states.without,
  ),
  distinct_symbols: counted('symbols in the sample', ({ sample }) => sample.moves.symbols, {
    label: 'Symbols',
  }),
  distinct_days: counted('UTC days in the sample', ({ sample }) => sample.moves.days, {
    label: 'UTC days',
  }),
  clusters: counted(
    'blocks of cluster_days days in the sample, within which moves may depend on each other',
    ({ sample }) => sample.moves.clusters,
    { label: 'Blocks of days' },
  ),
  cluster_days: counted(
    `UTC days that count as one block: ${BLOCK_DAYS.join('; ')}; more if days in a row move alike`,
    ({ sample }) => sample.moves.clusterDays,
  ),
  median_move_pct: inPercent(
    'median price move; null: not yet measurable',
    ({ sample }) => sample.moves.value,
    {
      label: 'Median move',
      interval: { name: 'median_move_pct_interval_95' },
    },
  ),
  median_move_pct_interval_95: rangeInPercent(
    '95 % interval of it; null below 6 blocks, or if nothing bounds it',
    ({ sample }) => sample.moves.interval(LEVEL),
  ),
  quartiles_move_pct: rangeInPercent(
    'lower and upper quartile',
    ({ sample }) => quartilesOf(sample.moves.sorted),
    {
      label: 'Quartiles',
    },
  ),
  median_size_pct: inPercent(
    'median size of the move, upwards or downwards',
    ({ sample }) => medianOf(Array.from(sample.moves.sorted, Math.abs)),
    { label: 'Median size of a move' },
  ),
  median_size_pct_interval_95: rangeInPercent(
    '95 % interval of it; null below 6 blocks, or if nothing bounds it',
    ({ sample }) => sample.sizes.interval(LEVEL),
  ),
  missing_share: asFraction(
    'share of the bought outcomes that have no measured move, pending ones left out',
    ({ sample: { states } }) => states.lost / (states.measured + states.lost),
    { label: 'Share without a figure', isRare: true },
  ),
  missing_move_interval_95: ofHorizon(bounds, 'percent')(
    '95 % interval of the median move, whatever the missing ones were; null if none is missing',
    ({ sample }) => sample.moves.bounds?.(LEVEL) ?? null,
  ),
  cards_of_btc: counted(
    "BTC's own cards: left out of everything compared with BTC",
    ({ sample }) => sample.states.ofBtc,
    { label: "BTC's own cards", isRare: true },
  ),
  btc_sample: counted(
    "cards for which BTC's move is known too, without BTC's own",
    ({ vsBtc }) => vsBtc.size,
    {
      label: 'BTC sample',
    },
  ),
  btc_clusters: counted('blocks of the btc_sample', ({ vsBtc }) => vsBtc.clusters),
  service_median_vs_btc_percentage_points: inPoints(
    "the service's own median of move minus BTC's, over all outcomes of its windows",
    ({ service }) => service?.vsBtc ?? null,
    { label: 'Median vs BTC' },
  ),
  median_vs_btc_percentage_points: inPoints(
    "median of move minus BTC's",
    ({ vsBtc }) => vsBtc.value,
    {
      label: 'Median vs BTC',
      interval: { name: 'median_vs_btc_interval_95' },
    },
  ),
  median_vs_btc_interval_95: rangeInPoints(
    '95 % interval of it: above or below is withdrawn when it reaches 0',
    ({ vsBtc }) => vsBtc.interval(LEVEL),
  ),
  median_vs_btc_interval_997: rangeInPoints(
    '99.7 % interval of it: above or below is given when it lies wholly beyond 0.1',
    ({ vsBtc }) => vsBtc.interval(SURE_LEVEL),
  ),
  missing_interval_95: ofHorizon(bounds, 'percentage points')(
    '95 % interval of the median difference, whatever the missing ones were; null if none is missing',
    ({ vsBtc }) => vsBtc.bounds?.(LEVEL) ?? null,
  ),
  share_above_btc: asFraction(
    'share that moved more than BTC, ties left out',
    ({ sample }) => sample.shareAbove.share,
    {
      label: 'Did better than BTC',
      interval: { name: 'share_above_btc_interval_95' },
    },
  ),
  share_above_btc_interval_95: ofHorizon(interval, 'fraction')(
    '95 % interval of that share; null if it is 0 or 1',
    ({ sample }) => sample.shareAbove.interval,
  ),
  p_vs_btc: number(
    'two-sided p of that difference being 0; null below 6 blocks',
    ({ vsBtc }) => vsBtc.p,
  ),
  verdict: ofHorizon(v.nullable(v.picklist(VERDICTS_VS_BTC)))(
    'small: known to be smaller than what matters, on either side; null if nothing is measured yet',
    ({ verdictVsBtc }) => against('btc', verdictVsBtc),
    { label: 'Verdict vs BTC', verdictOf: 'btc' },
  ),
  others_sample: countedIfThere(
    'cards with 3 or more cards of other groups on their UTC day; null if groups are not compared with each other',
    ({ othersSample }) => othersSample ?? null,
    { label: 'Compared with others', isRare: true },
  ),
  median_vs_others_percentage_points: inPoints(
    "median of the difference to BTC minus the day's median of your other cards",
    ({ vsOthers }) => vsOthers?.value ?? null,
    {
      label: 'Median vs others',
      isRare: true,
      interval: { name: 'median_vs_others_interval_95', required: true },
    },
  ),
  median_vs_others_interval_95: rangeInPoints(
    '95 % interval of it',
    ({ vsOthers }) => vsOthers?.interval(LEVEL) ?? null,
  ),
  median_vs_others_interval_997: rangeInPoints(
    '99.7 % interval of it',
    ({ vsOthers }) => vsOthers?.interval(SURE_LEVEL) ?? null,
  ),
  beta_percentage_points: inPoints(
    "the part that BTC's own rise or fall explains; already subtracted from the median vs others",
    ({ explainedByBeta }) => explainedByBeta ?? null,
  ),
  p_vs_others: number(
    'two-sided p of that median being 0; null below 6 blocks',
    ({ vsOthers }) => vsOthers?.p ?? null,
  ),
  verdict_vs_others: ofHorizon(v.nullable(v.picklist(VERDICTS_VS_OTHERS)))(
    'relative: next to one strong group, an average one is below; null if there is no such comparison',
    ({ verdictVsOthers }) => against('others', verdictVsOthers),
    { label: 'Verdict vs others', isRare: true, verdictOf: 'others' },
  ),
  vs_others_from: ofHorizon(v.nullable(v.picklist(['service', 'bought'])))(
    "what the median vs others is made of: the service's medians of 30 days, or bought outcomes",
    ({ othersSample, service }) => {
      if (othersSample === undefined) return null;
      return service === undefined ? 'bought' : 'service';
    },
  ),
  service_windows: countedIfThere(
    'windows of 30 days for which the service gave its median; null if none is used',
    ({ service }) => service?.windows ?? null,
  ),
  service_sample: countedIfThere(
    'outcomes that the service counted in them',
    ({ service }) => service?.size ?? null,
    {
      label: 'Outcomes at the service',
      isRare: true,
    },
  ),
  next_medians_at: moment(
    'when daily exports ask the service for its medians next, UTC; null: not, as far as is known',
    ({ sittings }) => apiTimeOrNull(sittings?.next),
  ),
  shown_verdict: ofHorizon(v.nullable(v.picklist(SHOWN_VERDICTS)))(
    'the one verdict: vs others, or vs BTC if few cards have others on their day',
    ({ isAsked, comparedWith, verdict }) => (isAsked ? against(comparedWith, verdict) : null),
  ),
  to_do: ofHorizon(v.nullable(v.picklist(TO_DO)))(
    'what the verdicts mean: worth keeping, worth dropping, or how the cards do beside BTC; null: nothing, or it may have stopped working',
    ({ isAsked, toDo }) => (isAsked ? (toDo ?? null) : null),
  ),
  verdict_since: moment(
    'the first day of the verdict, UTC, as an export wrote it down; null: a question of your own',
    ({ isAsked, verdictSince }) => (isAsked ? apiTimeOrNull(verdictSince) : null),
  ),
  since_then: ofHorizon(sinceThen)(
    'what came after the verdict, on cards that had no part in it',
    ({ verdictSince, values, horizon }) => {
      if (verdictSince === undefined) return null;
      const later = values.filter(({ card }) => card.at >= verdictSince);
      return sinceThenOf(clusteredMedian(later, blockLengthsOf(horizon)));
    },
  ),
  last_30_days: ofHorizon(differenceInPeriod)(
    'the same difference in the last 30 days alone; null without two windows',
    ({ timesCompared }) => timesCompared()?.last30Days ?? null,
  ),
  before: ofHorizon(differenceInPeriod)(
    'the same difference before them, beside the same other types; null without two windows',
    ({ timesCompared }) => timesCompared()?.earlier ?? null,
  ),
  would_show_percentage_points: inPoints(
    'the smallest difference that would show now: 0.1 and half the 99.7 % interval; null if there is none',
    (data) => wouldShow(decidingEstimate(data)),
  ),
  days_until_least_shows: number(
    'days until a verdict is expected, if it is unclear; coarse; null if none is',
    ({ isAsked, verdictExpected, now }) =>
      isAsked && verdictExpected !== undefined ? Math.max(0, verdictExpected - now) / DAY : null,
  ),
  vs_btc_would_show_percentage_points: inPoints(
    'as would_show_percentage_points, of the difference to BTC',
    ({ vsBtc }) => wouldShow(vsBtc),
  ),
  shown_clusters: counted(
    'blocks of days of the comparison that decides',
    (data) => decidingEstimate(data).clusters,
    {
      label: 'Blocks of days, verdict',
    },
  ),
  weak: ofHorizon(v.boolean())(
    'whether shown_clusters are fewer than 12: the verdict holds, but for few days',
    (data) => isWeak(decidingEstimate(data)),
  ),
};

export type HorizonFigures = FiguresOf<typeof HORIZON_TABLE>;

/** What the figures of a group are computed from that do not depend on the horizon. */
export interface GroupData {
  /** Its cards under its present settings, bought or not. */
  readonly cards: readonly HistoryCard[];
  /** Those of `cards` whose outcome was due at the last export. */
  readonly due: readonly HistoryCard[];
  readonly perDay: number;
  /** Epoch milliseconds UTC; undefined if the settings never changed. */
  readonly settingsSince: number | undefined;
  /**
   * The types that come with at least half of its cards: their names, and with what share of its cards they come (a fraction).
   */
  readonly coincides: { readonly group: string; readonly share: number }[];
}

/** No table shows these figures: pages say them in sentences and in columns of their own. */
const ofGroup = figureOf<GroupData>();

/** A group's figures that do not depend on the horizon. */
export const GROUP_TABLE = {
  rows: ofGroup(count)('cards in the history that match', ({ cards }) => cards.length),
  bought: ofGroup(count)('of these, the ones whose outcome was bought', ({ cards }) =>
    countBought(cards),
  ),
  due: ofGroup(count)(
    'of these, the ones whose outcome was due at the last export',
    ({ due }) => due.length,
  ),
  bought_share: ofGroup(numberOrNull, 'fraction')(
    'share of the due outcomes that was bought; null if nothing is due',
    ({ due }) => countBought(due) / due.length,
  ),
  cards_per_day: ofGroup(numberOrNull)(
    'cards a day in the last 28 days, not before settings_since (on its first day: those before); by settings: in all their time',
    ({ perDay }) => perDay,
  ),
  settings_since: ofGroup(v.nullable(time))(
    'when the present settings were first recorded, UTC: figures are of cards since then; null: of all',
    ({ settingsSince }) => apiTimeOrNull(settingsSince),
  ),
  coincides_with: ofGroup(
    v.array(
      v.object({
        group: described(v.string(), 'screener type'),
        share: described(
          v.number(),
          "share of this group's cards with one of that type on the symbol within an hour",
        ),
      }),
    ),
  )('types that come with at least half of its cards', ({ coincides }) => coincides),
};

export interface GroupFigures extends FiguresOf<typeof GROUP_TABLE> {
  /** The screener type or symbol; null for all cards together. */
  readonly group: string | null;
  readonly horizons: { readonly [name in HorizonName]: HorizonFigures };
}

/** Whether an estimate rests on few blocks of days: its verdict holds, but is called weak. */
export const isWeak = ({ clusters }: Pick<Estimate, 'clusters'>) => clusters < FEW_CLUSTERS;

/** A verdict with what it compares with, as JSON has it: `above` against the others is `above_others`; `small` stays. */
export function against<To extends 'btc' | 'others'>(to: To, verdict: Verdict | null) {
  if (verdict === 'above') return `above_${to}` as const;
  return verdict === 'below' ? (`below_${to}` as const) : verdict;
}

function countBought(cards: readonly HistoryCard[]): number {
  return cards.filter(({ isBought }) => isBought).length;
}

function quartilesOf(sorted: Sorted): Interval | null {
  if (sorted.length === 0) return null;
  return { low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}
