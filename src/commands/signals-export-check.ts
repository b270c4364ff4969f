import { ScreenerError } from '../errors.ts';
import { findTrouble } from '../history/export/check.ts';
import type { History } from '../history/store/history.ts';
import { checkReceipt } from '../output/views/receipts.ts';
import { pluralize } from '../runtime/units.ts';
import type { Invocation } from './parts/invocation.ts';

interface CheckOptions {
  readonly history: History;
  /** Milliseconds. */
  readonly maxAge: number;
}

/** `screener signals export --check`: sends nothing. Cron mails every word, a person waits for one. */
export async function run({ context, notes, output }: Invocation, { history, maxAge }: CheckOptions): Promise<void> {
  const found = await findTrouble(history.directory, maxAge, context.clock);
  const { remaining, last_success = null } = (await history.manifest()) ?? {};
  const due = remaining?.outcomes_due ?? 0;
  const receipt = { healthy: found === undefined, found: found ?? null, last_success, outcomes_due: due };
  if (!output.isForPeople) await output.one(checkReceipt, { directory: history.directory, ...receipt });
  if (found !== undefined) throw new ScreenerError('stale', found);
  const left = due === 0 ? '' : `; ${pluralize(due, 'due outcome')} are still to be bought`;
  if (context.stderr.isTTY) notes.note(`Fine: exports succeed${left}.`);
}
