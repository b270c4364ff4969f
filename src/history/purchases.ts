/**
 * Buys outcomes, each saved before the next is asked for. One at a time: the allowance per minute is the limit anyway,
 * and a kill can lose no more than the one answer in flight.
 */
import { formatApiTime } from '../api/time.ts';
import { NotSent } from '../api/transport-errors.ts';
import { type ErrorCode, ScreenerError } from '../errors.ts';
import type { Lateness } from './export-manifest.ts';
import type { ExportSession } from './export-session.ts';
import { dueAfter, learn } from './lateness.ts';
import type { Due } from './selection.ts';
import { isSettled } from './updates.ts';

/** So many fresh cards in a row that the server fails for are no longer a matter of single cards. */
const MOST_FAILURES_IN_A_ROW = 3;

/**
 * A card for which the server fails is passed over, and goes last in a later run: it must not keep the others from being
 * bought, nor cost a credit at every run. The run fails where the server fails for cards that never failed before.
 * @param due in the order in which they are bought
 * @param lateness what is known of how late outcomes come: it is learnt on the way, and what is then not due yet is left
 * @param most outcomes that the pace of the month allows
 * @returns what ended it before everything due was bought
 * @throws ScreenerError of the client or the disk; the first failure of a fresh card, once the others are bought
 */
export async function buyOutcomes(
  session: ExportSession,
  due: readonly Due[],
  lateness: Lateness,
  most: number,
): Promise<'budget' | 'pace' | undefined> {
  let learnt = lateness;
  let failure: ScreenerError | undefined;
  let inARow = 0;
  let asked = 0;
  const { clock, counts } = session;
  for (const card of due) {
    const now = clock.now();
    if (now < card.at + dueAfter(learnt)) continue;
    if (counts.outcomes >= most) return failed(failure) ?? 'pace';
    if (session.budget.left() < 1) return failed(failure) ?? 'budget';
    session.showProgress(Math.min(due.length, most, asked + session.budget.left()), asked);
    asked += 1;
    const at = formatApiTime(now);
    try {
      const detail = await session.call('signal', { id: card.id });
      if (detail.id !== card.id) throw otherCardError(card.id, detail.id);
      counts.outcomes += 1;
      inARow = 0;
      if (card.times === 0) learnt = learn(learnt, { age: now - card.at, settled: isSettled(detail) });
      await session.save({ kind: 'detail', detail, asked: { times: card.times + 1, at, failed: 0, not_found: false } });
    } catch (error) {
      if (!(error instanceof ScreenerError) || !concernsOneCard(error)) throw error;
      const isNotFound = error.code === 'not_found';
      await session.save(
        isNotFound && card.notFound
          ? { kind: 'gone', id: card.id, created_at: card.created_at }
          : {
              kind: 'failed',
              id: card.id,
              created_at: card.created_at,
              asked: { times: card.times, at, failed: card.failed + 1, not_found: isNotFound },
            },
      );
      if (isNotFound) {
        counts.notFound += 1;
        continue;
      }
      if (error.status === 503 && (card.failed === 0 || error.retryAfter !== undefined)) throw error;
      if (card.failed > 0) {
        session.notes.debug(`The outcome of card ${card.id} could not be had again: ${error.message}`);
        continue;
      }
      failure ??= ofCard(card.id, error);
      inARow += 1;
      if (inARow === MOST_FAILURES_IN_A_ROW) throw ofService(failure);
    }
  }
  return failed(failure);
}

function failed(failure: ScreenerError | undefined): undefined {
  if (failure !== undefined) throw failure;
}

/** Failures of the account, the quota, this machine or the user's will: no card is to blame. */
const NOT_OF_A_CARD: readonly ErrorCode[] = [
  'unauthorized',
  'pro_required',
  'not_logged_in',
  'quota_exhausted',
  'budget_reached',
  'interrupted',
  'busy',
  'storage',
];

/** Answers, or lost answers, that may well be different for the next card. */
function concernsOneCard({ code, cause }: ScreenerError): boolean {
  return !NOT_OF_A_CARD.includes(code) && !(cause instanceof NotSent);
}

function ofCard(id: number, error: ScreenerError): ScreenerError {
  const { code, status, retryAfter, retryAt } = error;
  return new ScreenerError(code, `The outcome of card ${id} could not be had. ${error.message}`, {
    hint: 'What was bought is saved; this one goes last in a later run.',
    status,
    retryAfter,
    retryAt,
    cause: error,
  });
}

function ofService(error: ScreenerError): ScreenerError {
  const { code, status, retryAfter, retryAt, cause } = error;
  return new ScreenerError(code, `${error.message} The next ${MOST_FAILURES_IN_A_ROW - 1} could not be had either.`, {
    hint: 'What was bought is saved. Run the command again later: it begins with the others.',
    status,
    retryAfter,
    retryAt,
    cause,
  });
}

function otherCardError(asked: number, given: number): ScreenerError {
  return new ScreenerError('bad_answer', `The server was asked for card ${asked} and gave card ${given}.`, {
    hint: 'What came before it is saved. Run the command again later.',
  });
}
