/** What an entry of the journal changes in the manifest, and what it teaches about outcomes that come late. Pure. */
import { OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import { at, parseApiTime } from '../../api/time.ts';
import { DAY, HOUR } from '../../base/units.ts';
import { waitBeforeTrying } from '../../base/waits.ts';
import type { JournalEntry } from '../store/journal.ts';
import { createdAt, isSettled } from '../store/layout.ts';
import {
  type DetailRequests,
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
  return withDetail(before, entry);
}

function withDetail(
  before: ExportManifest,
  { detail, asked }: Extract<JournalEntry, { kind: 'detail' }>,
): ExportManifest {
  const { [detail.id]: requestsBefore, ...otherCards } = before.asked;
  const created = createdAt(detail);
  const purchase = { at: at(asked.at), settled: isSettled(detail) };
  const isLaterPurchase = isAgain(requestsBefore, created);
  return {
    ...before,
    failed_in_a_row: [],
    asked: purchase.settled ? otherCards : { ...otherCards, [detail.id]: asked },
    lateness: withPurchase(before.lateness, purchase, { created, isLaterPurchase }),
    days: changeDay(before.days, asked.at.slice(0, 10), (day) => ({
      ...day,
      outcomes: day.outcomes + 1,
    })),
  };
}

/** Only the first failure of a card counts towards those in a row: one that fails again says nothing of the operation. */
function withFailure(
  before: ExportManifest,
  { id, asked }: Extract<JournalEntry, { kind: 'failed' }>,
): ExportManifest {
  const isFirstFailure = asked.failed === 1 && !asked.not_found;
  const others = before.failed_in_a_row.filter((other) => other !== id);
  return {
    ...before,
    asked: { ...before.asked, [id]: asked },
    failed_in_a_row: isFirstFailure ? [...others, id] : before.failed_in_a_row,
  };
}

/** Whether the outcome of a card is still to be bought, or to be bought again. */
export function isAwaiting(card: KnownCard, { asked, lateness }: ExportManifest): boolean {
  const requests = asked[card.id];
  if (isGone(requests)) return false;
  if (!card.isBought) return true;
  if (card.isSettled) return false;
  const timesBought = requests?.times ?? 1;
  return timesBought < MOST_BOUGHT && isAgainWorthwhile(lateness);
}

/**
 * Whether the card was bought before, at a time when its outcome could be there. The next purchase is then a later one; else
 * it is the first.
 * @param created when the card was created, epoch milliseconds UTC
 */
export function isAgain(requests: DetailRequests | undefined, created: number): boolean {
  if (requests === undefined || requests.times === 0) return false;
  const boughtAt = parseApiTime(requests.at) ?? 0;
  return boughtAt >= created + OUTCOME_MILLIS;
}

/** Days of runs that the manifest remembers. */
const DAYS_KEPT = 31;

type Day = ExportManifest['days'][number];

/**
 * @param date `2026-11-20`
 * @param change makes the new entry of the day from the old one, or from an empty one
 */
export function changeDay(days: readonly Day[], date: string, change: (day: Day) => Day): Day[] {
  const empty: Day = { day: date, runs: 0, outcomes: 0, credits: 0, backlog: 0 };
  const before = days.find(({ day }) => day === date) ?? empty;
  const otherDays = days.filter(({ day }) => day !== date);
  const changed = [...otherDays, change(before)];
  return changed.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-DAYS_KEPT);
}

/** How many purchases each list of `Lateness` keeps. */
const REMEMBERED = 20;

/** If so many of the remembered first purchases brought no outcome, outcomes come later than was thought. */
const MOST_MISSES = 12;

/** Later purchases are forgotten after this time, milliseconds: what was useless then may be useful now. */
const FORGOTTEN_AFTER = 30 * DAY;

/** The margin shrinks slowly, by this factor: an outcome that is there shows only that the margin is long enough. */
const SHRINKING = 0.95;

type Purchase = Lateness['seconds'][number];

interface PurchasedCard {
  /** When the card was created, epoch milliseconds UTC. */
  readonly created: number;
  /** Whether the card was bought before, when its outcome could be there (`isAgain`). */
  readonly isLaterPurchase: boolean;
}

/** The lateness of outcomes, with what one more purchase says of it. */
function withPurchase(
  before: Lateness,
  purchase: Purchase,
  { created, isLaterPurchase }: PurchasedCard,
): Lateness {
  const { at, settled } = purchase;
  const late = at - created - OUTCOME_MILLIS;
  // Another command bought it before the outcome could be there.
  if (late < 0) return before;
  const remembered = before.seconds.filter((earlier) => at - earlier.at < FORGOTTEN_AFTER);
  const lateness = { ...before, seconds: remembered };
  if (isLaterPurchase) lateness.seconds = newest([...remembered, purchase]);
  else lateness.firsts = newest([...before.firsts, settled]);
  if (settled) {
    const margin = dueAfter(before) - OUTCOME_MILLIS;
    const lateAtMost = isLaterPurchase ? late : Math.min(late, SHRINKING * margin);
    lateness.settled = newest([...before.settled, Math.round(lateAtMost)]);
    return lateness;
  }
  const misses = lateness.firsts.filter((hasOutcome) => !hasOutcome).length;
  const isMarginTooShort = !isLaterPurchase && misses >= MOST_MISSES && late < MOST_MARGIN;
  // Outcomes come later than was thought: the wait is twice as long from now on, and misses are counted from none.
  return isMarginTooShort ? { ...lateness, settled: [2 * late], firsts: [] } : lateness;
}

function newest<T>(list: readonly T[]): T[] {
  return list.slice(-REMEMBERED);
}

/** Whether later purchases are worth their credits: one in ten has to bring an outcome, once `REMEMBERED` were made. */
export function isAgainWorthwhile({ seconds }: Pick<Lateness, 'seconds'>): boolean {
  if (seconds.length < REMEMBERED) return true;
  const hits = seconds.filter(({ settled }) => settled).length;
  return hits >= REMEMBERED / 10;
}

/** How long after each purchase without a settled outcome a card is bought again, milliseconds. */
const BUY_AGAIN_AFTER = [HOUR, 6 * HOUR, DAY, 3 * DAY];

/** How often the detail of one card is bought at most. */
export const MOST_BOUGHT = 1 + BUY_AGAIN_AFTER.length;

/** Whether a card is not bought again, because none of so many purchases brought a figure. */
export function isWithoutFigureForGood({ times, failed }: DetailRequests): boolean {
  return failed === 0 && times >= MOST_BOUGHT;
}

/** How long a card waits after its last request, milliseconds; Infinity if it is not asked for again. */
export function waitBeforeNext({ times, failed, not_found }: DetailRequests): number {
  if (failed > 0) return not_found ? 20 * HOUR : waitBeforeTrying(failed);
  return times === 0 ? 0 : (BUY_AGAIN_AFTER[times - 1] ?? Number.POSITIVE_INFINITY);
}
