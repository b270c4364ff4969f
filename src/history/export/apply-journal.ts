/**
 * What an entry of the journal changes in the manifest, and what it shows of how late outcomes come. The second half of the file
 * says when a card is bought again. Pure.
 */
import { OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import { at, parseApiTime } from '../../api/time.ts';
import { DAY, HOUR } from '../../base/units.ts';
import { waitBeforeTrying } from '../../base/waits.ts';
import { secondObservationFrom } from '../store/final.ts';
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
  switch (entry.kind) {
    case 'page':
      return { ...before, ...entry.coverage };
    // A line of another version of this program. What it changes in the manifest is not known.
    case 'cards':
      return before;
    case 'settings':
      return { ...before, screeners_at: entry.screeners_at };
    case 'failed':
      return withFailedCard(before, entry);
    case 'detail':
      return withDetail(before, entry);
  }
}

function withDetail(
  before: ExportManifest,
  { detail, asked }: Extract<JournalEntry, { kind: 'detail' }>,
): ExportManifest {
  const { [detail.id]: requestsBefore, ...otherCards } = before.asked;
  const created = createdAt(detail);
  const purchase = { at: at(asked.at), settled: isSettled(detail) };
  const isLaterPurchase = requestsBefore !== undefined && wasBoughtAfter24Hours(requestsBefore);
  const delay = purchase.at - created - OUTCOME_MILLIS;
  // Users also look at cards whose 24 hours are not over: what they buy is no final figure. It does not count as a purchase, and
  // shows nothing of how late outcomes come.
  const isTooEarly = delay < 0;
  const requestsToKeep = isTooEarly ? { ...asked, times: 0 } : asked;
  return {
    ...before,
    failed_in_a_row: [],
    // The requests for a settled outcome are forgotten: it is not asked for again.
    asked: purchase.settled ? otherCards : { ...otherCards, [detail.id]: requestsToKeep },
    lateness: isTooEarly
      ? before.lateness
      : withPurchase(before.lateness, purchase, { delay, isLaterPurchase }),
    days: changeDay(before.days, asked.at.slice(0, 10), (day) => ({
      ...day,
      outcomes: day.outcomes + 1,
      settled: day.settled + Number(purchase.settled),
    })),
  };
}

/**
 * Only the first failure of a card enters `failed_in_a_row`, which tells whether the operation itself fails. If a card fails
 * again, the cause may be the card.
 */
function withFailedCard(
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
  if (requests !== undefined && !wasBoughtAfter24Hours(requests)) return true;
  // A card that was bought without a request of an export counts as bought once.
  const timesBought = requests?.times ?? 1;
  return timesBought < MOST_BOUGHT && areLaterPurchasesWorthwhile(lateness);
}

/**
 * Whether a purchase of an export or of another command brought the card's detail after its 24 hours were over. If not, the next
 * purchase counts as its first.
 */
export function wasBoughtAfter24Hours({ times }: DetailRequests): boolean {
  return times > 0;
}

/** For how many days the manifest keeps what runs did. */
const DAYS_KEPT = 31;

type Day = ExportManifest['days'][number];

/**
 * Changes what the manifest has of one UTC day.
 * @param date `2026-11-20`
 * @param change makes the new entry of the day from the entry before, or from an empty one
 */
export function changeDay(days: readonly Day[], date: string, change: (day: Day) => Day): Day[] {
  const empty: Day = { day: date, runs: 0, outcomes: 0, settled: 0, credits: 0, backlog: 0 };
  const before = days.find(({ day }) => day === date) ?? empty;
  const otherDays = days.filter(({ day }) => day !== date);
  const changed = [...otherDays, change(before)];
  return changed.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-DAYS_KEPT);
}

/** How many of the newest purchases each list of `Lateness` keeps. */
const PURCHASES_KEPT = 20;

/** If 12 of the last 20 first purchases brought no outcome, outcomes come later than was thought. */
const MOST_MISSES = 12;

/** After this time, a second or further purchase no longer shows what such purchases bring. Milliseconds. */
const FORGOTTEN_AFTER = 30 * DAY;

/**
 * If a first purchase brings an outcome, the wait for outcomes shrinks by this factor. It shrinks slowly, because the purchase
 * shows only that the wait was long enough, not how long it must be.
 */
const SHRINK_FACTOR = 0.95;

/** When a card was bought, and whether that brought a settled outcome. First purchases have the same form as later ones. */
type Purchase = Lateness['seconds'][number];

/** How a purchase stands to its card. */
interface PurchaseOfCard {
  /** From the end of the card's 24 hours to the purchase, milliseconds. */
  readonly delay: number;
  /** Whether the card was bought before, at a time when its 24 hours were over. */
  readonly isLaterPurchase: boolean;
}

/**
 * How late outcomes come, after one more purchase has shown it. An outcome is due when the 24 hours of its card, and a margin, are
 * over. `Lateness` has three lists, with the names that they have in `export.json`:
 * - `settled` has delays: from the end of a card's 24 hours to a purchase that brought the outcome. The largest delay is the margin,
 *   within the bounds of `dueAfter`.
 * - `firsts` has, for each first purchase of a card, whether it brought a settled outcome.
 * - `seconds` has, for each second or further purchase of a card, when it was, and whether it brought a settled outcome.
 */
function withPurchase(
  before: Lateness,
  purchase: Purchase,
  { delay, isLaterPurchase }: PurchaseOfCard,
): Lateness {
  const remembered = before.seconds.filter(({ at }) => purchase.at - at < FORGOTTEN_AFTER);
  const lateness = { ...before, seconds: remembered };
  if (isLaterPurchase) return withLaterPurchase(lateness, purchase, delay);
  return withFirstPurchase(lateness, purchase.settled, delay);
}

/** @param delay from the end of the card's 24 hours to this purchase, milliseconds */
function withLaterPurchase(before: Lateness, purchase: Purchase, delay: number): Lateness {
  const seconds = newest([...before.seconds, purchase]);
  if (!purchase.settled) return { ...before, seconds };
  // The margin was too short for this outcome. So the whole delay counts, unlike after a first purchase.
  return { ...before, seconds, settled: newest([...before.settled, Math.round(delay)]) };
}

/** @param delay from the end of the card's 24 hours to this purchase, milliseconds */
function withFirstPurchase(before: Lateness, hasOutcome: boolean, delay: number): Lateness {
  const firsts = newest([...before.firsts, hasOutcome]);
  if (hasOutcome) {
    const margin = dueAfter(before) - OUTCOME_MILLIS;
    const delayKept = Math.min(delay, SHRINK_FACTOR * margin);
    return { ...before, firsts, settled: newest([...before.settled, Math.round(delayKept)]) };
  }
  const misses = firsts.filter((broughtOutcome) => !broughtOutcome).length;
  const isMarginTooShort = misses >= MOST_MISSES && delay < MOST_MARGIN;
  if (!isMarginTooShort) return { ...before, firsts };
  // From now on the margin is twice as long as the delay of this purchase, and misses are counted from 0 again.
  return { ...before, firsts: [], settled: [2 * delay] };
}

function newest<T>(list: readonly T[]): T[] {
  return list.slice(-PURCHASES_KEPT);
}

/**
 * Whether a second or further purchase of a card is worth its credit: at least 2 of the last 20 brought an outcome. True before
 * there are 20.
 */
export function areLaterPurchasesWorthwhile({ seconds }: Pick<Lateness, 'seconds'>): boolean {
  if (seconds.length < PURCHASES_KEPT) return true;
  const hits = seconds.filter(({ settled }) => settled).length;
  return hits >= PURCHASES_KEPT / 10;
}

/**
 * How long to wait after each of the first four purchases of a card, if the purchase brought no settled outcome. Milliseconds.
 */
const BUY_AGAIN_AFTER = [HOUR, 6 * HOUR, DAY, 3 * DAY];

/** How often the detail of one card is bought at most. */
const MOST_BOUGHT = 1 + BUY_AGAIN_AFTER.length;

/** Whether the last request for a card's detail failed, and the card is not gone. */
export function isFailed(requests: DetailRequests): boolean {
  return requests.failed > 0 && !isGone(requests);
}

/** Whether the last request for a card's detail brought it, without a figure: a card with all its figures has no requests. */
export function isWithoutFigure({ times, failed }: DetailRequests): boolean {
  return failed === 0 && times > 0;
}

/** Whether a card is not bought again, because none of its `MOST_BOUGHT` purchases brought a figure. */
export function isWithoutFigureForGood(requests: DetailRequests): boolean {
  return isWithoutFigure(requests) && requests.times >= MOST_BOUGHT;
}

/** From when on runs ask for a card again, epoch milliseconds UTC; Infinity if they do not. */
export function retryTimeOfCard(requests: DetailRequests): number {
  const { times, failed, not_found, not_found_since } = requests;
  const lastAt = parseApiTime(requests.at) ?? 0;
  if (not_found) {
    // If it is not known since when, the last request counts.
    const notFoundSince = parseApiTime(not_found_since ?? '') ?? lastAt;
    // From `secondObservationFrom` on, another 404 shows that the card is gone. A run that has not heard the service's time
    // cannot count it: then the card also waits as after any other failure.
    const secondAnswerFrom = secondObservationFrom(notFoundSince);
    const waitEnds = lastAt + waitBeforeTrying(failed);
    return Math.max(secondAnswerFrom, waitEnds);
  }
  if (failed > 0) return lastAt + waitBeforeTrying(failed);
  if (times === 0) return 0;
  const waitAfterPurchase = BUY_AGAIN_AFTER[times - 1];
  // After the last of the five purchases there is no other.
  return waitAfterPurchase === undefined ? Number.POSITIVE_INFINITY : lastAt + waitAfterPurchase;
}
