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
import { secondLookFrom } from '../store/final.ts';
import { type MissingCards, monthsWithMissing } from '../store/manifest.ts';
import { countDamaged, type MonthFile } from '../store/months.ts';
import { lackSentence, missingCards, openMonthsToMend, partOfLostLines } from './damage.ts';
import { type Part, partsSince } from './spans.ts';
import type { WorkingHistory } from './working-history.ts';

/** What exports do about a month that lacks cards: on the first day, and on the second. */
const LISTS_AFTER_A_DAY =
  'If it still lacks cards after a day, exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.';
const LISTS_AGAIN =
  'Exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.';

/** What a run works with that deals with lost cards. */
interface Mending {
  readonly history: WorkingHistory;
  readonly notes: Pick<Notes, 'warn'>;
  readonly options: {
    /** --since: nothing before it is listed again, epoch milliseconds UTC. Undefined if it is not given. */
    readonly since?: number | undefined;
  };
}

/**
 * Reads the months that may be damaged, and counts the cards that the files lack. `fold` would forget them: it counts the cards
 * that the files have. Lost cards that a backup has brought back are not listed again.
 * @param now epoch milliseconds UTC; it only says which months are read
 * @throws ScreenerError storage
 */
export async function countMissing(history: WorkingHistory, now: number): Promise<void> {
  await openMonthsToMend(history, now);
  for (const file of history.months.opened)
    history.noteMissing(file.month, missingCards(file, history.manifest));
  history.noteRestored();
}

/**
 * Makes the months unread that have lost cards for sure: a second UTC day sees the loss.
 * @param heard the service's time, epoch milliseconds UTC
 * @throws ScreenerError storage, busy
 */
export async function listLostAgain(
  { history, notes, options }: Mending,
  heard: number,
): Promise<void> {
  let isAnyListedAgain = false;
  for (const { month, missing } of monthsWithMissing(history.manifest)) {
    const file = await history.months.open(month);
    const parts = partsToList(file, missing, { since: options.since, now: heard });
    // `warnOfMissing` tells of these cards.
    if (parts.length === 0) continue;
    const first = Math.min(heard, missing.first === undefined ? heard : at(missing.first));
    if (heard < secondLookFrom(first)) {
      history.noteMissing(month, { ...missing, first: formatApiTime(first) });
      continue;
    }
    notes.warn(`${lackSentence(file, missing)} ${LISTS_AGAIN}`);
    history.noteMissing(month, undefined);
    await history.listAgain(parts.map((part) => ({ ...part, cards: missing.cards })));
    isAnyListedAgain = true;
  }
  // The manifest must say at once that no more cards are expected. If a kill came before, the next run would list the month anew.
  if (isAnyListedAgain) await history.fold();
}

/**
 * Warns at the end of a run of the cards that are missing and not listed again. Cards that no run will list again are told once.
 * @param now when the run ends, epoch milliseconds UTC
 * @throws ScreenerError storage
 */
export async function warnOfMissing(
  { history, notes, options }: Mending,
  now: number,
): Promise<void> {
  for (const { month, missing } of monthsWithMissing(history.manifest)) {
    const file = await history.months.open(month);
    if (partsToList(file, missing, { since: options.since, now }).length > 0) {
      notes.warn(`${lackSentence(file, missing)} ${LISTS_AFTER_A_DAY}`);
      continue;
    }
    notes.warn(lackSentence(file, missing));
    history.noteMissing(month, undefined);
  }
}

/** When somebody asks what is done about lost cards. */
interface LossAt {
  /** --since, epoch milliseconds UTC; undefined if it is not given. */
  readonly since: number | undefined;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/** The part of the list that is read again for a month that lost whole lines; empty if none is. */
function partsToList(
  file: Pick<MonthFile, 'month'>,
  missing: MissingCards,
  { since, now }: LossAt,
): Part[] {
  const part = partOfLostLines(file, missing, now);
  return part === undefined ? [] : partsSince([part], since);
}

/**
 * From when on runs list a month again that lacks cards.
 * @returns epoch milliseconds UTC; undefined until a run that has heard the service's time has seen that they are missing
 */
export function retryTimeOfLoss({ first }: MissingCards): number | undefined {
  return first === undefined ? undefined : secondLookFrom(at(first));
}

/**
 * Whether a run lists a month that lacks cards again, if it hears the service's time.
 * @param now epoch milliseconds UTC
 */
export function isLossDue(missing: MissingCards, now: number): boolean {
  const retryTime = retryTimeOfLoss(missing);
  return retryTime !== undefined && retryTime <= now;
}

/** What a run does about lost cards, for a quote. */
export interface LossesAhead {
  /** Cards whose outcomes are bought again, if the service still lists them. */
  readonly cards: number;
  /** Pages of the list. */
  readonly pages: number;
}

/** What a run that began now would list again. Writes nothing. @throws ScreenerError storage */
export async function lossesAhead(history: WorkingHistory, loss: LossAt): Promise<LossesAhead> {
  const { now } = loss;
  await openMonthsToMend(history, now);
  history.noteRestored();
  let cards = 0;
  let pages = 0;
  for (const file of history.months.opened) {
    // A page is enough for adjacent damaged lines.
    cards += countDamaged(file.damaged);
    pages += file.damaged.length;
    const missing = missingCards(file, history.manifest);
    if (missing === undefined || !isLossDue(missing, now)) continue;
    if (partsToList(file, missing, loss).length === 0) continue;
    cards += missing.cards;
    pages += Math.ceil((file.cards.size + missing.cards) / LIMITS.cardsPerPage);
  }
  return { cards, pages };
}
