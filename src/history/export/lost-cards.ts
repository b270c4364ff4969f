/**
 * Cards that month files had, and lack now.
 *
 * 1. A file may be away for an hour: a month that lacks whole lines is listed again only if two UTC days saw it. The hours of
 *    damaged lines are listed again at once, because these lines are set aside.
 * 2. What then comes is in the file again. What does not come is asked for once more on another UTC day.
 * 3. If it does not come either, the cards are given up: the user is told once, and the export is complete without them. Parts
 *    before --since are not asked for, so that nothing is said of them but that they are missing.
 */
import { LIMITS } from '../../api/limits.ts';
import { at } from '../../api/time.ts';
import { pluralize, utcDay } from '../../base/units.ts';
import type { Notes } from '../../runtime/context.ts';
import { isFinal, type Observations, observed } from '../store/final.ts';
import { MANIFEST_FILE } from '../store/layout.ts';
import { type ListedAgain, type MissingCards, monthsWithMissing } from '../store/manifest.ts';
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
  isAnswered,
  outsideGaps,
  overlaps,
  partsFrom,
  type Span,
  spansOf,
  storedSpans,
} from './spans.ts';
import type { WorkingHistory } from './working-history.ts';

/** What exports do about a month that lacks cards, beside what the user can do: on the first day, and on later ones. */
const LISTS_TOMORROW =
  'If it still lacks cards tomorrow (UTC), exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.';
const LISTS_AGAIN =
  'Exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.';
const ASKS_ONCE_MORE =
  'The service did not list them again. Exports ask once more tomorrow (UTC), 1 credit a page.';

/** What becomes of cards that are given up. A gap that the service did not refuse is asked for again in any case. */
const ONLY_A_BACKUP =
  'the service did not list them on two days. Only a backup brings them back: append it to the file.';
const ASKS_FOR_GAPS =
  'on two days the service did not list all of that time. Exports go on asking for the rest of it; or append a backup to the file.';

/** What the mending of a run works with. */
interface Mending {
  readonly history: WorkingHistory;
  readonly notes: Pick<Notes, 'warn'>;
  /** As in `ExportOptions`: nothing before it is listed again. */
  readonly since: number | undefined;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/**
 * Reads the months that may be damaged, warns of what the files lack, and makes holes of what is to be listed again. Months
 * of which nothing is listed again are counted as they are.
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
 * Notes how many cards the damaged lines held, before the lines are set aside. In a month that waits to be listed again they
 * are not counted twice.
 * @param now epoch milliseconds UTC
 */
export function noteDamagedLines(history: WorkingHistory, now: number): void {
  for (const file of history.months.damaged) {
    const counts = history.manifest.months[file.month];
    const before = counts?.missing;
    if (counts === undefined || (before !== undefined && before.listed_again === undefined))
      continue;
    const cards =
      before === undefined
        ? counts.cards - file.cards.size
        : before.cards + countDamaged(file.damaged);
    if (cards <= 0) continue;
    const partsBefore = spansOf(before?.listed_again?.parts ?? []);
    const parts = [...partsBefore, ...coveredHours(file, history)];
    history.noteMissing(file.month, {
      ...observed(before, now),
      cards,
      listed_again: listedAgain(file, parts),
    });
  }
}

/**
 * The hours of the damaged lines, as far as the list was read: cards of later hours, or of gaps, are new, and do not count as
 * found again.
 */
function coveredHours(file: MonthFile, { manifest }: WorkingHistory): Span[] {
  const coveredUntil = spansOf(manifest.spans)[0]?.until ?? 0;
  const hours = hoursOfDamage(file).map(({ since, until }) => ({
    since,
    until: Math.min(until, coveredUntil),
  }));
  return outsideGaps(hours, manifest.gaps);
}

/** What is kept of parts that are listed from now on. */
function listedAgain(file: MonthFile, parts: readonly Span[]): ListedAgain {
  return { parts: storedSpans(parts), cards: cardsWithin(file, parts) };
}

function cardsWithin({ cards }: MonthFile, parts: readonly Span[]): number {
  const isWithin = (at: number) => parts.some(({ since, until }) => at >= since && at <= until);
  return [...cards.values()].filter(({ at }) => isWithin(at)).length;
}

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
    notes.warn(`${lack} ${LISTS_TOMORROW}`);
    history.noteMissing(file.month, missing);
  }
}

/**
 * The parts of the list that are read again for a month which lost whole lines. The gaps among them are left out: the service
 * has not listed what is in them, so that lost cards were not there, and each is asked for when its own turn has come.
 */
function partsToList(
  file: Pick<MonthFile, 'month'>,
  missing: MissingCards,
  { history, since, now }: Omit<Mending, 'notes'>,
): Span[] {
  const part = partOfLostLines(file, missing, now);
  return part === undefined ? [] : partsFrom(outsideGaps([part], history.manifest.gaps), since);
}

/** Goes on with a month that is listed again. What did not come on an earlier UTC day is asked for once more. */
async function goOnListing(
  file: MonthFile,
  before: MissingCards,
  { history, notes, since, now }: Mending,
): Promise<void> {
  const missing = recounted(before, file);
  history.noteMissing(file.month, missing);
  if (missing?.listed_again === undefined) return;
  const { unlisted } = missing.listed_again;
  const parts = partsFrom(spansOf(missing.listed_again.parts), since);
  // `settleLosses` says what this run does about them.
  if (parts.length === 0) return;
  const lack = lackSentence(file, missing);
  if (unlisted !== undefined && isOfDay(unlisted, now)) {
    notes.warn(`${lack} ${ASKS_ONCE_MORE}`);
    return;
  }
  notes.warn(`${lack} ${LISTS_AGAIN}`);
  if (unlisted !== undefined) await history.uncover(parts);
}

function isOfDay({ last }: Observations, now: number): boolean {
  return utcDay(at(last)) === utcDay(now);
}

/** How many cards are missing, now that some of them may have come back. @returns undefined if all have */
function recounted(before: MissingCards, file: MonthFile): MissingCards | undefined {
  const { listed_again } = before;
  if (listed_again === undefined) return before;
  const cardsNow = cardsWithin(file, spansOf(listed_again.parts));
  const cards = before.cards - (cardsNow - listed_again.cards);
  if (cards <= 0) return undefined;
  return { ...before, cards, listed_again: { ...listed_again, cards: cardsNow } };
}

/**
 * At the end of a run: counts what came back. What the service did not list on two UTC days is given up, and the user is told
 * so once.
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
    const parts = partsFrom(spansOf(listed_again.parts), since);
    if (parts.length === 0) {
      notes.warn(lackSentence(file, missing));
      history.noteMissing(month, undefined);
      continue;
    }
    const isListed = parts.every((part) => isAnswered(part, history.manifest));
    // A run that began on the day of the last answer has not asked again, even if it ends on the next day.
    const wasAsked =
      listed_again.unlisted === undefined || !isOfDay(listed_again.unlisted, startedAt);
    if (!isListed || !wasAsked) continue;
    const unlisted = observed(listed_again.unlisted, now);
    if (isFinal('cards_unlisted', unlisted)) {
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

/** What the losses cost a run, for a quote. */
export interface LossesAhead {
  /** Cards whose outcomes are bought again, if the service still lists them. */
  readonly cards: number;
  /** Pages of the list. */
  readonly pages: number;
}

/** What a run would list again now. Writes nothing. @throws ScreenerError storage */
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
  // The lines of one place are on one page.
  if (file.damaged.length > 0)
    return { cards: countDamaged(file.damaged), pages: file.damaged.length };
  const missing = missingCards(file, history.manifest, now);
  if (missing === undefined) return NO_LOSS;
  const listed = history.manifest.months[file.month]?.missing?.listed_again;
  if (listed?.unlisted !== undefined) {
    const isDueToday = !isOfDay(listed.unlisted, now);
    return isDueToday ? { cards: 0, pages: pagesOf(listed.cards) } : NO_LOSS;
  }
  // If it is being listed already, there is a hole, of which a quote speaks in any case.
  if (listed !== undefined || !isFinal('cards_lost', missing)) return NO_LOSS;
  if (partsToList(file, missing, { history, since, now }).length === 0) return NO_LOSS;
  return { cards: missing.cards, pages: pagesOf(file.cards.size + missing.cards) };
}

function pagesOf(cards: number): number {
  return Math.max(1, Math.ceil(cards / LIMITS.cardsPerPage));
}
