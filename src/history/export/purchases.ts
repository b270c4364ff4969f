/** Buys outcomes one at a time, each saved before the next: a kill loses no more than the answer in flight. */

import { NoAnswer } from '../../api/no-answer.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import type { Account } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { ScreenerError } from '../../errors.ts';
import { cardsOf } from '../store/journal.ts';
import { type Asked, dueAfter, isGone } from '../store/manifest.ts';
import { isAgainWorthwhile } from './apply-journal.ts';
import { outlookSentence } from './outlook.ts';
import type { PartResults } from './part-results.ts';
import type { RunPlan } from './plan.ts';
import { askedAgainAt } from './refused.ts';
import type { Session } from './session.ts';
import { type Due, inBuyingOrder } from './survey.ts';

/** So many cards in a row that fail are no longer about the cards: the operation is refused. */
const MOST_IN_A_ROW = 3;

/** Cards that failed before, of which a run asks again. */
const MOST_TRIED_AGAIN = 2;

/** A card whose detail this run could not have. */
interface FailedCard {
  readonly id: number;
  readonly message: string;
}

export class Purchases {
  outcomes = 0;
  /** Screener types whose medians were had. */
  medians = 0;
  gone = 0;
  readonly failed: FailedCard[] = [];
  /** Screener types that had outcomes to be bought before others. */
  readonly boughtFirst = new Set<string>();
  readonly #had = new Set<number>();
  readonly #session: Session;
  readonly #results: PartResults;
  #triedAgain = 0;
  /** The last failure while no detail was had, of a card that had not failed before, or of a part that had. */
  #failure: ScreenerError | undefined;

  constructor(session: Session, results: PartResults) {
    this.#session = session;
    this.#results = results;
  }

  /**
   * Buys what is due. Where the operation was refused, one card is asked for first, and not before its time.
   * @param aside credits for the rest of the run
   * @returns what ended it before all was bought; null if nothing did
   * @throws ScreenerError if no detail can be had now
   */
  async buyDue(
    { survey, pace, outlook }: RunPlan,
    aside: number,
  ): Promise<LimitName | 'pace' | 'refused' | null> {
    const { account, bar, client, history, isFirst, notes, options } = this.#session;
    const { focus = [], outcomes } = options;
    if (!outcomes) return null;
    if (survey.due.length > 0 && this.#mustWait()) return 'refused';
    for (const { type } of survey.due) if (focus.includes(type)) this.boughtFirst.add(type);
    const due = inBuyingOrder(survey.due, focus);
    const wanted = Math.min(due.length, pace.now);
    const buys = Math.min(wanted, Math.max(0, account.left().credits - aside));
    if (isFirst && this.outcomes === 0 && buys < due.length)
      notes.note(
        `Buying ${buys} of ${due.length} due outcomes now${outlook ? `; ${outlookSentence(outlook)}` : ''}.`,
      );
    const before = this.outcomes;
    /** They failed while no other was had: once one is, all of them are asked for again. */
    const refused = new Set(history.manifest.failed_in_a_row);
    // A run that was suspended may still get the answer for the first one: it is bought by the next run.
    for (const card of history.lock?.tookOver ? due.slice(1) : due) {
      const { lateness } = history.manifest;
      if (client.now() < card.at + dueAfter(lateness)) continue;
      if (card.again && !isAgainWorthwhile(lateness)) continue;
      const triedBefore = card.asked.failed > 0 && !refused.has(card.id);
      if (triedBefore && this.#triedAgain === MOST_TRIED_AGAIN) break;
      const { limit, credits } = account.left();
      const done = this.outcomes - before;
      if (done >= pace.now) return 'pace';
      if (credits - aside < 1) return limit;
      bar.show('Outcomes', done, Math.min(wanted, done + credits - aside));
      this.#triedAgain += Number(triedBefore);
      await this.#buy(card).catch((error: unknown) => this.#passOver(card, error));
    }
    // Where no card was had it may be the operation: there were too few to tell.
    if (this.#failure !== undefined) throw this.#failure;
    return null;
  }

  get #isRefused(): boolean {
    return this.#session.history.manifest.failed_in_a_row.length >= MOST_IN_A_ROW;
  }

  #mustWait(): boolean {
    const failure = this.#results.failureOf('details');
    if (failure === null || this.#results.hasFailed('details')) return false;
    return askedAgainAt(failure) > this.#session.client.now();
  }

  async #buy({ id, asked }: Due): Promise<void> {
    const { account, client, history } = this.#session;
    const at = formatApiTime(client.now());
    await account.buyingCard(id, async (lock) => {
      // Another command may have bought it since the run began.
      for (const card of (await history.readJournal()).flatMap(cardsOf)) this.#had.add(card.id);
      if (this.#had.has(id)) return;
      const detail = await client.call('signal', { id }, { once: true, lock });
      this.outcomes += 1;
      const entry = { at, times: asked.times + 1, failed: 0, not_found: false };
      await history.save({ kind: 'detail', detail, asked: entry });
    });
    this.#failure = undefined;
    this.#results.succeed('details');
  }

  /** A card must not keep others back, nor cost each run. @throws the error, if it is not about this card alone */
  async #passOver({ id, asked }: Due, error: unknown): Promise<void> {
    const { account, client, history } = this.#session;
    if (!(error instanceof ScreenerError) || !concernsOneCard(error, account)) throw error;
    const wasRefused = this.#isRefused;
    const at = formatApiTime(client.now());
    const failure: Asked = { ...asked, at, failed: asked.failed + 1, not_found: false };
    // A 404 says that the card is gone only where others are there.
    if (error.code === 'not_found' && (this.outcomes > 0 || asked.not_found)) {
      failure.not_found = true;
      failure.not_found_since = asked.not_found_since ?? at;
    }
    await history.save({ kind: 'failed', id, asked: failure });
    if (isGone(failure)) {
      this.gone += 1;
      return;
    }
    this.failed.push({ id, message: error.message });
    if (failure.not_found) return;
    const isDoubted = asked.failed === 0 || this.#results.failureOf('details') !== null;
    if (this.outcomes === 0 && isDoubted) this.#failure = error;
    if (wasRefused || this.#isRefused) throw refusedDetails(error);
  }
}

/** A 404 is said to be of one card: of several in a row it is of the operation. */
function refusedDetails(error: ScreenerError): ScreenerError {
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
 * Whether the next card may be had. Retry-After says when, not what: only a 429 or 503 that asks for more time than the
 * user waits holds the operation.
 */
function concernsOneCard(
  { scope, code, cause }: ScreenerError,
  { gate }: Pick<Account, 'gate'>,
): boolean {
  if (scope === 'card') return true;
  if (scope !== 'moment' || code === 'quota_exhausted') return false;
  if (cause instanceof NoAnswer && !cause.hasLeft) return false;
  return gate.holdOn(OPERATIONS.signal.path) === undefined;
}
