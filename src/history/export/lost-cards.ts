/**
 * Cards that month files had, and lack now. For each month, `missing` in the manifest says what exports have found out and done:
 *
 * 1. `missing` alone: whole lines are gone. Perhaps the file is only away for an hour: a second UTC day must see it, too.
 * 2. `missing.listed_again`: the parts of the list that had the cards are read again. Damaged lines begin here: they are set
 *    aside, so that their hours of the list are read again at once.
 * 3. `missing.listed_again.unlisted`: these parts were read to their end, and cards are still missing. The parts are read once
 *    more on another UTC day.
 *
 * If a card comes again, it is in the file again. If it does not come on the second day either, it is given up: the user is told
 * once, and the export is complete without it. Cards that are older than --since are not listed again: the user is only told how
 * many are missing.
 */
import { LIMITS } from '../../api/limits.ts';
import { at } from '../../api/time.ts';
import { pluralize } from '../../base/units.ts';
import type { Notes } from '../../runtime/context.ts';
import { isFinal, type Observations, secondLookFrom, withObservation } from '../store/final.ts';
import { MANIFEST_FILE } from '../store/layout.ts';
import {
  type CountsOfMonth,
  type ListedAgain,
  type MissingCards,
  monthsWithMissing,
} from '../store/manifest.ts';
import { countDamaged, type MonthFile } from '../store/months.ts';
import {
  hoursOfDamage,
  lackSentence,
  lacksMoreThanBefore,
  missingCards,
  openMonthsToMend,
  partOfLostLines,
} from './damage.ts';
import {
  gapsWithout,
  isListAnswered,
  outsideGaps,
  overlaps,
  type Part,
  partsFrom,
  partsOf,
  storedSpans,
} from './spans.ts';
import type { WorkingHistory } from './working-history.ts';

/**
 * What exports do about a month that lacks cards: on the first day, on the second day, and after a day that did not bring all.
 */
const LISTS_AFTER_A_DAY =
  'If it still lacks cards after a day, exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.';
const LISTS_AGAIN =
  'Exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.';
const ASKS_ONCE_MORE =
  'The service did not list them again. Exports ask once more after a day, 1 credit a page.';

/**
 * What becomes of cards that are given up. The second sentence is for parts with a gap that the service did not refuse: exports go
 * on asking for it.
 */
const ONLY_A_BACKUP =
  'the service did not list them on two days. Only a backup brings them back: append it to the file.';
const ASKS_FOR_GAPS =
  'on two days the service did not list all of that time. Exports go on asking for the rest of it; or append a backup to the file.';

/** What the mending of a run works with. */
interface Mending {
  readonly history: WorkingHistory;
  readonly notes: Pick<Notes, 'warn'>;
  /** --since: nothing before it is listed again, epoch milliseconds UTC. Undefined if it is not given. */
  readonly since: number | undefined;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/**
 * Reads the months that may be damaged, and warns of the cards that the files lack. The parts of the list that had these cards no
 * longer count as read, once it is sure that the cards are lost.
 * @throws ScreenerError storage, busy
 */
export async function takeInLosses(mending: Mending): Promise<void> {
  const { history, notes, now } = mending;
  if (history.isRebuilt)
    notes.warn(
      `${MANIFEST_FILE} was damaged (${MANIFEST_FILE}.damaged has it). It is made again from the files beside it. The list is read again; an outcome that is in these files is not bought again.`,
    );
  await openMonthsToMend(history, now);
  for (const file of history.months.opened) await takeInMonth(file, mending);
  noteDamagedLines(history, now);
}

/**
 * Notes how many cards the damaged lines held, before the lines are set aside. A month that seems to have lost whole lines, too,
 * is left out until that is sure: then all of the month is listed again.
 * @param now epoch milliseconds UTC
 */
export function noteDamagedLines(history: WorkingHistory, now: number): void {
  for (const file of history.months.damaged) {
    const counts = history.manifest.months[file.month];
    if (counts === undefined) continue;
    const { missing: before } = counts;
    const isUnsure = before !== undefined && before.listed_again === undefined;
    if (isUnsure) continue;
    const cards = cardsLostBy(file, counts);
    if (cards <= 0) continue;
    const partsBefore = partsOf(before?.listed_again?.parts ?? []);
    const parts = [...partsBefore, ...coveredHours(file, history)];
    history.noteMissing(file.month, {
      ...withObservation(before, now),
      cards,
      listed_again: listedAgain(file, parts),
    });
  }
}

/**
 * How many cards a file with damaged lines lacks. At first these are the cards that it had and has no more. If cards were missing
 * before, some of them may have come again: then each damaged line adds one card to those missing.
 */
function cardsLostBy(file: MonthFile, { cards, missing }: CountsOfMonth): number {
  if (missing === undefined) return cards - file.cards.size;
  return missing.cards + countDamaged(file.damaged);
}

/**
 * The hours of the damaged lines, as far as the list was read. Cards of later hours, or of gaps, are new: they do not count as
 * cards that came again.
 */
function coveredHours(file: MonthFile, { manifest }: WorkingHistory): Part[] {
  const coveredUntil = partsOf(manifest.spans)[0]?.until ?? 0;
  const hours = hoursOfDamage(file).map(({ since, until }) => ({
    since,
    until: Math.min(until, coveredUntil),
  }));
  return outsideGaps(hours, manifest.gaps);
}

/** The parts that are listed again, and how many cards of these parts the file has now. */
function listedAgain(file: MonthFile, parts: readonly Part[]): ListedAgain {
  return { parts: storedSpans(parts), cards: cardsWithin(file, parts) };
}

function cardsWithin({ cards }: MonthFile, parts: readonly Part[]): number {
  const isWithin = (at: number) => parts.some(({ since, until }) => at >= since && at <= until);
  return [...cards.values()].filter(({ at }) => isWithin(at)).length;
}

/** Deals with the losses of one month at the beginning of a run. */
async function takeInMonth(file: MonthFile, mending: Mending): Promise<void> {
  const { history, notes, now } = mending;
  const before = history.manifest.months[file.month]?.missing;
  if (before?.listed_again !== undefined && !lacksMoreThanBefore(file, history.manifest)) {
    await goOnListing(file, before, mending);
    return;
  }
  const missing = missingCards(file, history.manifest, now);
  if (missing === undefined) {
    history.noteMissing(file.month, undefined);
    return;
  }
  const lack = lackSentence(file, missing);
  const parts = partsToList(file, missing, mending);
  if (parts.length === 0) {
    notes.warn(lack);
    history.noteMissing(file.month, undefined);
  } else if (isFinal('cards_lost', missing)) {
    notes.warn(`${lack} ${LISTS_AGAIN}`);
    await history.uncover(parts);
    history.noteMissing(file.month, { ...missing, listed_again: listedAgain(file, parts) });
  } else {
    notes.warn(`${lack} ${LISTS_AFTER_A_DAY}`);
    history.noteMissing(file.month, missing);
  }
}

/**
 * The parts of the list that are read again for a month that lost whole lines. Gaps are left out: the service never listed what
 * is in them, so no lost card was there. Each gap is asked for when it is due.
 */
function partsToList(
  file: Pick<MonthFile, 'month'>,
  missing: MissingCards,
  { history, since, now }: Omit<Mending, 'notes'>,
): Part[] {
  const part = partOfLostLines(file, missing, now);
  return part === undefined ? [] : partsFrom(outsideGaps([part], history.manifest.gaps), since);
}

/** Goes on with a month that is listed again. Parts that did not bring all cards are read once more on a later day. */
async function goOnListing(
  file: MonthFile,
  before: MissingCards,
  { history, notes, since, now }: Mending,
): Promise<void> {
  const missing = recounted(before, file);
  history.noteMissing(file.month, missing);
  if (missing?.listed_again === undefined) return;
  const { unlisted } = missing.listed_again;
  const parts = partsFrom(partsOf(missing.listed_again.parts), since);
  // All parts are older than --since. `settleLosses` warns of their cards at the end of the run.
  if (parts.length === 0) return;
  const lack = lackSentence(file, missing);
  if (unlisted !== undefined && !isSecondLook(unlisted, now)) {
    notes.warn(`${lack} ${ASKS_ONCE_MORE}`);
    return;
  }
  notes.warn(`${lack} ${LISTS_AGAIN}`);
  if (unlisted !== undefined) await history.uncover(parts);
}

/** Whether one more observation would show that the service no longer lists the cards. */
function isSecondLook({ first }: Observations, now: number): boolean {
  return secondLookFrom('cards_unlisted', at(first)) <= now;
}

/** What is missing, now that some of the cards may have come again. @returns undefined if all have come */
function recounted(before: MissingCards, file: MonthFile): MissingCards | undefined {
  const { listed_again } = before;
  if (listed_again === undefined) return before;
  const cardsNow = cardsWithin(file, partsOf(listed_again.parts));
  const cards = before.cards - (cardsNow - listed_again.cards);
  if (cards <= 0) return undefined;
  return { ...before, cards, listed_again: { ...listed_again, cards: cardsNow } };
}

/**
 * Counts at the end of a run which cards came again. Cards that the service did not list on two UTC days are given up, and the
 * user is told so once.
 * @param startedAt when the run began, epoch milliseconds UTC
 * @throws ScreenerError storage, busy
 */
export async function settleLosses(
  { history, notes, since, now }: Mending,
  startedAt: number,
): Promise<void> {
  for (const { month, missing: before } of monthsWithMissing(history.manifest)) {
    if (before.listed_again === undefined) continue;
    const file = await history.months.open(month);
    const missing = recounted(before, file);
    history.noteMissing(month, missing);
    if (missing?.listed_again === undefined) continue;
    const { listed_again } = missing;
    const parts = partsFrom(partsOf(listed_again.parts), since);
    if (parts.length === 0) {
      notes.warn(lackSentence(file, missing));
      history.noteMissing(month, undefined);
      continue;
    }
    const isListed = parts.every((part) => isListAnswered(part, history.manifest));
    // A run that began too soon after the first look has not asked.
    const { unlisted: unlistedBefore } = listed_again;
    const wasAsked = unlistedBefore === undefined || isSecondLook(unlistedBefore, startedAt);
    if (!isListed || !wasAsked) continue;
    const unlisted = withObservation(unlistedBefore, now);
    if (isFinal('cards_unlisted', unlisted)) {
      // Exports no longer ask for what the service refused. They go on asking for other gaps.
      const gaps = parts.reduce(gapsWithout, history.manifest.gaps);
      const isAskedAgain = parts.some((part) => gaps.some((gap) => overlaps(gap, part)));
      const cards = `${file.path} has lost ${pluralize(missing.cards, 'card')}`;
      notes.warn(`${cards}: ${isAskedAgain ? ASKS_FOR_GAPS : ONLY_A_BACKUP}`);
      await history.savePage([], { gaps });
      history.noteMissing(month, undefined);
    } else {
      history.noteMissing(month, { ...missing, listed_again: { ...listed_again, unlisted } });
    }
  }
}

/** What a run does about lost cards, for a quote. */
export interface LossesAhead {
  /** Cards whose outcomes are bought again, if the service still lists them. */
  readonly cards: number;
  /** Pages of the list. */
  readonly pages: number;
}

/** What a run that began now would list again. Writes nothing. @throws ScreenerError storage */
export async function lossesAhead({
  history,
  since,
  now,
}: Omit<Mending, 'notes'>): Promise<LossesAhead> {
  await openMonthsToMend(history, now);
  const losses = history.months.opened.map((file) => lossOf(file, { history, since, now }));
  let cards = 0;
  let pages = 0;
  for (const loss of losses) {
    cards += loss.cards;
    pages += loss.pages;
  }
  return { cards, pages };
}

const NO_LOSS: LossesAhead = { cards: 0, pages: 0 };

function lossOf(file: MonthFile, { history, since, now }: Omit<Mending, 'notes'>): LossesAhead {
  // A page is enough for adjacent damaged lines.
  if (file.damaged.length > 0)
    return { cards: countDamaged(file.damaged), pages: file.damaged.length };
  const missing = missingCards(file, history.manifest, now);
  if (missing === undefined) return NO_LOSS;
  const listed = history.manifest.months[file.month]?.missing?.listed_again;
  if (listed?.unlisted !== undefined) {
    return isSecondLook(listed.unlisted, now)
      ? { cards: 0, pages: pagesOf(listed.cards) }
      : NO_LOSS;
  }
  // A month that is being listed again is unread already, and a quote counts unread parts elsewhere.
  if (listed !== undefined || !isFinal('cards_lost', missing)) return NO_LOSS;
  if (partsToList(file, missing, { history, since, now }).length === 0) return NO_LOSS;
  return { cards: missing.cards, pages: pagesOf(file.cards.size + missing.cards) };
}

function pagesOf(cards: number): number {
  return Math.max(1, Math.ceil(cards / LIMITS.cardsPerPage));
}
