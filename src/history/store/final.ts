/**
 * What an export cannot take back, in one place. One answer is a moment: a service that was broken for five seconds
 * ended histories for good. Each member needs two observations on different UTC days, or an answer that is of the
 * document; until then it is open, and asked again.
 */
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { dayNumber } from '../../base/units.ts';
import type { Measured } from '../../outcomes/row.ts';

/** Observed on so many different UTC days. */
interface ByDays {
  readonly days: 2;
  /** What counts as an observation. */
  readonly observation: string;
}

/** One answer is enough, because the document lists what it says: it costs a credit. */
interface ByDocument {
  readonly states: readonly string[];
  readonly observation: string;
}

export const FINAL = {
  list_begins_here: {
    days: 2,
    observation:
      'the service refuses a window (422) behind all that it has listed, cuts all of it off, or leaves 89 days empty',
  },
  card_gone: {
    days: 2,
    observation: 'the service answers 404 for a card, and has the details of others',
  },
  outcome_settled: {
    states: ['available', 'missing'],
    observation:
      'a state that the document lists, after which nothing is to come; if it is available, with a move',
  },
  medians_unfit: {
    days: 2,
    observation: 'an answer is stale, or counts other cards than the list has',
  },
  word_withdrawn: {
    days: 2,
    observation: 'a judgement no longer says a word that the notebook has',
  },
  change_effect: {
    days: 2,
    observation: 'a judgement says that a change of settings helped, or that it hurt',
  },
} as const satisfies Readonly<Record<string, ByDays | ByDocument>>;

export type Final = keyof typeof FINAL;

type FinalByDays = {
  readonly [Name in Final]: (typeof FINAL)[Name] extends ByDays ? Name : never;
}[Final];

const SETTLED_STATES: ReadonlySet<unknown> = new Set(FINAL.outcome_settled.states);

/**
 * Whether nothing is to come after what was measured (part 3 of the API document): a state that is not listed may be
 * followed by any, and what is available has a move.
 */
export function isSettledMeasure({ state, move }: Measured): boolean {
  return SETTLED_STATES.has(state) && (state !== 'available' || move !== null);
}

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

/** Whether it was observed on as many UTC days as it needs. */
export function isFinal(what: FinalByDays, observations: Observations | undefined): boolean {
  if (observations === undefined) return false;
  const { days } = FINAL[what];
  const first = dayNumber(at(observations.first));
  return dayNumber(at(observations.last)) - first >= days - 1;
}
