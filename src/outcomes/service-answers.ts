import type { SignalStats } from '../api/contract/resources.ts';
import { DAY, HOUR } from '../runtime/units.ts';

export interface ServiceAnswer {
  /** Epoch milliseconds UTC; the window is the 30 days before. */
  readonly at: number;
  readonly type: string;
  readonly stats: SignalStats;
  /** Whether a card's outcome was bought and settled then; absent if nobody kept that. */
  readonly knew?: ((id: number) => boolean) | undefined;
}

/** Milliseconds; part 8 of the API document. */
export const STATS_WINDOW = 30 * DAY;

/** Outcomes of so long before an answer say how sure it is. Milliseconds. */
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
