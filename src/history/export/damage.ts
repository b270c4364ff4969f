/** Damaged and lost lines of month files: which months a run reads to find them, and which part of the list they held. */
import { lstatSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DAY, HOUR, utcDay } from '../../base/units.ts';
import { JUDGED_WINDOW } from '../../outcomes/question.ts';
import { observed } from '../store/final.ts';
import { MANIFEST_FILE, monthOf, monthPath, startOfMonth } from '../store/layout.ts';
import { type ExportManifest, expectedCards, type MissingCards } from '../store/manifest.ts';
import { countDamaged, type DamagedLines, type MonthFile, type Months } from '../store/months.ts';
import type { Span } from './spans.ts';

/** What is needed of a history to find its damaged months. */
interface StoredHistory {
  readonly directory: string;
  readonly manifest: Pick<ExportManifest, 'months' | 'judged_at'>;
  readonly months: Months;
}

/**
 * Reads the months that changed since the last run, and those that lacked cards then. A run that judges reads those of the
 * last 180 days in any case, so they are read, too. To read all months of several years would take seconds.
 * @param now epoch milliseconds UTC
 * @throws ScreenerError storage
 */
export async function openMonthsToMend(
  { directory, manifest, months }: StoredHistory,
  now: number,
): Promise<void> {
  const lastRun = statusTime(join(directory, MANIFEST_FILE));
  const isJudgedToday = manifest.judged_at?.startsWith(utcDay(now)) ?? false;
  const firstJudged = monthOf(now - JUDGED_WINDOW);
  for (const [month, { missing }] of Object.entries(manifest.months)) {
    const isChanged = statusTime(monthPath(directory, month)) >= lastRun;
    const isToJudge = !isJudgedToday && month >= firstJudged;
    if (isChanged || isToJudge || missing !== undefined) await months.open(month);
  }
}

/**
 * When a file was last changed in any way. A file from a backup keeps its time of modification, but not this one. A file that
 * is gone counts as changed just now.
 */
function statusTime(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.POSITIVE_INFINITY;
}

/**
 * Gives a month file the status time of now, so that the next run reads it. A bad sector damages lines but changes no time.
 * @returns false if the system refuses it
 */
export function markAsChanged({ path }: Pick<MonthFile, 'path'>): boolean {
  try {
    const { atime, mtime } = statSync(path);
    utimesSync(path, atime, mtime);
    return true;
  } catch {
    return false;
  }
}

/**
 * Says that a month file has fewer cards than at the last export: whole lines are gone, and nothing tells which. A backup in its
 * place would take away what has come since.
 * @returns undefined if it lacks none
 */
export function lostLinesSentence(
  { path, month, cards, damaged }: MonthFile,
  { months }: Pick<ExportManifest, 'months'>,
): string | undefined {
  const before = expectedCards(months[month]);
  if (cards.size + countDamaged(damaged) >= before) return undefined;
  const lack = `${path} lacks cards: it has ${cards.size} of ${before}`;
  return `${lack}. Append a backup to it: a card that is there twice counts once.`;
}

/**
 * How many cards a month file lacks now, and since when. If it has fewer than when the last run ended, the days are counted
 * from now on: the cards that went since then were seen to be missing only once.
 * @param now epoch milliseconds UTC
 * @returns undefined if it lacks none
 */
export function missingCards(
  { month, cards, damaged }: MonthFile,
  { months }: Pick<ExportManifest, 'months'>,
  now: number,
): MissingCards | undefined {
  const counts = months[month];
  if (counts === undefined) return undefined;
  const present = cards.size + countDamaged(damaged);
  const missing = expectedCards(counts) - present;
  if (missing <= 0) return undefined;
  const seenBefore = present < counts.cards ? undefined : counts.missing;
  return { ...observed(seenBefore, now), cards: missing };
}

/**
 * The part of the list that a month file which lost whole lines held: it is listed again. Months before the last 180 days are
 * not: no figure reads them unless it is asked to, and the user may have put the files away.
 * @param now epoch milliseconds UTC
 * @returns undefined if it is not listed again
 */
export function partOfLostLines(
  { month }: Pick<MonthFile, 'month'>,
  now: number,
): Span | undefined {
  if (month < monthOf(now - JUDGED_WINDOW)) return undefined;
  return partOfMonth(month);
}

/** A UTC month as a part of the list. @param month `2026-11` */
export function partOfMonth(month: string): Span {
  const since = startOfMonth(month);
  // A day of the next month, whichever month it is.
  const until = startOfMonth(monthOf(since + 32 * DAY));
  return { since, until };
}

/** The parts of the list in which the cards of the damaged lines are. */
export function hoursOfDamage({ month, damaged }: MonthFile): Span[] {
  return damaged.map((lines) => hoursOf(month, lines));
}

/** From the card before the lines to the card after them, within their month. Whole hours, so that many lines share a page. */
function hoursOf(month: string, lines: DamagedLines): Span {
  const start = startOfMonth(month);
  const since = Math.max(lines.since, start);
  const until = Math.min(lines.until, start + 31 * DAY);
  return { since: Math.floor(since / HOUR) * HOUR, until: Math.ceil(until / HOUR) * HOUR };
}
