/**
 * Buys outcomes, each saved before the next is asked for. One at a time: the allowance per minute is the limit anyway,
 * and a kill can lose no more than the one answer in flight.
 */
import { formatApiTime } from '../api/time.ts';
import { NotSent } from '../api/transport-errors.ts';
import type { LimitName } from '../credits/credit-ceiling.ts';
import { type ErrorCode, ScreenerError } from '../errors.ts';
import type { Lateness } from './export-manifest.ts';
import type { ExportSession } from './export-session.ts';
import { dueAfter, learn } from './lateness.ts';
import { isSettled } from './layout.ts';
import type { Due } from './survey.ts';

/** So many fresh cards in a row that the server fails for are no longer a matter of single cards. */
const MOST_FAILURES_IN_A_ROW = 3;

/**
 * A card for which the server fails is passed over, and goes last in a later run: it must not keep the others from being
 * bought, nor cost a credit at every run. The run fails where the server fails for cards that never failed before.
 * @param due in the order in which they are bought
 * @param lateness what is known of how late outcomes come: it is learnt on the way, and what is then not due yet is left
 * @param most outcomes that the pace of the month allows
 * @returns what ended it before everything due was bought; null where nothing did
 * @throws ScreenerError of the client or the disk; the first failure of a fresh card, once the others are bought
 */
export async function buyOutcomes(
  session: ExportSession,
  due: readonly Due[],
  lateness: Lateness,
  most: number,
): Promise<LimitName | 'pace' | null> {
  let learnt = lateness;
  let ended: LimitName | 'pace' | null = null;
  let failure: ScreenerError | undefined;
  let failedInARow = 0;
  let requests = 0;
  const { clock, counts } = session;
  for (const { id, created_at, at, asked } of due) {
    const now = clock.now();
    if (now < at + dueAfter(learnt)) continue;
    const { credits, limit } = session.left();
    if (counts.outcomes >= most) ended = 'pace';
    else if (credits < 1) ended = limit;
    if (ended !== null) break;
    session.showProgress(Math.min(due.length, most, requests + credits), requests);
    requests += 1;
    const askedNow = { ...asked, at: formatApiTime(now) };
    try {
      const detail = await session.call('signal', { id });
      if (detail.id !== id) throw otherCardError(id, detail.id);
      counts.outcomes += 1;
      failedInARow = 0;
      if (asked.times === 0) learnt = learn(learnt, { age: now - at, settled: isSettled(detail) });
      const bought = { ...askedNow, times: asked.times + 1, failed: 0, not_found: false };
      await session.save({ kind: 'detail', detail, asked: bought });
    } catch (error) {
      if (!(error instanceof ScreenerError) || !concernsOneCard(error)) throw error;
      const not_found = error.code === 'not_found';
      const failed = { ...askedNow, failed: asked.failed + 1, not_found };
      const isGone = not_found && asked.not_found;
      await session.save(isGone ? { kind: 'gone', id, created_at } : { kind: 'failed', id, created_at, asked: failed });
      if (not_found) {
        counts.gone += 1;
        continue;
      }
      if (error.status === 503 && (asked.failed === 0 || error.retryAfter !== undefined)) throw error;
      if (asked.failed > 0) {
        session.notes.debug(`The outcome of card ${id} could not be bought again: ${error.message}`);
        continue;
      }
      const message = `The outcome of card ${id} could not be bought. ${error.message}`;
      failure ??= because(error, message, 'What was bought is saved; this one goes last in a later run.');
      failedInARow += 1;
      if (failedInARow < MOST_FAILURES_IN_A_ROW) continue;
      const others = `The next ${MOST_FAILURES_IN_A_ROW - 1} failed, too.`;
      const hint = 'What was bought is saved. Run the command again later: it begins with the others.';
      throw because(failure, `${failure.message} ${others}`, hint);
    }
  }
  if (failure !== undefined) throw failure;
  return ended;
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

function because(cause: ScreenerError, message: string, hint: string): ScreenerError {
  const { code, status, retryAfter, retryAt } = cause;
  return new ScreenerError(code, message, { hint, status, retryAfter, retryAt, cause });
}

function otherCardError(asked: number, given: number): ScreenerError {
  return new ScreenerError('bad_answer', `The server was asked for card ${asked} and gave card ${given}.`, {
    hint: 'What came before it is saved. Run the command again later.',
  });
}
