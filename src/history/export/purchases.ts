/** Buys outcomes one at a time, each saved before the next: a kill loses no more than the answer in flight. */
import { formatApiTime } from '../../api/time.ts';
import { NoAnswer } from '../../api/transport-errors.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { endsEverything, ScreenerError } from '../../errors.ts';
import { cardsOf } from '../store/journal.ts';
import { isGone } from '../store/manifest.ts';
import { dueAfter, isAgainWorthwhile } from './apply-journal.ts';
import type { ExportSession } from './session.ts';
import type { Due } from './survey.ts';

const MOST_FAILURES_IN_A_ROW = 3;

const MOST_TRIED_AGAIN = 2;

/**
 * Passes over a card for which the service fails: it must not keep others back, nor cost each run.
 * @param due in buying order; `most`: outcomes that the pace allows; `aside`: credits for the rest of the run
 * @returns what ended it before everything due was bought; null if nothing did
 */
export async function buyOutcomes(
  session: ExportSession,
  due: readonly Due[],
  { most, aside }: { readonly most: number; readonly aside: number },
): Promise<LimitName | 'pace' | null> {
  const { account, clock, counts, history, lock } = session;
  const before = counts.outcomes;
  const elsewhere = new Set<number>();
  let failedInARow = 0;
  let asked = 0;
  // A run that was suspended may still get the answer for the first one: it is bought by the next run.
  for (const card of lock.tookOver ? due.slice(1) : due) {
    for (const entry of await history.readJournal()) for (const { id } of cardsOf(entry)) elsewhere.add(id);
    const { lateness } = history.manifest;
    if (elsewhere.has(card.id) || clock.now() < card.at + dueAfter(lateness)) continue;
    if (card.again && !isAgainWorthwhile(lateness)) continue;
    const triedBefore = card.asked.failed > 0;
    if (triedBefore && counts.triedAgain === MOST_TRIED_AGAIN) break;
    const { limit, credits } = account.left();
    if (counts.outcomes - before >= most) return 'pace';
    if (credits - aside < 1) return limit;
    session.showProgress('Outcomes', asked, Math.min(due.length, most, asked + credits - aside));
    asked += 1;
    counts.triedAgain += Number(triedBefore);
    try {
      await buy(session, card);
      failedInARow = 0;
    } catch (error) {
      if (!isAboutThisCard(error)) throw error;
      const not_found = error.code === 'not_found';
      const at = formatApiTime(clock.now());
      const failure = { ...card.asked, at, failed: card.asked.failed + 1, not_found };
      await session.save({ kind: 'failed', id: card.id, asked: failure });
      counts.gone += Number(isGone(failure));
      if (isGone(failure)) continue;
      if (error.retryAfter !== undefined) throw error;
      session.failed.push({ id: card.id, message: error.message });
      if (!not_found && !triedBefore) failedInARow += 1;
      if (failedInARow === MOST_FAILURES_IN_A_ROW) throw error;
    }
  }
  return null;
}

async function buy(session: ExportSession, { id, asked }: Due): Promise<void> {
  const at = formatApiTime(session.clock.now());
  const detail = await session.callOnce('signal', { id });
  if (detail.id !== id)
    throw new ScreenerError('bad_answer', `The server was asked for card ${id} and gave card ${detail.id}.`);
  session.counts.outcomes += 1;
  await session.save({ kind: 'detail', detail, asked: { at, times: asked.times + 1, failed: 0, not_found: false } });
}

function isAboutThisCard(error: unknown): error is ScreenerError {
  if (!(error instanceof ScreenerError) || endsEverything(error)) return false;
  return !(error.cause instanceof NoAnswer) || error.cause.hasLeft;
}
