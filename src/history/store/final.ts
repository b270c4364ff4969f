/**
 * What an export cannot take back, such as that the list begins here, or that a card is gone. One answer is no proof of it. If it
 * were, a service that is broken for five seconds would keep a history from ever reaching further back. Each member of `FINAL`
 * needs two observations on different UTC days, hours apart, or an answer with a state that the API document lists. Until then
 * exports ask again.
 *
 * The days are those of the service. This machine's clock may be days ahead, and would make one moment look like two days. So a
 * run that has not heard the service's time observes nothing (`heardTime` in `history/export/heard-time.ts`). Only for
 * `medians_unfit` the times of the answers count, also of those in runs that have not heard it: if they are wrong, the next sitting
 * asks again.
 */
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { HOUR, nextDay } from '../../base/units.ts';
import type { Measured } from '../../outcomes/history-card.ts';

/** Something that is final once it was observed on two UTC days. */
interface ByDays {
  /**
   * How far apart the two observations have to be, milliseconds. 23:30 and 00:30 are on two UTC days, but a service may be broken
   * at both times. Less than a day is required, so that two runs of a daily cron count, even if summer time begins between them.
   */
  readonly leastApart: number;
  /** What counts as an observation. No code reads it. */
  readonly observation: string;
}

/** Something that is final after one answer, because asking on a second day would cost another credit for each card. */
interface ByDocument {
  /** States of the API document after which no other is expected. */
  readonly states: readonly string[];
  /** What counts as an observation. No code reads it. */
  readonly observation: string;
}

const LEAST_APART = 20 * HOUR;

export const FINAL = {
  list_begins_here: {
    leastApart: LEAST_APART,
    observation:
      'the service answers 422 to a request for older cards than all listed ones, or answers with a window that begins later; or there is no card for 89 days',
  },
  card_gone: {
    leastApart: LEAST_APART,
    observation: 'the service answers 404 for a card, and has the details of others',
  },
  cards_lost: {
    leastApart: LEAST_APART,
    observation: 'a month file lacks cards that it had',
  },
  cards_unlisted: {
    leastApart: LEAST_APART,
    observation:
      'the part of the list that had the lost cards is listed again to its end, and some of them do not come',
  },
  outcome_settled: {
    states: ['available', 'missing'],
    observation: 'the state is `missing`, or `available` with a move',
  },
  medians_unfit: {
    leastApart: LEAST_APART,
    observation: 'an answer is stale, or counts other cards than the list has',
  },
  verdict_withdrawn: {
    leastApart: LEAST_APART,
    observation: 'a judgement no longer gives a verdict that the notebook has',
  },
  change_effect: {
    leastApart: LEAST_APART,
    observation: 'a judgement says that a change of settings helped, or that it hurt',
  },
} as const satisfies Readonly<Record<string, ByDays | ByDocument>>;

export type Final = keyof typeof FINAL;

/** The names of the members of FINAL that need observations on two days. */
export type FinalByDays = {
  readonly [Name in Final]: (typeof FINAL)[Name] extends ByDays ? Name : never;
}[Final];

const SETTLED_STATES: ReadonlySet<unknown> = new Set(FINAL.outcome_settled.states);

/**
 * Whether an outcome is taken for final. Part 3 of the API document lists the states `pending`, `missing` and `available`, and
 * says that an available outcome has a move. It does not say which state may follow which. This program assumes that no other
 * state follows `missing` or `available`. A state that is not listed is not final.
 */
export function isSettledMeasure({ state, move }: Measured): boolean {
  return SETTLED_STATES.has(state) && (state !== 'available' || move !== null);
}

/** When something was observed, and was not refuted in between. */
export const Observations = v.object({
  /** When it was first observed. */
  first: time,
  /** When it was last observed. */
  last: time,
});

export type Observations = v.InferOutput<typeof Observations>;

/** The observations of an entry; undefined if it has none. */
export function observationsOf({
  first,
  last,
}: Readonly<Partial<Observations>>): Observations | undefined {
  return first === undefined || last === undefined ? undefined : { first, last };
}

/**
 * The observations with one more, which is made now.
 * @param before undefined if this is the first observation
 * @param heard the service's time, epoch milliseconds UTC: a run that has not heard it makes no observation. A quote, which keeps
 *   nothing, passes now: it asks what a run would observe.
 */
export function withObservation(before: Observations | undefined, heard: number): Observations {
  const first = Math.min(heard, before === undefined ? heard : at(before.first));
  return { first: formatApiTime(first), last: formatApiTime(heard) };
}

/**
 * The time from which one more observation makes something final: it is on another UTC day than the first observation, and long
 * enough after it. Before that time there is no need to ask again.
 * @param first when it was first observed, epoch milliseconds UTC
 */
export function secondLookFrom(what: FinalByDays, first: number): number {
  return Math.max(nextDay(first), first + FINAL[what].leastApart);
}

/** Whether something was observed on two different UTC days, far enough apart. */
export function isFinal(what: FinalByDays, observations: Observations | undefined): boolean {
  if (observations === undefined) return false;
  return at(observations.last) >= secondLookFrom(what, at(observations.first));
}
