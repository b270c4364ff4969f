/**
 * Buys outcomes, oldest first, each saved before the next is asked for. One at a time: the allowance per minute is the
 * limit anyway, and a kill can lose no more than the one answer in flight.
 */
import { formatApiTime } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { Due } from './due.ts';
import type { Run } from './run.ts';

/**
 * @returns false where the budget ended it
 * @throws ScreenerError of the client or the disk
 */
export async function buyOutcomes(run: Run, due: readonly Due[]): Promise<boolean> {
  for (const card of due) {
    if (run.budget.left() < 1) return false;
    run.showProgress(due.length);
    const at = formatApiTime(run.clock.now());
    try {
      const detail = await run.call('signal', { id: card.id });
      if (detail.id !== card.id) throw otherCardError(card.id, detail.id);
      run.counts.outcomes += 1;
      await run.save({ kind: 'detail', detail, asked: { times: card.asked + 1, at } });
    } catch (error) {
      if (!(error instanceof ScreenerError && error.code === 'not_found')) throw error;
      run.counts.gone += 1;
      await run.save({ kind: 'gone', id: card.id, created_at: card.created_at });
    }
  }
  return true;
}

function otherCardError(asked: number, given: number): ScreenerError {
  return new ScreenerError('bad_answer', `The server was asked for card ${asked} and gave card ${given}.`, {
    hint: 'What came before it is saved. Run the command again later.',
  });
}
