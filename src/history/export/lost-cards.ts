/**
 * Cards that month files had, and lack now, because whole lines are gone. Perhaps a file is only away for an hour, so runs only warn
 * of it at first. If a second UTC day of the service sees the loss, too, the month is listed again like any other unread part of the
 * list, and the history expects no more cards of it than the file has.
 *
 * Damaged lines need no second day: their hours are listed again at once (`mendDamage` in `working-history.ts`).
 */
import { LIMITS } from '../../api/limits.ts';
import { at, formatApiTime } from '../../api/time.ts';
import type { Notes } from '../../runtime/context.ts';
import { firstObserved, secondObservationFrom } from '../store/final.ts';
import { type MissingCards, monthsWithMissing } from '../store/manifest.ts';
import { countDamaged, type MonthFile } from '../store/months.ts';
import { lackSentence, missingCards, openSuspectMonths, partOfLostLines } from './damage.ts';
import { type Part, partsSince } from './spans.ts';
import type { WorkingHistory } from './working-history.ts';

/** What exports do about a month that lacks cards, on the first day that sees it. */
const LISTS_AFTER_A_DAY =
  'If it still lacks cards after a day, exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.';
/** The same on the second day. */
const LISTS_AGAIN =
  'Exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.';

/** What a run needs to deal with lost cards. */
interface Mending {
  readonly history: WorkingHistory;
  readonly notes: Pick<Notes, 'warn'>;
  readonly options: {
    /** --since: nothing before it is listed again, epoch milliseconds UTC. Undefined if it is not given. */
    readonly since?: number | undefined;
  };
}

/**
 * Reads the months that may be damaged, and counts the cards that the files lack. This must come before `fold`, which sets the
 * expected number to what the files have.
 * @param now epoch milliseconds UTC; it only says which months are read
 * @throws ScreenerError storage
 */
export async function countMissing(history: WorkingHistory, now: number): Promise<void> {
  await openSuspectMonths(history, now);
  for (const file of history.months.opened)
    history.noteMissing(file.month, missingCards(file, history.manifest));
  // Lost cards that a backup has brought back are not listed again.
  history.noteRestored();
}

/**
 * Marks as unread the months that surely lost cards: a second UTC day sees the loss.
 * @param heard the service's time, epoch milliseconds UTC
 * @throws ScreenerError storage, busy
 */
export async function markLostMonthsUnread(
  { history, notes, options }: Mending,
  heard: number,
): Promise<void> {
  let isAnyListedAgain = false;
  for (const { month, missing } of monthsWithMissing(history.manifest)) {
    const file = await history.months.open(month);
    const part = partToList(file, missing, { since: options.since, now: heard });
    // `warnOfMissing` tells of these cards.
    if (part === undefined) continue;
    const firstSeen = firstObserved(missing.first, heard);
    // Until a second day sees the loss, only the time of the first sight is kept.
    if (heard < secondObservationFrom(firstSeen)) {
      history.noteMissing(month, { ...missing, first: formatApiTime(firstSeen) });
      continue;
    }
    notes.warn(`${lackSentence(file, missing)} ${LISTS_AGAIN}`);
    history.noteMissing(month, undefined);
    await history.markUnread([{ ...part, cards: missing.cards }]);
    isAnyListedAgain = true;
  }
  // The manifest must say at once that no more cards are expected. Otherwise, after a kill, the next run would list the month anew.
  if (isAnyListedAgain) await history.fold();
}

/**
 * Warns at the end of a run of the cards that are missing and not listed again. Cards that no run will list again are reported once.
 * @param now when the run ends, epoch milliseconds UTC
 * @throws ScreenerError storage
 */
export async function warnOfMissing(
  { history, notes, options }: Mending,
  now: number,
): Promise<void> {
  for (const { month, missing } of monthsWithMissing(history.manifest)) {
    const file = await history.months.open(month);
    if (partToList(file, missing, { since: options.since, now }) !== undefined) {
      notes.warn(`${lackSentence(file, missing)} ${LISTS_AFTER_A_DAY}`);
      continue;
    }
    notes.warn(lackSentence(file, missing));
    history.noteMissing(month, undefined);
  }
}

/** How far back a run lists cards, and its time. */
interface RunScope {
  /** --since, epoch milliseconds UTC; undefined if it is not given. */
  readonly since: number | undefined;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/** The part of the list that is read again for a month that lost whole lines; undefined if none is. */
function partToList(
  file: Pick<MonthFile, 'month'>,
  missing: MissingCards,
  { since, now }: RunScope,
): Part | undefined {
  const part = partOfLostLines(file, missing, now);
  if (part === undefined) return undefined;
  // If all of it lies before --since, nothing is left of it.
  const [wantedPart] = partsSince([part], since);
  return wantedPart;
}

/**
 * From when on runs list a month again that lacks cards.
 * @returns epoch milliseconds UTC; undefined until a run that has heard the service's time has seen that they are missing
 */
export function retryTimeOfLoss({ first }: MissingCards): number | undefined {
  return first === undefined ? undefined : secondObservationFrom(at(first));
}

/**
 * Whether a run would list again a month that lacks cards, if it hears the service's time.
 * @param now epoch milliseconds UTC
 */
export function isLossDue(missing: MissingCards, now: number): boolean {
  const retryTime = retryTimeOfLoss(missing);
  return retryTime !== undefined && retryTime <= now;
}

/** What a run would list again, for a quote. */
export interface LossesAhead {
  /** Cards whose outcomes are bought again, if the service still lists them. */
  readonly cards: number;
  /** Pages of the list. */
  readonly pages: number;
}

/** What a run that began now would list again. Writes nothing to the disk. @throws ScreenerError storage */
export async function lossesAhead(history: WorkingHistory, scope: RunScope): Promise<LossesAhead> {
  const { now } = scope;
  await openSuspectMonths(history, now);
  history.noteRestored();
  let cards = 0;
  let pages = 0;
  for (const file of history.months.opened) {
    // Each entry of `damaged` is a run of adjacent lines, for which a page is enough.
    cards += countDamaged(file.damaged);
    pages += file.damaged.length;
    const missing = missingCards(file, history.manifest);
    if (missing === undefined || !isLossDue(missing, now)) continue;
    if (partToList(file, missing, scope) === undefined) continue;
    cards += missing.cards;
    pages += Math.ceil((file.cards.size + missing.cards) / LIMITS.cardsPerPage);
  }
  return { cards, pages };
}
