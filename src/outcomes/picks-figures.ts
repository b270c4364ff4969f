/** The figures of the picked cards, and of the unpicked ones, described once for JSON, CSV, help and schemas. */
import * as v from 'valibot';
import { count } from '../api/contract/primitives.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { SURE_LEVEL, wouldShow } from '../statistics/rule.ts';
import { type FiguresOf, figureOf, interval, numberOrNull } from './figure.ts';
import { against, isWeak } from './figure-table.ts';
import type { PicksData } from './picks.ts';
import { VERDICTS_VS_BTC, VERDICTS_VS_OTHERS } from './types.ts';

const ofPicks = figureOf<PicksData>();
const counted = ofPicks(count);
const inPercent = ofPicks(numberOrNull, 'percent');
const rangeInPercent = ofPicks(interval, 'percent');
const inPoints = ofPicks(numberOrNull, 'percentage points');
const rangeInPoints = ofPicks(interval, 'percentage points');
const asFraction = ofPicks(numberOrNull, 'fraction');

/** The names are those of `HORIZON_TABLE`, so that one script reads both. */
export const PICKS_TABLE = {
  sample: counted(
    'cards with a measured move, of types and UTC days where both groups have one',
    ({ sample }) => sample.states.measured,
  ),
  distinct_symbols: counted('symbols in the sample', ({ sample }) => sample.moves.symbols),
  distinct_days: counted('UTC days in the sample', ({ sample }) => sample.moves.days),
  median_move_pct: inPercent('median price move', ({ sample }) => sample.moves.value),
  median_move_pct_interval_95: rangeInPercent('95 % interval of it', ({ sample }) =>
    sample.moves.interval(LEVEL),
  ),
  missing_share: asFraction(
    'share of these outcomes without a measured move, pending ones left out',
    ({ sample: { states } }) => states.lost / (states.measured + states.lost),
  ),
  btc_sample: counted("cards for which BTC's move is known too", ({ vsBtc }) => vsBtc.size),
  median_vs_btc_percentage_points: inPoints(
    "median of move minus BTC's",
    ({ vsBtc }) => vsBtc.value,
  ),
  median_vs_btc_interval_95: rangeInPoints('95 % interval of it', ({ vsBtc }) =>
    vsBtc.interval(LEVEL),
  ),
  median_vs_btc_interval_997: rangeInPoints('99.7 % interval of it', ({ vsBtc }) =>
    vsBtc.interval(SURE_LEVEL),
  ),
  share_above_btc: asFraction(
    'share that moved more than BTC, ties left out',
    ({ sample }) => sample.shareAbove.share,
  ),
  share_above_btc_interval_95: ofPicks(interval, 'fraction')(
    '95 % interval of that share',
    ({ sample }) => sample.shareAbove.interval,
  ),
  verdict: ofPicks(v.nullable(v.picklist(VERDICTS_VS_BTC)))(
    'against BTC; null if no difference is measured',
    ({ verdictVsBtc }) => against('btc', verdictVsBtc),
  ),
  others_sample: ofPicks(v.nullable(count))(
    'picked cards compared; null of not_picked, as every field below',
    ({ vsUnpicked }) => vsUnpicked?.size ?? null,
  ),
  median_vs_others_percentage_points: inPoints(
    "median of each pick's difference to BTC minus that of the cards of its type and UTC day let pass",
    ({ vsUnpicked }) => vsUnpicked?.value ?? null,
  ),
  median_vs_others_interval_95: rangeInPoints(
    '95 % interval of it',
    ({ vsUnpicked }) => vsUnpicked?.interval(LEVEL) ?? null,
  ),
  median_vs_others_interval_997: rangeInPoints(
    '99.7 % interval of it: it decides',
    ({ vsUnpicked }) => vsUnpicked?.interval(SURE_LEVEL) ?? null,
  ),
  beta_percentage_points: inPoints(
    "what BTC's own rise or fall explains; already subtracted",
    ({ explainedByBeta }) => explainedByBeta ?? null,
  ),
  p_vs_others: ofPicks(numberOrNull)(
    'two-sided p of that median being 0; null below 6 blocks',
    ({ vsUnpicked }) => vsUnpicked?.p ?? null,
  ),
  verdict_vs_others: ofPicks(v.nullable(v.picklist(VERDICTS_VS_OTHERS)))(
    'above_others: picks did better; null if none is compared',
    ({ verdict }) => against('others', verdict),
  ),
  would_show_percentage_points: inPoints(
    'smallest difference that would show now',
    ({ vsUnpicked }) => (vsUnpicked === undefined ? null : wouldShow(vsUnpicked)),
  ),
  shown_clusters: ofPicks(v.nullable(count))(
    'blocks of days of the comparison',
    ({ vsUnpicked }) => vsUnpicked?.clusters ?? null,
  ),
  weak: ofPicks(v.nullable(v.boolean()))('shown_clusters below 12', ({ vsUnpicked }) =>
    vsUnpicked === undefined ? null : isWeak(vsUnpicked),
  ),
};

export type PicksFigures = FiguresOf<typeof PICKS_TABLE>;
