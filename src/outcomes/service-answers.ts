/**
 * The service's medians through time: which answers of `/signal-stats` may count beside each other, and when exports ask
 * for the next ones.
 */
import type { SignalStats } from '../api/contract/resources.ts';
import { DAY, HOUR } from '../base/units.ts';
import type { Row } from './row.ts';

/** An answer of `/signal-stats` about one type. */
export interface ServiceAnswer {
  /** Epoch milliseconds UTC; the window is the 30 days before. */
  readonly at: number;
  readonly type: string;
  readonly stats: SignalStats;
}

/** The time that an answer is about, milliseconds: 30 days, by part 8 of the API document. */
export const STATS_WINDOW = 30 * DAY;

/**
 * Milliseconds. The error of the service's medians is estimated from the bought outcomes of this time before the newest one.
 */
export const VARIANCE_WINDOW = 365 * DAY;

/**
 * If at least this share of the due outcomes is bought, the service's medians tell nothing more: verdicts are then made from
 * the bought outcomes, and exports do not ask for medians. A fraction.
 */
export const NEARLY_ALL = 0.9;

/** Milliseconds by which a daily run may be early: it never begins at the same second of the day. */
export const RUN_MAY_BE_EARLY = HOUR;

/** Whether the windows of two answers overlap by an hour at most (`RUN_MAY_BE_EARLY`). */
export function areApart(atOfOne: number, atOfOther: number): boolean {
  return Math.abs(atOfOne - atOfOther) >= STATS_WINDOW - RUN_MAY_BE_EARLY;
}

/**
 * The answers of each type whose windows do not overlap: the oldest, then the first that is apart from it, and so on. Of
 * answers on the days 0, 10, 30 and 65 the second is left out.
 * @param answers oldest first
 */
export function withoutOverlap<Answer extends Pick<ServiceAnswer, 'at' | 'type'>>(
  answers: readonly Answer[],
): ReadonlyMap<string, readonly Answer[]> {
  const byType = new Map<string, Answer[]>();
  for (const answer of answers) {
    const ofType = byType.get(answer.type);
    const newest = ofType?.at(-1);
    if (ofType === undefined || newest === undefined) byType.set(answer.type, [answer]);
    else if (areApart(newest.at, answer.at)) ofType.push(answer);
  }
  return byType;
}

/** The least milliseconds between neighbouring answers of a chain: a window, minus a day by which an export may be early. */
const CHAIN_STEP = STATS_WINDOW - DAY;

/**
 * The newest answer and, going back, each that is at least 29 days (`CHAIN_STEP`) older than the last one taken: of answers on
 * the days 0, 10, 36 and 65 those of the days 65, 36 and 0.
 * @param answers the answers about one type, in any order
 * @returns oldest first
 */
export function chainOf<Answer extends Pick<ServiceAnswer, 'at'>>(
  answers: readonly Answer[],
): readonly Answer[] {
  const chain: Answer[] = [];
  for (const answer of answers.toSorted((one, other) => other.at - one.at)) {
    const oldest = chain[0];
    if (oldest === undefined || oldest.at - answer.at >= CHAIN_STEP) chain.unshift(answer);
  }
  return chain;
}

/**
 * The answers whose windows lie wholly within a time.
 * @param time from `since` to `until`, epoch milliseconds UTC, both inclusive
 */
export function answersWithin(
  answers: readonly ServiceAnswer[],
  { since, until }: { readonly since: number; readonly until: number },
): ServiceAnswer[] {
  return answers.filter(({ at }) => at <= until && at - STATS_WINDOW >= since);
}

/** Exports ask for a type's medians if at least so many of its outcomes came due in the last 30 days. */
export const LEAST_FOR_MEDIANS = 8;

/** Milliseconds. A sitting that is overdue by more is no longer expected: exports seem to have stopped. */
const LONGEST_DELAY = 2 * DAY;

/**
 * When each type was last asked about at a sitting, epoch milliseconds UTC. Sittings of a type are 30 days apart. An answer
 * that comes in between, which a user bought, does not move them.
 * @param answers oldest first
 */
export function lastSittings(
  answers: readonly ServiceAnswer[],
  now: number,
): ReadonlyMap<string, number> {
  // The clock may have been ahead when an answer was kept: by up to a day it counts as now, by more it does not count.
  const upToTomorrow = answers.filter(({ at }) => at <= now + DAY);
  const sittings = new Map<string, number>();
  for (const [type, answersOfType] of withoutOverlap(upToTomorrow)) {
    const newest = answersOfType.at(-1);
    if (newest !== undefined) sittings.set(type, Math.min(now, newest.at));
  }
  return sittings;
}

/**
 * When exports ask for the medians of one type. A sitting is a run in which an export asks for the medians of all types
 * whose turn it is. If an answer does not fit, the export asks again within four days: that belongs to the same sitting.
 */
export interface Sittings {
  /** The next sitting, epoch milliseconds UTC. */
  readonly next: number;
  /** Days from one sitting to the next. */
  readonly everyDays: number;
}

/** The times from which the next sitting of a type is foreseen, epoch milliseconds UTC. */
interface SittingTimes {
  /** The last sitting of the type; undefined if there was none. */
  readonly last: number | undefined;
  readonly now: number;
  /** When the last export ran. */
  readonly lastRunAt: number;
}

/**
 * When daily exports will ask for a type's medians, foreseen for a history whose exports have not planned it.
 * @param cards the cards of all types, oldest first
 * @returns undefined if the type has too few cards in the last 30 days, or if no export has run since it was due
 */
export function nextSitting(
  type: string,
  cards: readonly Row[],
  { last, now, lastRunAt }: SittingTimes,
): Sittings | undefined {
  const recent = cards.filter((card) => card.type === type && card.at > now - STATS_WINDOW);
  if (recent.length < LEAST_FOR_MEDIANS) return undefined;
  // The first window is taken to begin a day before the first card.
  const firstWindowEnds = (cards[0]?.at ?? now) - DAY + STATS_WINDOW;
  // Runs come daily, at the hour of the last one. The first run after the end of that window asks.
  const daysOfRuns = Math.ceil((firstWindowEnds - lastRunAt) / DAY);
  const first = lastRunAt + daysOfRuns * DAY;
  const next = last === undefined ? first : last + STATS_WINDOW;
  return sittingsFromNow({ next, everyDays: STATS_WINDOW / DAY }, now);
}

/**
 * The sittings that the last export planned, from `now` on: one that is overdue is expected now.
 * @returns undefined if none is planned, or if the next one has been overdue for more than `LONGEST_DELAY`
 */
export function sittingsFromNow(planned: Sittings | undefined, now: number): Sittings | undefined {
  if (planned === undefined || planned.next + LONGEST_DELAY < now) return undefined;
  return { ...planned, next: Math.max(now, planned.next) };
}

/** The first sitting from a moment on, or up to `RUN_MAY_BE_EARLY` before it. @returns epoch milliseconds UTC */
export function sittingFrom({ next, everyDays }: Sittings, moment: number): number {
  const interval = everyDays * DAY;
  const intervals = Math.ceil((moment - next - RUN_MAY_BE_EARLY) / interval);
  return next + Math.max(0, intervals) * interval;
}
