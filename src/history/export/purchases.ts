/** Buys outcomes one at a time, each saved before the next: a kill loses no more than the answer in flight. */
import { formatApiTime } from '../../api/time.ts';
import { NoAnswer } from '../../api/transport-errors.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { endsEverything, ScreenerError } from '../../errors.ts';
import { dueAfter, isAgainWorthwhile } from './lateness.ts';
import type { ExportSession } from './session.ts';
import type { Due } from './survey.ts';

const MOST_FAILURES_IN_A_ROW = 3;

const MOST_TRIED_AGAIN = 2;

/**
 * Passes over a card for which the service fails: it must not keep others back, nor cost each run.
 * @param due in buying order
 * @param most outcomes that the pace of the month allows
 * @param aside credits that are left for the rest of the run
 * @returns what ended it before everything due was bought; null if nothing did
 * @throws ScreenerError of the client or the disk; the first of several failures in a row
 */
export async function buyOutcomes(
  session: ExportSession,
  due: readonly Due[],
  { most, aside }: { readonly most: number; readonly aside: number },
): Promise<LimitName | 'pace' | null> {
  let ended: LimitName | 'pace' | null = null;
  const failed: { id: number; error: ScreenerError }[] = [];
  let failedInARow = 0;
  let requests = 0;
  let bought = 0;
  const { clock, counts } = session;
  let { lateness } = session.manifest();
  const elsewhere = new Set<number>();
  // A run that was suspended may still get the answer for the first one: it is bought by the next run.
  for (const { id, created_at, at, asked, again } of session.history.lock.tookOver ? due.slice(1) : due) {
    const now = clock.now();
    for (const other of await session.history.journal.readBeside()) elsewhere.add(other);
    if (elsewhere.has(id)) continue;
    if (now < at + dueAfter(lateness) || (again && !isAgainWorthwhile(lateness))) continue;
    if (asked.failed > 0 && counts.triedAgain === MOST_TRIED_AGAIN) break;
    const { limit, ...left } = session.account.left();
    const credits = left.credits - aside;
    if (bought >= most) ended = 'pace';
    else if (credits < 1) ended = limit;
    if (ended !== null) break;
    session.showProgress('Outcomes', requests, Math.min(due.length, most, requests + credits));
    requests += 1;
    session.requests += 1;
    counts.triedAgain += asked.failed > 0 ? 1 : 0;
    const askedNow = { ...asked, at: formatApiTime(now) };
    try {
      const detail = await session.callOnce('signal', { id });
      if (detail.id !== id) throw otherCardError(id, detail.id);
      counts.outcomes += 1;
      bought += 1;
      failedInARow = 0;
      const answered = { ...askedNow, times: asked.times + 1, failed: 0, not_found: false };
      await session.save({ kind: 'detail', detail, asked: answered });
      ({ lateness } = session.manifest());
    } catch (error) {
      if (!isAboutThisCard(error)) throw error;
      const not_found = error.code === 'not_found';
      const isGone = not_found && asked.not_found;
      if (isGone) {
        await session.save({ kind: 'gone', id, created_at });
        continue;
      }
      await session.save({
        kind: 'failed',
        id,
        created_at,
        asked: { ...askedNow, failed: asked.failed + 1, not_found },
      });
      if (error.retryAfter !== undefined) throw error;
      failed.push({ id, error });
      if (not_found || asked.failed > 0) continue;
      failedInARow += 1;
      if (failedInARow === MOST_FAILURES_IN_A_ROW) throw rowOfFailures(failed.slice(-MOST_FAILURES_IN_A_ROW));
    }
  }
  const [first, ...others] = failed;
  if (first !== undefined) {
    const cards = others.length === 0 ? `card ${first.id}` : `card ${first.id} and ${others.length} more`;
    session.notes.note(`No outcome of ${cards}, will be asked for again in a later run: ${first.error.message}`);
  }
  return ended;
}

function rowOfFailures(failed: readonly { id: number; error: ScreenerError }[]): ScreenerError {
  const [first] = failed;
  if (first === undefined) throw new RangeError('a row of no failures');
  const { id, error } = first;
  const { code, status, retryAt } = error;
  return new ScreenerError(
    code,
    `The outcome of card ${id} could not be bought. ${error.message} The next ${failed.length - 1} failed, too.`,
    {
      hint: 'What was bought is saved. Run the command again later: it begins with the others.',
      status,
      retryAt,
      cause: error,
    },
  );
}

function isAboutThisCard(error: unknown): error is ScreenerError {
  if (!(error instanceof ScreenerError) || endsEverything(error)) return false;
  return !(error.cause instanceof NoAnswer) || error.cause.hasLeft;
}

function otherCardError(asked: number, given: number): ScreenerError {
  return new ScreenerError('bad_answer', `The server was asked for card ${asked} and gave card ${given}.`, {
    hint: 'What came before it is saved. Run the command again later.',
  });
}
