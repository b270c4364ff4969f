import type { SignalStats } from '../api/contract/resources.ts';
import { OPERATIONS } from '../api/operations.ts';
import { parseApiTime } from '../api/time.ts';
import type { Connection } from '../credits/account.ts';
import { ScreenerError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import { statsView } from '../output/views/stats.ts';
import { askCreditsLeft } from './credits-left.ts';
import type { Invocation } from './invocation.ts';
import { checkNearMiss } from './near-miss.ts';
import { withProgress } from './with-progress.ts';

/**
 * `screener stats`: outcome statistics of the last 30 days, for 5 credits. The credits left are read first (free) and
 * said, and where they do not suffice nothing billable is sent.
 */
export async function run(invocation: Invocation, { type }: { readonly type: string | undefined }): Promise<void> {
  checkNearMiss(invocation, { type });
  const connection = await invocation.connect();
  await sayCreditsLeft(invocation, connection, OPERATIONS.stats.cost);
  const { client } = connection;
  const stats = await withProgress(invocation, 'Asking for statistics', client.call('stats', { screener_type: type }));
  await invocation.output.one(statsView, stats);
  if (type !== undefined) await keepAnswer(invocation, connection, type, stats);
}

/** A median over all outcomes of a type: the history's verdicts are surer by it. */
export async function keepAnswer(
  { context, globals, notes }: Invocation,
  { account, client }: Connection,
  type: string,
  stats: SignalStats,
): Promise<void> {
  if (globals.demo) return;
  const { keepStats } = await import('../history/default-history.ts');
  await keepStats({ context, notes, account: account.id }, { at: client.now(), type, stats });
}

/**
 * Asks how many credits are left (free), and says what this costs.
 * @param of what it costs so much for
 * @throws ScreenerError quota_exhausted where they do not suffice
 */
export async function sayCreditsLeft(
  invocation: Invocation,
  connection: Connection,
  cost: number,
  of = '',
): Promise<void> {
  const { remaining, limit, resets_at } = await askCreditsLeft(invocation, connection);
  const left = `${remaining} of ${limit} credits left this month, resets ${minuteTime(resets_at)} UTC`;
  if (remaining < cost) {
    throw new ScreenerError('quota_exhausted', `${left}; this would cost ${cost}${of}. No statistics were asked for.`, {
      hint: '`screener stats --from DIR` computes statistics from a local history for 0 credits.',
      retryAt: parseApiTime(resets_at),
    });
  }
  // The demo says its price at the end.
  if (!invocation.globals.demo) invocation.notes.note(`${left}; this costs ${cost}${of}.`);
}
