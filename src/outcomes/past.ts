/** Looks at the past go forward, as for whoever looked then, because a word once given is kept. */
import { DAY, dayNumber } from '../runtime/units.ts';
import type { PlainVerdict } from '../statistics/types.ts';
import { type Estimate, judged, verdictAfter } from '../statistics/verdict.ts';

const WEEK = 7 * DAY;

const MOST_WEEKS = 26;

/** Cards that all looks together go through: 0.3 s at most. */
const MOST_CARDS = 600_000;

const FIRST_MONDAY = 4 * DAY;

/** Mondays, 00:00 UTC, and when the service was asked, oldest first. @param first the oldest card */
export function pastLooks(
  now: number,
  { first, cards, sittings = [] }: { first: number; cards: number; sittings?: readonly number[] | undefined },
): number[] {
  const weeks = Math.min(MOST_WEEKS, Math.floor(MOST_CARDS / Math.max(1, cards)));
  const monday = FIRST_MONDAY + Math.floor((now - FIRST_MONDAY) / WEEK) * WEEK;
  const oldest = Math.max(first, monday - (weeks - 1) * WEEK);
  const mondays = Array.from({ length: weeks }, (_, i) => monday - i * WEEK);
  const all = [...mondays, ...sittings].filter((time) => time >= oldest && time < now);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Times of the last of the answers that came within a day of each other. */
export function sittingsOf(times: readonly number[]): number[] {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const lasts: number[] = [];
  let begun = Number.NEGATIVE_INFINITY;
  for (const time of sorted) {
    if (time - begun <= DAY) lasts.pop();
    else begun = time;
    lasts.push(time);
  }
  return lasts;
}

/** @param horizon milliseconds after the trigger */
export function lastSettledDay(time: number, horizon: number): number {
  return dayNumber(time - horizon) - 1;
}

export interface Standing<Word = PlainVerdict> {
  readonly verdict: Word | null;
  /** Epoch milliseconds UTC. */
  readonly since: number;
}

/** Verdicts of each group, the present one last. @param estimatesAt of all groups at a time; undefined: now */
export function standings(
  looks: readonly number[],
  now: number,
  estimatesAt: (time: number | undefined) => readonly Estimate[],
  least: number,
): Standing[][] {
  const all: Standing[][] = [];
  for (const time of [...looks, undefined]) {
    for (const [i, one] of judged(estimatesAt(time), least).entries()) {
      const own = all[i] ?? [];
      all[i] = own;
      const before = own.at(-1)?.verdict;
      const verdict = verdictAfter(before, one);
      if (verdict !== before) own.push({ verdict, since: time ?? now });
    }
  }
  return all;
}

export function isSaid<One extends Standing<string>>(standing: One | undefined): standing is One {
  return /^(above|below|none)/.test(standing?.verdict ?? '');
}

export function changedSince<Word extends string>(standings: readonly Standing<Word>[], time: number) {
  const last = standings.at(-1);
  const before = standings.findLast(({ since }) => since <= time);
  if (last === undefined || last.verdict === before?.verdict || !(isSaid(last) || isSaid(before))) return undefined;
  return { before: before?.verdict ?? null, ...last };
}

/** Verdicts above and below in the last half-year: how many were given, and how many stand. */
export function recordOf(all: readonly (readonly Standing<string>[])[]): { given: number; standing: number } {
  const isClear = ({ verdict }: Standing<string>) => verdict !== null && /^(above|below)/.test(verdict);
  const given = all.flatMap((standings) => standings.filter(isClear));
  const standing = all.flatMap((standings) => standings.slice(-1).filter(isClear));
  return { given: given.length, standing: standing.length };
}
