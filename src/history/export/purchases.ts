/** Buys outcomes one at a time, each saved before the next: a kill loses no more than the answer in flight. */

import { NoAnswer } from '../../api/no-answer.ts';
import { formatApiTime } from '../../api/time.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { ScreenerError } from '../../errors.ts';
import { cardsOf } from '../store/journal.ts';
import { dueAfter, isGone } from '../store/manifest.ts';
import { isAgainWorthwhile } from './apply-journal.ts';
import { outlookSentence } from './outlook.ts';
import type { RunPlan } from './plan.ts';
import type { Session } from './session.ts';
import { type Due, inBuyingOrder } from './survey.ts';

const MOST_FAILURES_IN_A_ROW = 3;

const MOST_TRIED_AGAIN = 2;

export class Purchases {
  outcomes = 0;
  /** Screener types whose medians were had. */
  medians = 0;
  gone = 0;
  readonly failed: { readonly id: number; readonly message: string }[] = [];
  /** Screener types that had outcomes to be bought before others. */
  readonly boughtFirst = new Set<string>();
  readonly #had = new Set<number>();
  readonly #session: Session;
  #triedAgain = 0;
  #failedInARow = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** @param aside credits for the rest of the run @returns what ended it before all was bought; null if nothing did */
  async buyDue(
    { survey, pace, outlook }: RunPlan,
    aside: number,
  ): Promise<LimitName | 'pace' | null> {
    const { account, bar, client, history, isFirst, notes, options } = this.#session;
    const { focus = [], outcomes } = options;
    if (!outcomes) return null;
    for (const { type } of survey.due) if (focus.includes(type)) this.boughtFirst.add(type);
    const due = inBuyingOrder(survey.due, focus);
    const wanted = Math.min(due.length, pace.now);
    const buys = Math.min(wanted, Math.max(0, account.left().credits - aside));
    if (isFirst && this.outcomes === 0 && buys < due.length)
      notes.note(
        `Buying ${buys} of ${due.length} due outcomes now${outlook ? `; ${outlookSentence(outlook)}` : ''}.`,
      );
    const before = this.outcomes;
    this.#failedInARow = 0;
    // A run that was suspended may still get the answer for the first one: it is bought by the next run.
    for (const card of history.lock?.tookOver ? due.slice(1) : due) {
      const { lateness } = history.manifest;
      if (
        client.now() < card.at + dueAfter(lateness) ||
        (card.again && !isAgainWorthwhile(lateness))
      )
        continue;
      const triedBefore = card.asked.failed > 0;
      if (triedBefore && this.#triedAgain === MOST_TRIED_AGAIN) break;
      const { limit, credits } = account.left();
      const done = this.outcomes - before;
      if (done >= pace.now) return 'pace';
      if (credits - aside < 1) return limit;
      bar.show('Outcomes', done, Math.min(wanted, done + credits - aside));
      this.#triedAgain += Number(triedBefore);
      await this.#buy(card).catch((error: unknown) => this.#passOver(card, error));
    }
    return null;
  }

  async #buy({ id, asked }: Due): Promise<void> {
    const { account, client, history } = this.#session;
    const at = formatApiTime(client.now());
    await account.buyingCard(id, async (lock) => {
      // Another command may have bought it since the run began.
      for (const one of (await history.readJournal()).flatMap(cardsOf)) this.#had.add(one.id);
      if (this.#had.has(id)) return;
      const detail = await client.call('signal', { id }, { once: true, lock });
      this.outcomes += 1;
      const entry = { at, times: asked.times + 1, failed: 0, not_found: false };
      await history.save({ kind: 'detail', detail, asked: entry });
    });
    this.#failedInARow = 0;
  }

  /** A card must not keep others back, nor cost each run. @throws the error, if it is not about this card alone */
  async #passOver({ id, asked }: Due, error: unknown): Promise<void> {
    const { client, history } = this.#session;
    if (!(error instanceof ScreenerError) || !concernsOneCard(error)) throw error;
    if (error.cause instanceof NoAnswer && !error.cause.hasLeft) throw error;
    // A 404 says that the card is gone only where others are there.
    const not_found = error.code === 'not_found' && (this.outcomes > 0 || asked.not_found);
    const failure = {
      ...asked,
      at: formatApiTime(client.now()),
      failed: asked.failed + 1,
      not_found,
    };
    await history.save({ kind: 'failed', id, asked: failure });
    this.gone += Number(isGone(failure));
    if (isGone(failure)) return;
    if (error.retryAfter !== undefined) throw error;
    this.failed.push({ id, message: error.message });
    if (!not_found && asked.failed === 0) this.#failedInARow += 1;
    if (this.#failedInARow < MOST_FAILURES_IN_A_ROW) return;
    if (error.code !== 'not_found') throw error;
    const text = `The service lists cards, but answers 404 for the details of ${MOST_FAILURES_IN_A_ROW} in a row.`;
    throw new ScreenerError('not_found', text, {
      hint: 'Later runs ask again.',
      status: error.status,
      cause: error,
    });
  }
}

/** A 429 keeps every card from being bought until its time is over. */
function concernsOneCard({ scope, code }: ScreenerError): boolean {
  return scope === 'card' || (scope === 'moment' && code !== 'quota_exhausted');
}
