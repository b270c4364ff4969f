import { DOCUMENTED, LIMITS, windowsOf } from '../../api/limits.ts';
import { DAY, MINUTE } from '../../runtime/units.ts';

/** Never more often: a card is news for minutes, every look costs a credit, and requests have their limits. */
export const SHORTEST = Math.max(MINUTE, ...windowsOf(DOCUMENTED).map(({ millis, allowance }) => millis / allowance));

interface Means {
  readonly remaining: number;
  /** Epoch milliseconds UTC. */
  readonly resetsAt: number;
  readonly now: number;
  /** Credits a day for the outcomes that the history buys. */
  readonly needed: number;
}

/** The part of the credits that a watch gets where the history needs them all. */
const LEAST_SHARE = 1 / 4;

/**
 * How often to look so that the credits left last until they reset, a day's 150 suffice, and the history keeps its share;
 * in whole minutes.
 * @returns milliseconds; undefined where no credit is left
 */
export function affordableInterval({ remaining, resetsAt, now, needed }: Means): number | undefined {
  if (remaining <= 0) return undefined;
  const perDay = Math.min(LIMITS.creditsPerDay, (remaining * DAY) / Math.max(1, resetsAt - now));
  const interval = Math.max(SHORTEST, DAY / Math.max(perDay - needed, perDay * LEAST_SHARE));
  return Math.ceil(interval / MINUTE) * MINUTE;
}

/** Credits a day of looking costs, where no look finds more than a page. */
export function creditsPerDay(interval: number): number {
  return Math.ceil(DAY / interval);
}
