/** Damaged and lost lines of month files: which months a run reads to find them, and which part of the list they held. */
import { lstatSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { at } from '../../api/time.ts';
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
 * Says that a month file has fewer cards than it had: whole lines are gone, and nothing tells which. A backup in its place would
 * take away what has come since.
 */
export function lackSentence(
  { path, cards }: Pick<MonthFile, 'path' | 'cards'>,
  missing: Pick<MissingCards, 'cards'>,
): string {
  const lack = `${path} lacks cards: it has ${cards.size} of ${cards.size + missing.cards}`;
  return `${lack}. Append a backup to it: a card that is there twice counts once.`;
}

/** Whether a month file has fewer cards than when the last run ended. */
export function lacksMoreThanBefore(
  { month, cards, damaged }: MonthFile,
  { months }: Pick<ExportManifest, 'months'>,
): boolean {
  return cards.size + countDamaged(damaged) < (months[month]?.cards ?? 0);
}

/**
 * How many cards a month file lacks now, and since when. If it has fewer than when the last run ended, the days are counted
 * from now on: the cards that went since then were seen to be missing only once.
 * @param now epoch milliseconds UTC
 * @returns undefined if it lacks none
 */
export function missingCards(
  file: MonthFile,
  manifest: Pick<ExportManifest, 'months'>,
  now: number,
): MissingCards | undefined {
  const counts = manifest.months[file.month];
  if (counts === undefined) return undefined;
  const missing = expectedCards(counts) - (file.cards.size + countDamaged(file.damaged));
  if (missing <= 0) return undefined;
  const seenBefore = lacksMoreThanBefore(file, manifest) ? undefined : counts.missing;
  return { ...observed(seenBefore, now), cards: missing };
}

/**
 * The part of the list that a month file which lost whole lines held: it is listed again. Cards that came after it was first
 * seen are not missing. Months before the last 180 days are not listed again: no figure reads them unless it is asked to, and
 * the user may have put the files away.
 * @param now epoch milliseconds UTC
 * @returns undefined if it is not listed again
 */
export function partOfLostLines(
  { month }: Pick<MonthFile, 'month'>,
  { first }: Pick<MissingCards, 'first'>,
  now: number,
): Span | undefined {
  if (month < monthOf(now - JUDGED_WINDOW)) return undefined;
  const { since, until } = partOfMonth(month);
  return { since, until: Math.min(until, at(first)) };
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
