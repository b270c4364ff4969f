/**
 * Since when a verdict stands. Outcomes are bought in a fixed order, so the past can be asked: the same question of what
 * was known then. Words go forward through these looks, as they did for whoever looked, because a word once given is kept.
 */
import { DAY, dayNumber } from '../runtime/units.ts';
import type { PlainVerdict } from './types.ts';
import { type Estimate, judged, verdictAfter } from './verdict.ts';

const WEEK = 7 * DAY;

/** Half a year. */
const MOST_WEEKS = 26;

/** Cards that all looks together may go through, so that they take 0.3 s at most. */
const MOST_CARDS = 600_000;

/** 1970-01-05 was a Monday. */
const FIRST_MONDAY = 4 * DAY;

/**
 * When the question is asked of the past, oldest first: Mondays, 00:00 UTC, and the times when the service was asked.
 * @param now epoch milliseconds UTC
 * @param first the oldest card
 * @param cards how many there are
 * @param sittings when answers of the service came, epoch milliseconds UTC
 */
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

/** The last of answers that came within a day of each other. @param times in any order */
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

/** The last UTC day of which all outcomes had settled. @param horizon milliseconds after the trigger */
export function lastSettledDay(time: number, horizon: number): number {
  return dayNumber(time - horizon) - 1;
}

/** A time through which a group had the same verdict. */
export interface Standing<Word = PlainVerdict> {
  readonly verdict: Word | null;
  /** The first look with it, epoch milliseconds UTC. */
  readonly since: number;
}

/**
 * By group: its verdicts one after the other, the present one last.
 * @param looks as `pastLooks` gives them
 * @param estimatesAt of all groups, of what was known at a time; undefined: of all there is
 */
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

/** Whether a verdict says something: then it has a date. */
export function isSaid(verdict: string | null): boolean {
  return verdict !== null && /^(above|below|none)/.test(verdict);
}

/** What a group's verdict was at a time and is now, if it changed since and either says something. */
export function changedSince<Word extends string>(standings: readonly Standing<Word>[], time: number) {
  const last = standings.at(-1);
  const before = standings.findLast(({ since }) => since <= time)?.verdict ?? null;
  if (last === undefined || last.verdict === before || !(isSaid(last.verdict) || isSaid(before))) return undefined;
  return { before, verdict: last.verdict, since: last.since };
}

/** Of the verdicts above and below that were given in the last half-year, how many there were and still stand. */
export function recordOf(all: readonly (readonly Standing<string>[])[]): { given: number; standing: number } {
  const isClear = ({ verdict }: Standing<string>) => verdict !== null && /^(above|below)/.test(verdict);
  const given = all.flatMap((standings) => standings.filter(isClear));
  const standing = all.flatMap((standings) => standings.slice(-1).filter(isClear));
  return { given: given.length, standing: standing.length };
}
