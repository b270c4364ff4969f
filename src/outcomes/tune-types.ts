/**
 * What `tune` answers, as JSON has it: for each number at the trigger a question, whether the number goes with the outcomes;
 * and for each telling number cuts, which are stricter settings by it.
 */
import * as v from 'valibot';
import { HORIZON_NAMES, type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { count, described, named, time } from '../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import { orWords } from '../base/words.ts';
import { TOO_LITTLE } from '../statistics/rank-test.ts';
import { interval, numberOrNull, sinceThen } from './figure.ts';
import { DEFAULT_LEAST, leastOf } from './question.ts';
import { LARGEST_PLAUSIBLE } from './test-needs.ts';

const KEY_VERDICTS = ['higher', 'lower', 'unclear', 'too_little', 'constant_within_days'] as const;

/** The horizons after which the notebook has no verdicts: `1h`. */
const OTHER_HORIZONS = orWords(HORIZON_NAMES.filter((name) => name !== MAIN_HORIZON));

const NEEDS = ['outcomes', 'days', 'cards_a_day'] as const;

/** The fields that say which number is meant, and after which horizon. */
const numberFields = {
  type: described(v.string(), 'screener type'),
  key: described(v.string(), 'number at the trigger: its name in entry_context'),
  absolute: described(v.boolean(), 'whether its size without the sign is meant, |number|'),
  horizon: described(v.picklist(HORIZON_NAMES), 'how long after the trigger'),
};

export const questionSchema = named(
  'Question',
  v.object({
    ...numberFields,
    cards: described(count, 'cards with this number and a measured difference to BTC'),
    days: described(count, 'UTC days of these cards'),
    symbols: described(count, 'symbols of these cards'),
    correlation: described(
      numberOrNull,
      'rank correlation within UTC days, from -1 to 1; null without a test',
    ),
    correlation_interval_95: described(
      interval,
      '95 % interval of the correlation, not adjusted for the other numbers; null if it reaches -1 or 1',
    ),
    p: described(
      numberOrNull,
      'two-sided p of the test that there is no correlation; null without a test',
    ),
    p_holm: described(numberOrNull, 'the same p, adjusted for all numbers of all types'),
    verdict: described(
      v.picklist(KEY_VERDICTS),
      'which numbers are better, higher or lower: given only where a cut by the number helps',
    ),
    too_little: described(
      v.nullable(v.picklist([...TOO_LITTLE, 'rarely_given'])),
      'why there is no test; null if there is one, or if the number is the same for all cards of each day',
    ),
    verdict_since: described(
      v.nullable(time),
      `the first day of the verdict, UTC; null without one, after ${OTHER_HORIZONS}, or for a question of your own`,
    ),
    would_show: described(
      numberOrNull,
      'the smallest correlation that is found in 4 of 5 cases; null if it would have to be 1',
    ),
    would_show_percentage_points: described(
      numberOrNull,
      'about how far apart the half of the cards with the larger numbers and the half with the smaller ones are at that correlation, percentage points; null where would_show is',
    ),
    needs: described(
      v.nullable(v.picklist(NEEDS)),
      'what it lacks until it is tested well enough: more outcomes; outcomes of more days; or more cards a day, without which it cannot be tested, because too few days have two cards of the type. null: it lacks nothing, or too_little says what',
    ),
    needed: described(
      v.nullable(count),
      'about how many outcomes of the type, or days with outcomes, a test needs in all',
    ),
    enough_by: described(
      v.nullable(time),
      'when there are so many, UTC, as exports buy now; null: not foreseen within two months',
    ),
    focus_brings_by: described(
      v.nullable(time),
      'when there are so many with signals export --focus TYPE, UTC; null: not foreseen within two months, or hardly sooner than without',
    ),
  }),
);
export type NumberQuestion = ReadonlyDeep<v.InferOutput<typeof questionSchema>>;

export const cutSchema = named(
  'Cut',
  v.object({
    ...numberFields,
    direction: described(
      v.picklist(['at_least', 'at_most']),
      'whether larger values are kept, or smaller ones',
    ),
    value: described(v.number(), 'the stricter setting, in the unit of the number'),
    quantile: described(
      v.number(),
      'share of the cards below the setting: chosen in advance, not by outcomes',
    ),
    is_advice: described(
      v.boolean(),
      'whether it is the setting to try: chosen once, when the number was found',
    ),
    cards_per_day: described(v.number(), 'cards a day that would be kept'),
    kept_vs_btc: described(
      numberOrNull,
      "median of the kept cards' moves minus BTC's, percentage points",
    ),
    kept_vs_btc_interval_95: described(interval, '95 % interval of kept_vs_btc'),
    kept_vs_btc_lowered: described(
      numberOrNull,
      'kept_vs_btc after a deduction, because the best of several cuts looks better than it is',
    ),
    gain_lowered: described(
      numberOrNull,
      'how much better than all cards as set now the kept cards are to be expected, in percentage points, as screens tell it: kept_vs_btc_lowered minus the median of all cards; at least 0.5 after 24 h when a setting was chosen',
    ),
    kept_vs_others: described(
      numberOrNull,
      "median of the kept cards minus the other types' cards of the same day, percentage points; minus BTC if there are none",
    ),
    kept_vs_others_interval_95: described(interval, '95 % interval of kept_vs_others'),
    kept_vs_others_interval_997: described(interval, '99.7 % interval of kept_vs_others'),
    dropped_vs_others: described(numberOrNull, 'the same median of the dropped cards'),
    dropped_vs_others_interval_95: described(interval, '95 % interval of dropped_vs_others'),
    dropped_vs_others_interval_997: described(interval, '99.7 % interval of dropped_vs_others'),
    kept_vs_dropped: described(numberOrNull, 'kept_vs_others minus dropped_vs_others'),
    kept_vs_dropped_interval: described(
      interval,
      'interval of kept_vs_dropped, at the level of the test of the number among all numbers',
    ),
    verdict_since: described(
      v.nullable(time),
      'since when it is the setting to try, UTC; null if no export wrote it down',
    ),
    since_then: described(
      sinceThen,
      'kept minus dropped on the cards created since then, which had no part in the choice',
    ),
  }),
);
export type Cut = ReadonlyDeep<v.InferOutput<typeof cutSchema>>;

/** Whether a number is telling: larger numbers are better, or smaller ones. */
export const hasBetterSide = (question?: {
  readonly verdict: NumberQuestion['verdict'];
}): boolean => question?.verdict === 'higher' || question?.verdict === 'lower';

/**
 * Whether a number is tested well enough: it lacks no outcomes (`needs`), and a plausible correlation would have been found
 * (`would_show`). Both are needed. With few outcomes, `would_show` can be small by chance. And where the cards of one symbol
 * move alike, many outcomes show little: `would_show` stays large.
 */
export function isWellTested({
  would_show: size,
  needs,
}: Pick<NumberQuestion, 'would_show' | 'needs'>): boolean {
  return needs === null && size !== null && size < LARGEST_PLAUSIBLE;
}

/**
 * The least gain that makes a stricter setting worth the cards that it drops, percentage points for each kept card: half of the
 * smallest difference that matters.
 */
export function leastGainOf(horizon: HorizonName): number {
  return leastOf(horizon, DEFAULT_LEAST) / 2;
}

/** Whether a stricter setting is expected to bring enough to be chosen. A chosen one stays, also if it is expected to bring less. */
export function bringsEnough({
  gain_lowered: gain,
  horizon,
}: Pick<Cut, 'gain_lowered' | 'horizon'>): boolean {
  return gain !== null && gain >= leastGainOf(horizon);
}

/** A stricter setting to try, as every screen names it. */
export type Advice = Pick<Cut, 'type' | 'key' | 'absolute' | 'direction' | 'value'>;

/**
 * What the cards that came after an advice was chosen say of it. `holds`: the 95 % interval of kept minus dropped lies above 0.
 * `opposite`: it lies below 0. `open`: it reaches 0, or there are too few of these cards.
 */
export type AdviceCheck = 'holds' | 'open' | 'opposite';

/** @param sinceThen the figures of the later cards; null if there are none, or if no export wrote the advice down */
export function checkOfAdvice(sinceThen: Cut['since_then']): AdviceCheck {
  const interval = sinceThen?.interval_95 ?? null;
  if (interval === null) return 'open';
  if (interval.low > 0) return 'holds';
  return interval.high < 0 ? 'opposite' : 'open';
}

/** What `tune` answers. */
export interface Tuning {
  readonly questions: readonly NumberQuestion[];
  readonly cuts: readonly Cut[];
}
