/**
 * What an export cannot take back, in one place. One answer is a moment: a service that was broken for five seconds
 * ended histories for good. Each member needs two observations on different UTC days; until then it is open, and asked
 * again.
 */
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { utcDay } from '../../base/units.ts';

/** Each with what counts as an observation of it. */
export const FINAL = {
  list_begins_here:
    'the service refuses a window (422) behind all that it has listed, cuts all of it off, or leaves 89 days empty',
  card_gone: 'the service answers 404 for a card, and has the details of others',
  outcome_settled: 'a state that the document lists: available, missing',
  medians_unfit: 'an answer is stale, or counts other cards than the list has',
  word_withdrawn: 'a judgement no longer says a word that the notebook has',
  change_effect: 'a judgement says that a change of settings helped, or that it hurt',
} as const satisfies Readonly<Record<string, string>>;

export type Final = keyof typeof FINAL;

export const Observations = v.object({
  /** When it was observed first, and last, without a break. */
  first: time,
  last: time,
});

export type Observations = v.InferOutput<typeof Observations>;

/** @param before undefined if it is observed for the first time @param now epoch milliseconds UTC */
export function observed(before: Observations | undefined, now: number): Observations {
  const first = Math.min(now, before === undefined ? now : at(before.first));
  return { first: formatApiTime(first), last: formatApiTime(now) };
}

/** Whether it was observed on two UTC days. */
export function isFinal(observations: Observations | undefined): boolean {
  if (observations === undefined) return false;
  return utcDay(at(observations.first)) !== utcDay(at(observations.last));
}
