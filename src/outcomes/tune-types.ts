/** What `tune` answers, as JSON has it: a question for each number at the trigger, and cuts of those that tell. */
import * as v from 'valibot';
import { HORIZON_NAMES } from '../api/contract/horizons.ts';
import { count, described, named, time } from '../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import { TOO_LITTLE } from '../statistics/rank-test.ts';
import { figure, interval, sinceThen } from './figure.ts';

const KEY_VERDICTS = ['higher', 'lower', 'unclear', 'too_little', 'constant_within_days'] as const;

const which = {
  type: described(v.string(), 'screener type'),
  key: described(v.string(), 'number at the trigger: its name in entry_context'),
  absolute: described(v.boolean(), 'whether its size without the sign is meant, |number|'),
  horizon: described(v.picklist(HORIZON_NAMES), 'how long after the trigger'),
};

export const questionSchema = named(
  'Question',
  v.object({
    ...which,
    cards: described(count, 'cards with this number and a measured difference to BTC'),
    days: described(count, 'UTC days of these cards'),
    symbols: described(count, 'symbols of these cards'),
    correlation: described(
      figure,
      'rank correlation within UTC days, from -1 to 1; null: not asked',
    ),
    correlation_interval_95: described(
      interval,
      '95 % interval of it, for this number alone; null if it reaches -1 or 1',
    ),
    p: described(figure, 'two-sided p of no correlation'),
    p_holm: described(figure, 'the same, adjusted for all numbers of all types'),
    verdict: described(
      v.picklist(KEY_VERDICTS),
      'whether higher or lower numbers are better: said only with a cut that uses it',
    ),
    too_little: described(
      v.nullable(v.picklist([...TOO_LITTLE, 'rarely_given'])),
      'what is missing; null if nothing is missing',
    ),
    verdict_since: described(
      v.nullable(time),
      'the first day of the verdict, UTC; null: a question of your own',
    ),
    would_show: described(
      figure,
      'a correlation of this size is found in 4 of 5 cases; null: none below 1 is',
    ),
    focus_brings_by: described(
      v.nullable(time),
      'few_cards: when signals export --focus TYPE has enough, UTC; null: they come anyway, or not at all',
    ),
  }),
);
export type Question = ReadonlyDeep<v.InferOutput<typeof questionSchema>>;

export const cutSchema = named(
  'Cut',
  v.object({
    ...which,
    direction: described(
      v.picklist(['at_least', 'at_most']),
      'whether larger values are kept, or smaller ones',
    ),
    value: described(v.number(), 'the stricter setting, in the unit of the number'),
    quantile: described(
      v.number(),
      'share of the cards below it; fixed, outcomes are not looked at',
    ),
    is_advice: described(
      v.boolean(),
      'whether it is the one to try: chosen once, when the number was found',
    ),
    cards_per_day: described(v.number(), 'cards a day that would be kept'),
    kept_vs_btc: described(
      figure,
      "median of the kept cards' moves minus BTC's, percentage points",
    ),
    kept_vs_btc_interval_95: described(interval, '95 % interval of it, percentage points'),
    kept_vs_btc_lowered: described(
      figure,
      'what to expect of it: the best of several looks better than it is',
    ),
    kept_vs_others: described(
      figure,
      "median of the kept cards beside other types' of the day, pp; vs BTC if there are none",
    ),
    kept_vs_others_interval_95: described(interval, '95 % interval of it, percentage points'),
    kept_vs_others_interval_997: described(interval, '99.7 % interval of it, percentage points'),
    dropped_vs_others: described(figure, 'the same of the dropped cards'),
    dropped_vs_others_interval_95: described(interval, '95 % interval of it, percentage points'),
    dropped_vs_others_interval_997: described(interval, '99.7 % interval of it, percentage points'),
    kept_vs_dropped: described(figure, 'kept_vs_others minus dropped_vs_others'),
    kept_vs_dropped_interval: described(
      interval,
      'interval of it, at the level of the test of the number among all numbers',
    ),
    verdict_since: described(
      v.nullable(time),
      'since when it is the advice, UTC; null: no export wrote it down',
    ),
    since_then: described(
      sinceThen,
      'kept minus dropped on the cards created since, which had no part in the choice',
    ),
  }),
);
export type Cut = ReadonlyDeep<v.InferOutput<typeof cutSchema>>;

/** Whether higher numbers are better, or lower ones. */
export const isClear = (question?: { readonly verdict: Question['verdict'] }): boolean =>
  question?.verdict === 'higher' || question?.verdict === 'lower';

/** A stricter setting to try, as every screen names it. */
export type Advice = Pick<Cut, 'type' | 'key' | 'absolute' | 'direction' | 'value'>;

/** What the cards since an advice say of it: `holds` if the 95 % interval of kept minus dropped lies above 0. */
export type AdviceCheck = 'holds' | 'open' | 'opposite';

/** @param then of the advice; null if there is no newer card, or if it was never written down */
export function checkOfAdvice(then: Cut['since_then']): AdviceCheck {
  if (then === null || then.interval_95 === null) return 'open';
  if ((then.difference_percentage_points ?? 0) < 0) return 'opposite';
  return then.interval_95.low > 0 ? 'holds' : 'open';
}

export interface Tuning {
  readonly questions: readonly Question[];
  readonly cuts: readonly Cut[];
}
