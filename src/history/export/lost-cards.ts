/**
 * Cards that month files had, and lack now. For each month, `missing` in the manifest says what exports have found out and done:
 *
 * 1. `missing` alone: whole lines are gone. Perhaps the file is only away for an hour: a second UTC day of the service must see it,
 *    too.
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
import {
  isFinal,
  type Observations,
  observationsOf,
  secondLookFrom,
  withObservation,
} from '../store/final.ts';
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
}

/** What a mending at one moment works with. */
interface MendingAt extends Omit<Mending, 'notes'> {
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/** The lost cards as one run deals with them: it counts them, lists them again, and settles which are given up. */
export class LostCards {
  readonly #history: WorkingHistory;
  readonly #notes: Mending['notes'];
  readonly #since: number | undefined;
  /** The months that this run lists again. The user is told so. */
  readonly #listedAgain = new Set<string>();
  /** The months whose second look an earlier run has begun: this run goes on where it stopped. */
  readonly #begunSecondLooks = new Set<string>();

  constructor({ history, notes, since }: Mending) {
    this.#history = history;
    this.#notes = notes;
    this.#since = since;
  }

  /**
   * Reads the months that may be damaged, and counts the cards that the files lack. `fold` would forget them: it counts the cards
   * that the files have.
   * @param now epoch milliseconds UTC; it only says which months are read
   * @throws ScreenerError storage
   */
  async count(now: number): Promise<void> {
    const history = this.#history;
    if (history.isRebuilt)
      this.#notes.warn(
        `${MANIFEST_FILE} was damaged (${MANIFEST_FILE}.damaged has it). It is made again from the files beside it. The list is read again; an outcome that is in these files is not bought again.`,
      );
    await openMonthsToMend(history, now);
    for (const file of history.months.opened)
      history.noteMissing(file.month, this.#missingOf(file));
    this.noteDamagedLines();
    for (const { month, missing } of monthsWithMissing(history.manifest))
      if (hasBegunSecondLook(missing, history, this.#since)) this.#begunSecondLooks.add(month);
  }

  /**
   * Notes how many cards the damaged lines held, before the lines are set aside. A month that seems to have lost whole lines, too,
   * is left out until that is sure: then all of the month is listed again.
   */
  noteDamagedLines(): void {
    const history = this.#history;
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
        ...observationsOf(before ?? {}),
        cards,
        listed_again: listedAgain(file, parts),
      });
      // `mendDamage` tells the user so.
      this.#listedAgain.add(file.month);
    }
  }

  /** The cards that a file lacks when the run begins; undefined if it lacks none. */
  #missingOf(file: MonthFile): MissingCards | undefined {
    const { manifest } = this.#history;
    const before = manifest.months[file.month]?.missing;
    const isListedAgain =
      before?.listed_again !== undefined && !lacksMoreThanBefore(file, manifest);
    return isListedAgain ? recounted(before, file) : missingCards(file, manifest);
  }

  /**
   * Once it is sure that cards are lost, the parts of the list that had them no longer count as read: the run lists them again.
   * @param heard the service's time, epoch milliseconds UTC
   * @throws ScreenerError storage, busy
   */
  async listAgain(heard: number): Promise<void> {
    const { manifest, months } = this.#history;
    for (const { month, missing } of monthsWithMissing(manifest)) {
      if (this.#listedAgain.has(month)) continue;
      const file = await months.open(month);
      if (missing.listed_again === undefined) await this.#listIfLost(file, missing, heard);
      else await this.#goOnListing(file, missing, heard);
    }
  }

  /** Lists the parts of a month for the first time since its cards are missing, if they are lost. */
  async #listIfLost(file: MonthFile, before: MissingCards, heard: number): Promise<void> {
    const history = this.#history;
    const missing = { ...before, ...withObservation(observationsOf(before), heard) };
    const parts = this.#partsToList(file, missing, heard);
    // `settle` warns of these cards at the end of the run.
    if (parts.length === 0) return;
    if (isFinal(missing)) {
      this.#tellListing(file, missing);
      await history.uncover(parts);
      history.noteMissing(file.month, { ...missing, listed_again: listedAgain(file, parts) });
    } else {
      history.noteMissing(file.month, missing);
    }
  }

  /** Goes on with a month that is listed again. Parts that did not bring all cards are read once more on a later day. */
  async #goOnListing(file: MonthFile, before: MissingCards, heard: number): Promise<void> {
    const history = this.#history;
    const missing = recounted(before, file);
    history.noteMissing(file.month, missing);
    if (missing?.listed_again === undefined) return;
    const { parts: storedParts, unlisted } = missing.listed_again;
    const parts = partsFrom(partsOf(storedParts), this.#since);
    // All parts are older than --since. `settle` warns of their cards at the end of the run.
    if (parts.length === 0) return;
    if (unlisted !== undefined && !isSecondLook(unlisted, heard)) return;
    this.#tellListing(file, missing);
    const isToBegin = unlisted !== undefined && !this.#begunSecondLooks.has(file.month);
    if (isToBegin) await history.uncover(parts);
  }

  #tellListing(file: MonthFile, missing: MissingCards): void {
    this.#notes.warn(`${lackSentence(file, missing)} ${LISTS_AGAIN}`);
    this.#listedAgain.add(file.month);
  }

  /**
   * Counts at the end of a run which cards came again. Cards that the service did not list on two UTC days are given up, and the
   * user is told so once.
   * @param heard the service's time, epoch milliseconds UTC; undefined if the run has not heard it: then no card is given up
   *   that exports would list again
   * @param now when the run ends, epoch milliseconds UTC
   * @throws ScreenerError storage, busy
   */
  async settle(heard: number | undefined, now: number): Promise<void> {
    const history = this.#history;
    // The run may have heard the time only from its last pages.
    if (heard !== undefined) await this.listAgain(heard);
    for (const { month, missing: before } of monthsWithMissing(history.manifest)) {
      const file = await history.months.open(month);
      const missing = recounted(before, file);
      history.noteMissing(month, missing);
      if (missing === undefined) continue;
      if (this.#partsToList(file, missing, now).length === 0) {
        // Exports do nothing about these cards: the user is told of them once.
        this.#notes.warn(lackSentence(file, missing));
        history.noteMissing(month, undefined);
        continue;
      }
      const isSettled = heard !== undefined && (await this.#settleMonth(file, missing, heard));
      if (!isSettled && !this.#listedAgain.has(month)) this.#warnOfMissing(file, missing);
    }
  }

  /** @returns whether nothing is left to do for a month, and the user has been told why */
  async #settleMonth(file: MonthFile, missing: MissingCards, heard: number): Promise<boolean> {
    const history = this.#history;
    const { month } = file;
    const { listed_again } = missing;
    if (listed_again === undefined) return false;
    const parts = partsFrom(partsOf(listed_again.parts), this.#since);
    const isListed = parts.every((part) => isListAnswered(part, history.manifest));
    const { unlisted: unlistedBefore } = listed_again;
    // After the first look, only a run that lists the month once more has asked.
    const wasAsked = unlistedBefore === undefined || this.#listedAgain.has(month);
    if (!isListed || !wasAsked) return false;
    const unlisted = withObservation(unlistedBefore, heard);
    if (!isFinal(unlisted)) {
      history.noteMissing(month, { ...missing, listed_again: { ...listed_again, unlisted } });
      return false;
    }
    // Exports no longer ask for what the service refused. They go on asking for other gaps.
    const gaps = parts.reduce(gapsWithout, history.manifest.gaps);
    const isAskedAgain = parts.some((part) => gaps.some((gap) => overlaps(gap, part)));
    const cards = `${file.path} has lost ${pluralize(missing.cards, 'card')}`;
    this.#notes.warn(`${cards}: ${isAskedAgain ? ASKS_FOR_GAPS : ONLY_A_BACKUP}`);
    await history.savePage([], { gaps });
    history.noteMissing(month, undefined);
    return true;
  }

  /** Warns of cards that are missing, and that this run did not list again. */
  #warnOfMissing(file: MonthFile, missing: MissingCards): void {
    this.#notes.warn(`${lackSentence(file, missing)} ${whatNext(missing)}`);
  }

  /** The parts of the list that exports read, or have read, once more for a month. */
  #partsToList(file: MonthFile, missing: MissingCards, now: number): Part[] {
    const { listed_again } = missing;
    if (listed_again !== undefined) return partsFrom(partsOf(listed_again.parts), this.#since);
    return partsToList(file, missing, { history: this.#history, since: this.#since, now });
  }
}

/** What later exports do about missing cards. */
function whatNext({ listed_again }: MissingCards): string {
  if (listed_again === undefined) return LISTS_AFTER_A_DAY;
  return listed_again.unlisted === undefined ? LISTS_AGAIN : ASKS_ONCE_MORE;
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

/**
 * The parts of the list that are read again for a month that lost whole lines. Gaps are left out: the service never listed what
 * is in them, so no lost card was there. Each gap is asked for when it is due.
 */
function partsToList(
  file: Pick<MonthFile, 'month'>,
  missing: MissingCards,
  { history, since, now }: MendingAt,
): Part[] {
  const part = partOfLostLines(file, missing, now);
  return part === undefined ? [] : partsFrom(outsideGaps([part], history.manifest.gaps), since);
}

/** Whether one more observation would show that the service no longer lists the cards. */
function isSecondLook({ first }: Observations, now: number): boolean {
  return secondLookFrom(at(first)) <= now;
}

/**
 * Whether a run has begun to list the parts once more, and did not come to their end. Before it began, they were read to their
 * end.
 */
function hasBegunSecondLook(
  { listed_again }: MissingCards,
  { manifest }: Pick<WorkingHistory, 'manifest'>,
  since: number | undefined,
): boolean {
  if (listed_again?.unlisted === undefined) return false;
  const parts = partsFrom(partsOf(listed_again.parts), since);
  return !parts.every((part) => isListAnswered(part, manifest));
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

/** What a run does about lost cards, for a quote. */
export interface LossesAhead {
  /** Cards whose outcomes are bought again, if the service still lists them. */
  readonly cards: number;
  /** Pages of the list. */
  readonly pages: number;
}

/** What a run that began now would list again. Writes nothing. @throws ScreenerError storage */
export async function lossesAhead({ history, since, now }: MendingAt): Promise<LossesAhead> {
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

function lossOf(file: MonthFile, { history, since, now }: MendingAt): LossesAhead {
  // A page is enough for adjacent damaged lines.
  if (file.damaged.length > 0)
    return { cards: countDamaged(file.damaged), pages: file.damaged.length };
  const missing = missingCards(file, history.manifest);
  if (missing === undefined) return NO_LOSS;
  const observations = withObservation(observationsOf(missing), now);
  const listed = history.manifest.months[file.month]?.missing?.listed_again;
  if (listed?.unlisted !== undefined) {
    // The unread parts are counted elsewhere in a quote.
    if (hasBegunSecondLook({ ...missing, listed_again: listed }, history, since)) return NO_LOSS;
    return isSecondLook(listed.unlisted, now)
      ? { cards: 0, pages: pagesOf(listed.cards) }
      : NO_LOSS;
  }
  // A month that is being listed again is unread already, and a quote counts unread parts elsewhere.
  if (listed !== undefined || !isFinal(observations)) return NO_LOSS;
  if (partsToList(file, missing, { history, since, now }).length === 0) return NO_LOSS;
  return { cards: missing.cards, pages: pagesOf(file.cards.size + missing.cards) };
}

function pagesOf(cards: number): number {
  return Math.max(1, Math.ceil(cards / LIMITS.cardsPerPage));
}
