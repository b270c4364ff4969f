import { OPERATIONS } from '../api/operations.ts';
import { parseApiTime } from '../api/time.ts';
import type { Connection } from '../credits/account.ts';
import { ScreenerError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import { statsView } from '../output/views/stats.ts';
import { askCreditsLeft } from './credits-left.ts';
import type { StatsOptions } from './declarations/stats.ts';
import type { Invocation } from './invocation.ts';
import { checkNearMiss } from './near-miss.ts';
import { withProgress } from './with-progress.ts';

/**
 * `screener stats`: outcome statistics of the last 30 days, for 5 credits. The credits left are read first (free) and
 * said, and where they do not suffice nothing billable is sent.
 */
export async function run(invocation: Invocation, { type }: StatsOptions): Promise<void> {
  checkNearMiss(invocation, { type });
  const connection = await invocation.connect();
  await sayCreditsLeft(invocation, connection, OPERATIONS.stats.cost);
  const { client } = connection;
  const at = invocation.context.clock.now();
  const stats = await withProgress(invocation, 'Asking for statistics', client.call('stats', { screener_type: type }));
  await invocation.output.one(statsView, stats);
  const { context, globals, notes } = invocation;
  if (globals.demo || type === undefined) return;
  // Figures from the history reckon with it.
  const { keepStats } = await import('../history/default-history.ts');
  await keepStats({ context, notes, account: connection.account.id }, { at, type, stats });
}

async function sayCreditsLeft(invocation: Invocation, connection: Connection, cost: number): Promise<void> {
  const { remaining, limit, resets_at } = await askCreditsLeft(invocation, connection);
  const left = `${remaining} of ${limit} credits left this month, resets ${minuteTime(resets_at)} UTC`;
  if (remaining < cost) {
    throw new ScreenerError('quota_exhausted', `${left}; this would cost ${cost}. Nothing billable was sent.`, {
      hint: '`screener stats --from DIR` computes statistics from a local history for 0 credits.',
      retryAt: parseApiTime(resets_at),
    });
  }
  invocation.notes.note(`${left}; this costs ${cost}.`);
}
