/** Buys outcomes one at a time. Each is saved before the next is asked for: a kill loses at most the answer under way. */
import { NoAnswer } from '../../api/no-answer.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import type { Account } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { ScreenerError } from '../../errors.ts';
import { withObservation } from '../store/final.ts';
import { cardsOf } from '../store/journal.ts';
import { type DetailRequests, dueAfter, isGone, notFoundObservations } from '../store/manifest.ts';
import { areLaterPurchasesWorthwhile } from './apply-journal.ts';
import type { ExportRun } from './export-run.ts';
import { heardTime } from './heard-time.ts';
import type { Listing } from './listing.ts';
import { outlookSentence } from './outlook.ts';
import type { PartResults } from './part-results.ts';
import type { RunPlan } from './plan.ts';
import { retryTimeOfPart } from './refused.ts';
import { type BuyableCard, inBuyingOrder } from './survey.ts';

/** If the details of three cards in a row fail, the operation is at fault, not the cards. */
const MOST_IN_A_ROW = 3;

/** How many cards that failed alone in earlier runs one run asks for again. */
const MOST_TRIED_AGAIN = 2;

/** A card whose detail this run asked for and did not get, though the card is not known to be gone. */
interface FailedCard {
  readonly id: number;
  readonly message: string;
}

/** What one call of `buyDue` may buy. */
interface PurchaseLimits {
  /** Outcomes that the pace allows; Infinity if it allows all. */
  readonly byPace: number;
  /** Outcomes that the pace allows, but no more than can be bought. */
  readonly wanted: number;
  /** Credits that the rest of the run needs. */
  readonly creditsForRest: number;
  /** Outcomes that this run had bought before. */
  readonly outcomesBefore: number;
}

/** What one run buys. */
export class Purchases {
  /** Outcomes that this run bought. */
  outcomes = 0;
  /** Screener types whose medians this run got. */
  medians = 0;
  /** Cards that this run found to be gone: the service no longer has them. */
  gone = 0;
  /** Cards whose details this run asked for and did not get. Cards that are gone are counted in `gone` only. */
  readonly failed: FailedCard[] = [];
  /** Types of --focus of which an outcome could be bought. Their outcomes come before all others. */
  readonly boughtFirst = new Set<string>();
  /** Cards whose details are in the journal: this run bought them, or another command bought them during this run. */
  readonly #bought = new Set<number>();
  readonly #run: ExportRun;
  readonly #results: PartResults;
  readonly #listing: Listing;
  /** How many cards that failed alone before were asked for again. */
  #triedAgain = 0;
  /** Whether the user was told how many outcomes this run buys. */
  #hasAnnounced = false;
  /**
   * The last failure of a card, as long as this run has bought no outcome. Perhaps the service refuses the operation, and not only
   * this card: if no detail comes after the failure, to this run or to another command, the failure is thrown.
   */
  #unexplained: ScreenerError | undefined;

  constructor(run: ExportRun, results: PartResults, listing: Listing) {
    this.#run = run;
    this.#results = results;
    this.#listing = listing;
  }

  /**
   * Buys due outcomes.
   * @param creditsForRest credits that the rest of the run needs
   * @returns what ended it before all was bought; null if nothing did. Cards that failed alone may still wait for a later run.
   * @throws ScreenerError if no detail can be had now
   */
  async buyDue(
    plan: RunPlan,
    creditsForRest: number,
  ): Promise<LimitName | 'pace' | 'refused' | null> {
    const { history, options } = this.#run;
    const { survey, pace } = plan;
    if (!options.outcomes) return null;
    if (survey.buyable.length > 0 && this.#mustWait()) return 'refused';
    this.#noteFocus(survey.buyable);
    const limits: PurchaseLimits = {
      byPace: pace.mostThisRun,
      wanted: Math.min(survey.buyable.length, pace.mostThisRun),
      creditsForRest,
      outcomesBefore: this.outcomes,
    };
    this.#announce(plan, Math.min(limits.wanted, this.#affordable(limits)));
    // Cards that failed in a row are all asked for again: the operation may have been at fault, not the cards.
    const failedTogether = new Set(history.manifest.failed_in_a_row);
    const inOrder = inBuyingOrder(survey.buyable, options.focus ?? []);
    for (const card of this.#withoutCardInFlight(inOrder)) {
      if (!this.#isWorthAsking(card)) continue;
      const failedAlone = card.requests.failed > 0 && !failedTogether.has(card.id);
      if (failedAlone && this.#triedAgain === MOST_TRIED_AGAIN) continue;
      const end = this.#endOf(limits);
      if (end !== undefined) return end;
      this.#showProgress(limits);
      if (failedAlone) this.#triedAgain += 1;
      await this.#buyOrPassOver(card);
    }
    // No detail came after this failure, but fewer than three cards failed in a row: `#passOver` therefore threw nothing.
    if (this.#unexplained !== undefined) throw this.#unexplained;
    return null;
  }

  /** Notes which types of --focus have an outcome that can be bought now. */
  #noteFocus(cards: readonly BuyableCard[]): void {
    const { focus = [] } = this.#run.options;
    for (const { type } of cards) if (focus.includes(type)) this.boughtFirst.add(type);
  }

  /** How many outcomes the credits suffice for now, if the credits for the rest of the run are kept. */
  #affordable({ creditsForRest }: PurchaseLimits): number {
    return Math.max(0, this.#run.account.left().credits - creditsForRest);
  }

  /**
   * What forbids one more purchase: a limit of credits, or the pace. If both forbid it, the limit is named: users are told that
   * --all-credits ends the pace, but --all-credits would not help against the limit.
   * @returns undefined if nothing does
   */
  #endOf(limits: PurchaseLimits): LimitName | 'pace' | undefined {
    if (this.#affordable(limits) < 1) return this.#run.account.left().limit;
    return this.#boughtOf(limits) >= limits.byPace ? 'pace' : undefined;
  }

  /** How many outcomes this call of `buyDue` has bought. */
  #boughtOf({ outcomesBefore }: PurchaseLimits): number {
    return this.outcomes - outcomesBefore;
  }

  #showProgress(limits: PurchaseLimits): void {
    const bought = this.#boughtOf(limits);
    const most = Math.min(limits.wanted, bought + this.#affordable(limits));
    this.#run.bar.show('Outcomes', bought, most);
  }

  async #buyOrPassOver(card: BuyableCard): Promise<void> {
    try {
      await this.#buy(card);
    } catch (error) {
      await this.#passOver(card, error);
    }
  }

  /** Whether the operation was refused by an earlier run, and its turn to be asked again has not come. */
  #mustWait(): boolean {
    const failure = this.#results.failureOf('details');
    return failure !== null && retryTimeOfPart(failure) > this.#run.client.now();
  }

  /** Tells the user once, in a first run, that it does not buy all outcomes. @param toBuy how many it buys */
  #announce({ survey, outlook }: RunPlan, toBuy: number): void {
    const { isFirstRun, notes, options } = this.#run;
    const buyable = survey.buyable.length;
    if (!isFirstRun || this.#hasAnnounced || this.outcomes > 0 || toBuy >= buyable) return;
    this.#hasAnnounced = true;
    const prospect = outlook === undefined ? '' : `; ${outlookSentence(outlook, options.focus)}`;
    notes.note(`Buying ${toBuy} of ${buyable} due outcomes now${prospect}.`);
  }

  /**
   * The cards without the first, if this run has taken over from a run that was killed or suspended. A suspended run may still get
   * the answer to its request, which was for the first card, unless a newly due card comes before it by now. If no answer comes, the
   * next run buys the outcome of that card.
   */
  #withoutCardInFlight(cards: readonly BuyableCard[]): readonly BuyableCard[] {
    return this.#run.history.lock?.tookOver ? cards.slice(1) : cards;
  }

  /** Whether the service may have the outcome. Each purchase may change `lateness`: it is therefore read for each card. */
  #isWorthAsking({ at, isRepeatPurchase }: BuyableCard): boolean {
    const { client, history } = this.#run;
    const { lateness } = history.manifest;
    if (client.now() < at + dueAfter(lateness)) return false;
    return !isRepeatPurchase || areLaterPurchasesWorthwhile(lateness);
  }

  async #buy({ id, requests }: BuyableCard): Promise<void> {
    const { account, client, history } = this.#run;
    const at = formatApiTime(client.now());
    await account.buyingCard(id, async (lock) => {
      // Another command may have bought this card's outcome since the run began.
      const newCards = (await history.takeInJournal()).flatMap(cardsOf);
      for (const card of newCards) this.#bought.add(card.id);
      if (this.#bought.has(id)) return;
      const detail = await client.call('signal', { id }, { noRetryOfLostAnswer: true, lock });
      this.outcomes += 1;
      const entry = { at, times: requests.times + 1, failed: 0, not_found: false };
      await history.save({ kind: 'detail', detail, asked: entry });
    });
    // A detail that another command bought also shows that the operation works.
    this.#unexplained = undefined;
    this.#results.succeed('details');
  }

  /**
   * Writes down that a card failed. The next cards are then bought, and later runs ask for this card at growing intervals only.
   * @throws the error, if it is not about this card alone; or `errorOfOperation`, if three cards in a row have failed. If three
   *   had failed in a row before this card already, one more failure is enough.
   */
  async #passOver({ id, requests }: BuyableCard, error: unknown): Promise<void> {
    const { account, client, history } = this.#run;
    if (!(error instanceof ScreenerError) || !isOfOneCard(error, account)) throw error;
    const wasRefusedBefore = this.#isOperationRefused;
    const at = formatApiTime(client.now());
    const failure: DetailRequests = {
      ...requests,
      at,
      failed: requests.failed + 1,
      not_found: false,
    };
    if (error.code === 'not_found' && this.#isCardMissing(requests)) {
      failure.not_found = true;
      const heard = heardTime(this.#run, this.#listing);
      if (heard !== undefined) {
        const { first, last } = withObservation(notFoundObservations(requests), heard);
        failure.not_found_since = first;
        failure.not_found_at = last;
      }
    }
    // This also adds the card to `failed_in_a_row`, which `#isOperationRefused` reads.
    await history.save({ kind: 'failed', id, asked: failure });
    if (isGone(failure)) {
      this.gone += 1;
      return;
    }
    this.failed.push({ id, message: error.message });
    // A card that is missing says nothing against the operation.
    if (failure.not_found) return;
    // The card failed in an earlier run, while the details of other cards came.
    const isFaultOfCard = requests.failed > 0 && this.#results.failureOf('details') === null;
    if (this.outcomes === 0 && !isFaultOfCard) this.#unexplained = error;
    if (wasRefusedBefore || this.#isOperationRefused) throw errorOfOperation(error);
  }

  /**
   * Whether a 404 means that the card is missing: only if the details of other cards come. A card that counts as missing already
   * may be the only one left to ask for. Its 404 then counts, too, unless the details of others have failed since any came.
   */
  #isCardMissing({ not_found: wasMissing }: DetailRequests): boolean {
    if (this.outcomes > 0) return true;
    const haveOthersFailed =
      this.#unexplained !== undefined || this.#results.failureOf('details') !== null;
    return wasMissing && !haveOthersFailed;
  }

  get #isOperationRefused(): boolean {
    return this.#run.history.manifest.failed_in_a_row.length >= MOST_IN_A_ROW;
  }
}

/**
 * The error to throw if the operation is refused: the error of its last card. Only a 404 is replaced, because the words of a 404
 * are about one card.
 */
function errorOfOperation(error: ScreenerError): ScreenerError {
  if (error.code !== 'not_found') return error;
  const text = `The service lists cards, but answers 404 for the details of ${MOST_IN_A_ROW} in a row.`;
  return new ScreenerError('not_found', text, {
    hint: 'Later runs ask again.',
    status: error.status,
    scope: 'operation',
    cause: error,
  });
}

/**
 * Whether a failure is about one card: the next card may then be asked for. A 429 is about the operation. A failure with the
 * scope `moment` is about the operation if the gate then holds it, because Retry-After is longer than --max-wait.
 */
function isOfOneCard(
  { scope, code, cause }: ScreenerError,
  { gate }: Pick<Account, 'gate'>,
): boolean {
  if (scope === 'card') return true;
  if (scope !== 'moment' || code === 'quota_exhausted') return false;
  const isUnreachable = cause instanceof NoAnswer && !cause.wasSent;
  if (isUnreachable) return false;
  return gate.longHoldOn(OPERATIONS.signal.path) === undefined;
}
