import type { SignalStats } from '../api/contract/resources.ts';
import { DAY, HOUR } from '../base/units.ts';
import type { Row } from './row.ts';

export interface ServiceAnswer {
  /** Epoch milliseconds UTC; the window is the 30 days before. */
  readonly at: number;
  readonly type: string;
  readonly stats: SignalStats;
}

/** Milliseconds; part 8 of the API document. */
export const STATS_WINDOW = 30 * DAY;

/** Milliseconds before an answer: outcomes bought in that time tell its variance. */
export const KNOWN_WINDOW = 365 * DAY;

/** Overlap allowed, because a daily run never begins at the same second. */
const SAME = HOUR;

export function areApart(one: number, other: number): boolean {
  return Math.abs(one - other) >= STATS_WINDOW - SAME;
}

/** Answers of each type without overlapping windows: as many as there can be. @param answers oldest first */
export function inSuccession<Answer extends Pick<ServiceAnswer, 'at' | 'type'>>(
  answers: readonly Answer[],
): ReadonlyMap<string, readonly Answer[]> {
  const byType = new Map<string, Answer[]>();
  for (const answer of answers) {
    const chosen = byType.get(answer.type) ?? [];
    byType.set(answer.type, chosen);
    const last = chosen.at(-1);
    if (last === undefined || areApart(last.at, answer.at)) chosen.push(answer);
  }
  return byType;
}

/** Milliseconds between answers of one chain: a sitting may be a day early. */
const CHAINED = STATS_WINDOW - DAY;

/** The newest answer and, going back, each that is a window older than the last one taken. @returns oldest first */
export function chainOf<Answer extends Pick<ServiceAnswer, 'at'>>(
  answers: readonly Answer[],
): readonly Answer[] {
  const chain: Answer[] = [];
  for (const answer of answers.toSorted((one, other) => other.at - one.at)) {
    const oldest = chain[0];
    if (oldest === undefined || oldest.at - answer.at >= CHAINED) chain.unshift(answer);
  }
  return chain;
}

/** Answers whose window lies within a period. @param period epoch milliseconds UTC, both inclusive */
export function answersWithin(
  answers: readonly ServiceAnswer[],
  { since, until }: { since: number; until: number },
) {
  return answers.filter(({ at }) => at <= until && at - STATS_WINDOW >= since);
}

/** Outcomes due in the last 30 days of which a type's medians are asked. */
export const LEAST_OUTCOMES = 8;

/** How late a daily export may be. */
const PATIENCE = 2 * DAY;

/** By type, epoch milliseconds UTC: an answer between two of 30 days apart moves no sitting. @param answers oldest first */
export function lastSittings(
  answers: readonly ServiceAnswer[],
  now: number,
): ReadonlyMap<string, number> {
  // The clock may have been ahead when an answer was kept.
  const known = answers.filter(({ at }) => at <= now + DAY);
  return new Map(
    [...inSuccession(known)].flatMap(([type, all]) =>
      all.slice(-1).map(({ at }) => [type, Math.min(now, at)] as const),
    ),
  );
}

/**
 * When daily exports ask for a type's medians. In a sitting an export asks for those of all types whose turn it is, one
 * after the other; what it asks for again within four days belongs to the same sitting.
 */
export interface Sittings {
  /** Epoch milliseconds UTC. */
  readonly next: number;
  /** Days from one to the next. */
  readonly everyDays: number;
}

/**
 * When daily exports ask for a type's medians, where no export has planned it; undefined if they do not, as far as is known.
 * @param cards of all types, oldest first @param last the last sitting of the type @param run when the last export ran
 */
export function nextSitting(
  type: string,
  cards: readonly Row[],
  { last, now, run }: { last: number | undefined; now: number; run: number },
): Sittings | undefined {
  const recent = cards.filter((card) => card.type === type && card.at > now - STATS_WINDOW);
  if (recent.length < LEAST_OUTCOMES) return undefined;
  const begun = (cards[0]?.at ?? now) - DAY + STATS_WINDOW;
  // The first daily run from then on asks.
  const first = run + Math.ceil((begun - run) / DAY) * DAY;
  const next = last === undefined ? first : last + STATS_WINDOW;
  return sittingsFromNow({ next, everyDays: STATS_WINDOW / DAY }, now);
}

/**
 * The sittings that the last export planned, from `now` on.
 * @returns undefined if it planned none, or no export has run since the next was due
 */
export function sittingsFromNow(planned: Sittings | undefined, now: number): Sittings | undefined {
  if (planned === undefined || planned.next + PATIENCE < now) return undefined;
  return { ...planned, next: Math.max(now, planned.next) };
}

/** The first sitting from a moment on. @returns epoch milliseconds UTC */
export function sittingFrom({ next, everyDays }: Sittings, moment: number): number {
  const between = everyDays * DAY;
  return next + Math.max(0, Math.ceil((moment - next - SAME) / between)) * between;
}
