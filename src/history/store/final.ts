/**
 * What an export cannot take back. One answer is no proof of it: if it were, a service that is broken for five seconds would keep a
 * history from ever reaching further back. These need two observations on different UTC days, hours apart, and until then exports
 * ask again:
 * - the list begins here: asked for older cards than all listed ones, the service answers 422; or it answers with a window that
 *   begins later than the one asked for; or it has no card for 89 days;
 * - lost cards are no longer listed: the service answers so to a request for a part that it once listed;
 * - a card is gone: the service answers 404 for it, and has the details of others;
 * - cards are lost: a month file lacks cards that it had;
 * - medians do not fit: an answer is stale, or counts other cards than the list has;
 * - a verdict is withdrawn: a judgement no longer gives a verdict that the notebook has;
 * - a doubt about a verdict begins, or ends: a judgement says so;
 * - a change of settings helped, or hurt: a judgement says so.
 *
 * The days are those of the service. This machine's clock may be days ahead, and would make one moment look like two days. So a
 * run that has not heard the service's time observes nothing (`heardTime` in `history/export/heard-time.ts`). Medians are the
 * exception: the times of their answers count in every run. A wrong time does no harm, because exports ask for the medians of each
 * type again and again.
 *
 * That an outcome is settled is final after one answer, because to ask on a second day would cost another credit for each card.
 */
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { HOUR, nextDay } from '../../base/units.ts';
import type { Measured } from '../../outcomes/history-card.ts';

/**
 * How far apart the two observations have to be, milliseconds. 23:30 and 00:30 are on two UTC days, but a service may be broken at
 * both times. Less than a day is required, so that two runs of a daily cron count, even if summer time begins between them.
 */
const LEAST_APART = 20 * HOUR;

/** The states of the API document after which no other is expected. */
const SETTLED_STATES: ReadonlySet<unknown> = new Set(['available', 'missing']);

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

/**
 * The observations with one more, which is made now.
 * @param before undefined if this is the first observation
 * @param heard the service's time, epoch milliseconds UTC. A run that has not heard it makes no observation.
 */
export function withObservation(before: Observations | undefined, heard: number): Observations {
  const first = firstObserved(before?.first, heard);
  return { first: formatApiTime(first), last: formatApiTime(heard) };
}

/**
 * When something was first observed that is observed again now. If the first time is later than now, it was wrong, and this
 * observation counts as the first.
 * @param first API time; undefined if it was not observed before
 * @param heard the service's time, epoch milliseconds UTC
 * @returns epoch milliseconds UTC
 */
export function firstObserved(first: string | undefined, heard: number): number {
  return first === undefined ? heard : Math.min(heard, at(first));
}

/**
 * The time from which one more observation makes something final: it is on another UTC day than the first observation, and long
 * enough after it. Before that time there is no need to ask again.
 * @param first when it was first observed, epoch milliseconds UTC
 */
export function secondObservationFrom(first: number): number {
  return Math.max(nextDay(first), first + LEAST_APART);
}

/** Whether something was observed on two different UTC days, far enough apart. */
export function isFinal(observations: Observations | undefined): boolean {
  if (observations === undefined) return false;
  return at(observations.last) >= secondObservationFrom(at(observations.first));
}
