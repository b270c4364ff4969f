/**
 * Buys outcomes, oldest first, each saved before the next is asked for. One at a time: the allowance per minute is the
 * limit anyway, and a kill can lose no more than the one answer in flight.
 */
import { formatApiTime } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { Due } from './due.ts';
import type { ExportSession } from './export-session.ts';

/** So many cards in a row that the server fails for are no longer a matter of single cards. */
const MOST_FAILURES_IN_A_ROW = 3;

/**
 * A card for which the server fails is passed over, and asked for again in a later run: it must not keep the others
 * from being bought, nor cost a credit at every session.
 * @returns false where the budget ended it
 * @throws ScreenerError of the client or the disk; the first failure of a card, once the others are bought
 */
export async function buyOutcomes(session: ExportSession, due: readonly Due[]): Promise<boolean> {
  let failure: ScreenerError | undefined;
  let inARow = 0;
  for (const card of due) {
    if (session.budget.left() < 1) return false;
    session.showProgress(due.length);
    const asked = { times: card.asked + 1, at: formatApiTime(session.clock.now()) };
    try {
      const detail = await session.call('signal', { id: card.id });
      if (detail.id !== card.id) throw otherCardError(card.id, detail.id);
      session.counts.outcomes += 1;
      inARow = 0;
      await session.save({ kind: 'detail', detail, asked });
    } catch (error) {
      if (!(error instanceof ScreenerError)) throw error;
      if (error.code === 'not_found') {
        session.counts.notFound += 1;
        await session.save({ kind: 'gone', id: card.id, created_at: card.created_at });
        continue;
      }
      if (!concernsOneCard(error)) throw error;
      failure ??= ofCard(card.id, error);
      await session.save({ kind: 'failed', id: card.id, created_at: card.created_at, asked });
      inARow += 1;
      if (inARow === MOST_FAILURES_IN_A_ROW) throw failure;
    }
  }
  if (failure !== undefined) throw failure;
  return true;
}

/** Answers that may well be different for the next card. */
function concernsOneCard({ code, status }: ScreenerError): boolean {
  const failed = code === 'unavailable' && status !== undefined && status !== 503;
  return failed || code === 'invalid_arguments' || code === 'bad_answer';
}

function ofCard(id: number, error: ScreenerError): ScreenerError {
  const { code, status, retryAfter, retryAt } = error;
  return new ScreenerError(code, `The outcome of card ${id} could not be had. ${error.message}`, {
    hint: 'The other outcomes are bought; this one is asked for again in a later session.',
    status,
    retryAfter,
    retryAt,
    cause: error,
  });
}

function otherCardError(asked: number, given: number): ScreenerError {
  return new ScreenerError('bad_answer', `The server was asked for card ${asked} and gave card ${given}.`, {
    hint: 'What came before it is saved. Run the command again later.',
  });
}
