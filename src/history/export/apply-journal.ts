/** Where a history stands after an entry of its journal, and what that teaches of outcomes that come late. Pure. */

import { OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import { at, parseApiTime } from '../../api/time.ts';
import { DAY, HOUR } from '../../base/units.ts';
import { waitBeforeTrying } from '../../base/waits.ts';
import type { JournalEntry } from '../store/journal.ts';
import { createdAt, isSettled } from '../store/layout.ts';
import {
  type Asked,
  dueAfter,
  type ExportManifest,
  isGone,
  type Lateness,
  MOST_MARGIN,
} from '../store/manifest.ts';
import type { KnownCard } from '../store/months.ts';

export function applyEntry(before: ExportManifest, entry: JournalEntry): ExportManifest {
  if (entry.kind === 'page') return { ...before, ...entry.coverage };
  if (entry.kind === 'others') return { ...before, screeners_at: entry.screeners_at };
  if (entry.kind === 'failed') return withFailure(before, entry);
  const { detail, asked } = entry;
  const { [detail.id]: last, ...others } = before.asked;
  const purchase = { at: at(asked.at), settled: isSettled(detail) };
  return {
    ...before,
    failed_in_a_row: [],
    asked: purchase.settled ? others : { ...others, [detail.id]: asked },
    lateness: learn(before.lateness, createdAt(detail), purchase, isAgain(last, createdAt(detail))),
    days: changeDay(before.days, asked.at.slice(0, 10), (day) => ({
      ...day,
      outcomes: day.outcomes + 1,
    })),
  };
}

/** Only first failures count: a card that failed while others were there says nothing of the operation. */
function withFailure(
  before: ExportManifest,
  { id, asked }: Extract<JournalEntry, { kind: 'failed' }>,
): ExportManifest {
  const isFirst = asked.failed === 1 && !asked.not_found;
  const others = before.failed_in_a_row.filter((other) => other !== id);
  return {
    ...before,
    asked: { ...before.asked, [id]: asked },
    failed_in_a_row: isFirst ? [...others, id] : before.failed_in_a_row,
  };
}

export function isAwaiting(
  { id, isBought, isSettled }: KnownCard,
  { asked, lateness }: ExportManifest,
): boolean {
  if (isGone(asked[id])) return false;
  if (!isBought) return true;
  return !isSettled && (asked[id]?.times ?? 1) < MOST_BOUGHT && isAgainWorthwhile(lateness);
}

/** Tells a second purchase from a look before the outcome could be there; `at` in epoch milliseconds UTC. */
export function isAgain(asked: Asked | undefined, at: number): boolean {
  return (
    asked !== undefined && asked.times > 0 && (parseApiTime(asked.at) ?? 0) >= at + OUTCOME_MILLIS
  );
}

const DAYS_KEPT = 31;

type Day = ExportManifest['days'][number];

/** @param name `2026-11-20` @param change is given an empty day where there is none yet */
export function changeDay(days: readonly Day[], name: string, change: (day: Day) => Day): Day[] {
  const empty: Day = { day: name, runs: 0, outcomes: 0, credits: 0, backlog: 0 };
  const before = days.find(({ day }) => day === name) ?? empty;
  const others = days.filter(({ day }) => day !== name);
  const all = [...others, change(before)];
  return all.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-DAYS_KEPT);
}

const REMEMBERED = 20;

/** So many of the last first purchases without an outcome mean that outcomes come later than was thought. */
const MOST_MISSES = 12;

/** Forgets second purchases: what was of no use may be by then. */
const FORGOTTEN_AFTER = 30 * DAY;

/** Shrinks the margin slowly: a hit shows only that the margin is long enough. */
const SHRINKING = 0.95;

/** @param created epoch milliseconds UTC, as the time of the purchase */
function learn(
  before: Lateness,
  created: number,
  purchase: Lateness['seconds'][number],
  isAgain: boolean,
): Lateness {
  const { at, settled } = purchase;
  const late = at - created - OUTCOME_MILLIS;
  // Bought by another command before the outcome could be there.
  if (late < 0) return before;
  const lateness = {
    ...before,
    seconds: before.seconds.filter((second) => at - second.at < FORGOTTEN_AFTER),
  };
  if (isAgain) {
    lateness.seconds = [...lateness.seconds, purchase].slice(-REMEMBERED);
  } else {
    lateness.firsts = [...before.firsts, settled].slice(-REMEMBERED);
  }
  if (settled) {
    const margin = dueAfter(before) - OUTCOME_MILLIS;
    const latest = isAgain ? late : Math.min(late, SHRINKING * margin);
    lateness.settled = [...before.settled, Math.round(latest)].slice(-REMEMBERED);
    return lateness;
  }
  const misses = lateness.firsts.filter((hasOutcome) => !hasOutcome).length;
  const isMarginTooShort = !isAgain && misses >= MOST_MISSES && late < MOST_MARGIN;
  // Outcomes come later than was thought: the wait is twice as long from now on, and misses are counted from none.
  return isMarginTooShort ? { ...lateness, settled: [2 * late], firsts: [] } : lateness;
}

export function isAgainWorthwhile({ seconds }: Pick<Lateness, 'seconds'>): boolean {
  return (
    seconds.length < REMEMBERED ||
    seconds.filter(({ settled }) => settled).length >= REMEMBERED / 10
  );
}

const BUY_AGAIN_AFTER = [HOUR, 6 * HOUR, DAY, 3 * DAY];

export const MOST_BOUGHT = 1 + BUY_AGAIN_AFTER.length;

/** Milliseconds after the last request; Infinity if the card is not asked for again. */
export function waitBeforeNext({ times, failed, not_found }: Asked): number {
  if (failed > 0) return not_found ? 20 * HOUR : waitBeforeTrying(failed);
  return times === 0 ? 0 : (BUY_AGAIN_AFTER[times - 1] ?? Number.POSITIVE_INFINITY);
}
