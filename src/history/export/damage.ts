/** Damaged and lost lines of month files: which months a run reads to find them, and which part of the list they held. */
import { lstatSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { at } from '../../api/time.ts';
import { DAY, HOUR, utcDay } from '../../base/units.ts';
import { JUDGED_WINDOW } from '../../outcomes/question.ts';
import { MANIFEST_FILE, monthOf, monthPath, startOfMonth } from '../store/layout.ts';
import {
  type ExportManifest,
  expectedCards,
  type MissingCards,
  type MonthWithMissing,
  monthsWithMissing,
} from '../store/manifest.ts';
import { countDamaged, type DamagedLines, type MonthFile, type Months } from '../store/months.ts';
import { type Part, partsOf, partsSince, unanswered } from './spans.ts';
import { isSurveyed } from './surveyed-months.ts';

/** What shows which months may be damaged. */
interface StoredHistory {
  readonly directory: string;
  readonly manifest: Pick<ExportManifest, 'months' | 'judged_at'>;
  readonly months: Months;
}

/**
 * Reads the months that may be damaged:
 * - those that changed since the last run, and those that lacked cards then;
 * - those that the run reads in any case, because it surveys them;
 * - if the cards are still to be judged today, those of the last 180 days: the judge needs them in any case.
 *
 * It does not read all months, because several years of them would take seconds.
 * @param now epoch milliseconds UTC
 * @throws ScreenerError storage
 */
export async function openSuspectMonths(
  { directory, manifest, months }: StoredHistory,
  now: number,
): Promise<void> {
  const lastRun = changeTime(join(directory, MANIFEST_FILE));
  const wasJudgedToday = manifest.judged_at?.startsWith(utcDay(now)) ?? false;
  const firstJudged = firstJudgedMonth(now);
  for (const [month, counts] of Object.entries(manifest.months)) {
    // A file that was written in the same tick of the disk's clock counts as changed.
    const isChanged = changeTime(monthPath(directory, month)) >= lastRun;
    const lackedCards = counts.missing !== undefined;
    const isToJudge = !wasJudgedToday && month >= firstJudged;
    if (isChanged || lackedCards || isToJudge || isSurveyed(month, counts, now))
      await months.open(month);
  }
}

/** `2026-06`: the oldest month with cards that are judged. */
export function firstJudgedMonth(now: number): string {
  return monthOf(now - JUDGED_WINDOW);
}

/**
 * The months that are judged, and whose files lack cards. While there is such a month, nothing is judged: no verdict may be
 * withdrawn only because its cards are missing.
 */
export function judgedMonthsWithMissing(
  manifest: Pick<ExportManifest, 'months'>,
  now: number,
): readonly MonthWithMissing[] {
  const firstMonth = firstJudgedMonth(now);
  return monthsWithMissing(manifest).filter(({ month }) => month >= firstMonth);
}

/**
 * When a file was last changed in any way (ctime), epoch milliseconds. A file from a backup may have an old time of modification,
 * but its ctime is new. A file that is gone counts as changed just now: Infinity.
 */
function changeTime(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.POSITIVE_INFINITY;
}

/**
 * Makes a month file count as changed, so that the next run reads it. A bad sector damages lines, but changes no time of the
 * file.
 * @returns false if the system refuses it
 */
export function markAsChanged({ path }: Pick<MonthFile, 'path'>): boolean {
  try {
    // Both times are set to the values that they have. Setting them makes the ctime new.
    const { atime, mtime } = statSync(path);
    utimesSync(path, atime, mtime);
    return true;
  } catch {
    return false;
  }
}

/**
 * Says that a month file has fewer cards than it had: whole lines are gone, and it is not known which. The user is to append a
 * backup, not to put it in the file's place: newer cards would be lost.
 */
export function lackSentence(
  { path, cards: present }: Pick<MonthFile, 'path' | 'cards'>,
  missing: Pick<MissingCards, 'cards'>,
): string {
  const lack = `${path} lacks cards: it has ${present.size} of ${present.size + missing.cards}`;
  return `${lack}. Append a backup to it: a card that is there twice counts once.`;
}

/**
 * Whether lost cards of the last 180 days are still to be listed again. Until then nothing is judged.
 * @param since older cards do not count, epoch milliseconds UTC
 * @param now epoch milliseconds UTC
 */
export function hasLostCardsToList(
  manifest: Pick<ExportManifest, 'lost' | 'spans' | 'gaps' | 'begins_at'>,
  since: number,
  now: number,
): boolean {
  const from = Math.max(since, now - JUDGED_WINDOW);
  const notListed = partsOf(unanswered(manifest.lost, manifest));
  return partsSince(notListed, from).length > 0;
}

/**
 * How many cards a month file lacks now, and when runs first saw it. If the file has fewer cards than when the last run ended, that
 * is a new loss, which no run has seen before.
 * @returns undefined if it lacks none
 */
export function missingCards(
  file: MonthFile,
  manifest: Pick<ExportManifest, 'months'>,
): MissingCards | undefined {
  const counts = manifest.months[file.month];
  if (counts === undefined) return undefined;
  // The file was cut off in its last line. `lossesOfDamage` lists again all that comes after its last whole card.
  if (file.damaged.at(-1)?.until === Number.POSITIVE_INFINITY) return undefined;
  const cardsNow = file.cards.size + countDamaged(file.damaged);
  const cards = expectedCards(counts) - cardsNow;
  if (cards <= 0) return undefined;
  const isNewLoss = cardsNow < counts.cards;
  // A new loss has no `first` yet: `markLostMonthsUnread` sets it in a run that has heard the service's time.
  return isNewLoss ? { cards } : { ...counts.missing, cards };
}

/**
 * The part of the list that is read again for a month file that lost whole lines: its month, up to the time at which the loss was
 * first seen. Later cards are not missing. A month before the last 180 days is not read again: figures need it only if the user
 * asks for it, and the user may have put the file away.
 * @param now epoch milliseconds UTC
 * @returns undefined if nothing is read again
 */
export function partOfLostLines(
  { month }: Pick<MonthFile, 'month'>,
  { first }: Pick<MissingCards, 'first'>,
  now: number,
): Part | undefined {
  if (month < firstJudgedMonth(now)) return undefined;
  const { since, until } = partOfMonth(month);
  const firstSeen = first === undefined ? now : at(first);
  return { since, until: Math.min(until, firstSeen) };
}

/** A UTC month as a part of the list. @param month `2026-11` */
export function partOfMonth(month: string): Part {
  const since = startOfMonth(month);
  // 32 days after a month began, it is over, and the next month is not.
  const until = startOfMonth(monthOf(since + 32 * DAY));
  return { since, until };
}

/** A part of the list whose cards a month file has lost. */
export interface Loss extends Part {
  /** How many it has lost. */
  readonly cards: number;
}

/** The parts of the list that have the cards of the damaged lines. A line counts as a card. The parts do not overlap. */
export function lossesOfDamage({ month, damaged }: Pick<MonthFile, 'month' | 'damaged'>): Loss[] {
  const losses = damaged.map((lines) => ({ ...hoursOf(month, lines), cards: lines.texts.length }));
  const oldestFirst = losses.toSorted((a, b) => a.since - b.since);
  const apart: Loss[] = [];
  for (const loss of oldestFirst) {
    const previous = apart.at(-1);
    if (previous === undefined || previous.until <= loss.since) apart.push(loss);
    else apart[apart.length - 1] = joinedLoss(previous, loss);
  }
  return apart;
}

function joinedLoss(first: Loss, second: Loss): Loss {
  return {
    since: Math.min(first.since, second.since),
    until: Math.max(first.until, second.until),
    cards: first.cards + second.cards,
  };
}

/**
 * The time from the card before the lines to the card after them, within their month. It is rounded to whole hours, because one
 * page of the list has many cards, and a shorter part costs as much.
 */
function hoursOf(month: string, lines: DamagedLines): Part {
  const wholeMonth = partOfMonth(month);
  const since = Math.max(lines.since, wholeMonth.since);
  const until = Math.min(lines.until, wholeMonth.until);
  return { since: Math.floor(since / HOUR) * HOUR, until: Math.ceil(until / HOUR) * HOUR };
}
