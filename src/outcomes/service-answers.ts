/** Answers of `/signal-stats`: what the service says of a screener type over 30 days. */
import type { SignalStats } from '../api/contract/resources.ts';
import { DAY, HOUR } from '../runtime/units.ts';

/** One answer of `/signal-stats?screener_type=TYPE`. */
export interface ServiceAnswer {
  /** When it was asked for, epoch milliseconds UTC: its window are the 30 days before. */
  readonly at: number;
  readonly type: string;
  readonly stats: SignalStats;
}

/** The window of `/signal-stats` (part 8 of the API document), milliseconds. */
export const STATS_WINDOW = 30 * DAY;

/** A daily run does not begin at the same second every day: so much of two windows may be the same. */
const SAME = HOUR;

/** Whether the windows of two answers follow each other without overlap; epoch milliseconds UTC. */
export function areApart(one: number, other: number): boolean {
  return Math.abs(one - other) >= STATS_WINDOW - SAME;
}

/**
 * The answers of each type whose windows follow each other without overlap: as many as there can be, and the same ones
 * whatever is asked for later.
 * @param answers oldest first
 * @returns by type, oldest first
 */
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
