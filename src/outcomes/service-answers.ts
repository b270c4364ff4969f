/**
 * The service's medians through time: which answers of `/signal-stats` may count beside each other, and when exports ask
 * for the next answers. A sitting is the few days in which exports ask for the medians of all types whose turn it is.
 */
import type { SignalStats } from '../api/contract/resources.ts';
import { DAY, HOUR } from '../base/units.ts';
import type { HistoryCard } from './history-card.ts';

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
 * Milliseconds. The error of the service's medians is estimated from the bought outcomes of the last year, counted back from the
 * newest.
 */
export const VARIANCE_WINDOW = 365 * DAY;

/**
 * The length of a sitting, milliseconds: answers that are at most this far apart are of one sitting. Two of them may be about one
 * type: the second was asked for because the first did not fit the cards of the list.
 */
export const SITTING = 4 * DAY;

/**
 * If at least this share of the due outcomes is bought, the service's medians add nothing: verdicts are then made from
 * the bought outcomes, and exports do not ask for medians. A fraction.
 */
export const NEARLY_ALL = 0.9;

/** Milliseconds by which a daily run may be early: cron begins it some seconds or minutes earlier than the day before. */
export const RUN_MAY_BE_EARLY = HOUR;

/**
 * Whether two answers are so far apart that their windows do not overlap. An hour is allowed: a run may be early by as much.
 * @param atOfOne epoch milliseconds UTC, like `atOfOther`
 */
export function areApart(atOfOne: number, atOfOther: number): boolean {
  return Math.abs(atOfOne - atOfOther) >= STATS_WINDOW - RUN_MAY_BE_EARLY;
}

/**
 * The answers of each type whose windows do not overlap, or by an hour at most: the oldest, then the first that is apart from
 * it, and so on. With answers on the days 0, 10, 30 and 65, the second is left out.
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

/**
 * The least milliseconds between neighbouring answers of a chain. A day less than a window: if a user asks some hours early, the
 * earlier answer stays in the chain.
 */
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

/** Exports ask for a type's medians if the outcomes of at least 8 of its cards of the last 30 days are due. */
export const LEAST_FOR_MEDIANS = 8;

/**
 * Milliseconds. The first sitting comes when the listed cards go back 15 days: medians of fewer cards show fewer differences
 * between types.
 */
export const CARDS_BEFORE_MEDIANS = 15 * DAY;

/** Milliseconds. A sitting that is overdue by more is no longer expected: exports seem to have stopped. */
const LONGEST_DELAY = 2 * DAY;

/**
 * When each type was last asked about at a sitting, epoch milliseconds UTC. Sittings of a type are 30 days apart. If a user
 * buys an answer in between, the sittings stay where they are.
 * @param answers oldest first
 */
export function lastSittings(
  answers: readonly ServiceAnswer[],
  now: number,
): ReadonlyMap<string, number> {
  // The clock may have been ahead when an answer was kept. An answer of up to a day ahead is taken for one of now. An answer of
  // more than a day ahead does not count.
  const upToTomorrow = answers.filter(({ at }) => at <= now + DAY);
  const sittings = new Map<string, number>();
  for (const [type, answersOfType] of withoutOverlap(upToTomorrow)) {
    const newest = answersOfType.at(-1);
    if (newest !== undefined) sittings.set(type, Math.min(now, newest.at));
  }
  return sittings;
}

/**
 * When exports ask for the medians of one type. If an answer does not fit the cards of the list, exports ask again within four
 * days, which belongs to the same sitting.
 */
export interface Sittings {
  /** The next sitting, epoch milliseconds UTC. */
  readonly next: number;
  /** Days from one sitting to the next. */
  readonly everyDays: number;
}

/** When exports asked for medians, and when they plan to. Times are epoch milliseconds UTC. */
interface SittingsEvidence {
  /** When the service was last asked about each type at a sitting. */
  readonly lastAsked: ReadonlyMap<string, number>;
  /** When exports will ask about each type, as the last export planned; undefined for a type about which they do not ask. */
  readonly planned?: ReadonlyMap<string, Sittings | undefined> | undefined;
  readonly now: number;
  /** The end of the history. */
  readonly until: number;
}

/**
 * When exports ask for the medians of a type: as the last export planned, otherwise as can be foreseen.
 * @param cards the cards of all types, oldest first
 * @returns undefined if they do not ask
 */
export function sittingsOf(
  type: string,
  cards: readonly HistoryCard[],
  { lastAsked, planned, now, until }: SittingsEvidence,
): Sittings | undefined {
  if (planned?.has(type)) return expectedSittings(planned.get(type), now);
  // The history ends with the last run.
  return nextSitting(type, cards, { last: lastAsked.get(type), now, lastRunAt: until });
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
 * When daily exports will ask for a type's medians. It is foreseen for a type that the last export has not planned.
 * @param cards the cards of all types, oldest first
 * @returns undefined if the type has too few cards in the last 30 days, or if both the sitting and the last run are more than
 *   two days ago (`LONGEST_DELAY`)
 */
export function nextSitting(
  type: string,
  cards: readonly HistoryCard[],
  { last, now, lastRunAt }: SittingTimes,
): Sittings | undefined {
  // Cards whose outcome is not due yet are counted, too: most of them will be due by the sitting.
  const recent = cards.filter((card) => card.type === type && card.at > now - STATS_WINDOW);
  if (recent.length < LEAST_FOR_MEDIANS) return undefined;
  const firstCardAt = cards[0]?.at ?? now;
  const turn = last === undefined ? firstSitting(firstCardAt, lastRunAt) : last + STATS_WINDOW;
  // If the turn is over, the last run had too few due outcomes to ask. It counts as the due time: `expectedSittings` moves it to now.
  const next = Math.max(turn, lastRunAt);
  return expectedSittings({ next, everyDays: STATS_WINDOW / DAY }, now);
}

/**
 * The first run at which the cards go back 15 days (`CARDS_BEFORE_MEDIANS`). Runs are taken to come daily, at the hour of the
 * last one. If the first card came on 3 May at 6:00, and the last run on 5 May at 8:00, this is the run of 18 May at 8:00.
 */
function firstSitting(firstCardAt: number, lastRunAt: number): number {
  const enoughCardsAt = firstCardAt + CARDS_BEFORE_MEDIANS;
  const daysOfRuns = Math.ceil((enoughCardsAt - lastRunAt) / DAY);
  return lastRunAt + daysOfRuns * DAY;
}

/**
 * The planned sittings, as they are expected from now on: one that is overdue by up to two days is expected now.
 * @returns undefined if none is planned, or if the next one is overdue by more (`LONGEST_DELAY`)
 */
export function expectedSittings(planned: Sittings | undefined, now: number): Sittings | undefined {
  if (planned === undefined || planned.next + LONGEST_DELAY < now) return undefined;
  return { ...planned, next: Math.max(now, planned.next) };
}

/**
 * The first sitting that comes after a moment, or at most an hour before it: a run may be so early.
 * @returns epoch milliseconds UTC. With sittings every 15 days and the next on 1 June, the first since 10 June is on 16 June.
 */
export function firstSittingSince({ next, everyDays }: Sittings, moment: number): number {
  const interval = everyDays * DAY;
  const intervals = Math.ceil((moment - next - RUN_MAY_BE_EARLY) / interval);
  return next + Math.max(0, intervals) * interval;
}
