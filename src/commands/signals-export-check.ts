import { ScreenerError } from '../errors.ts';
import { findTrouble } from '../history/export/check.ts';
import type { History } from '../history/store/history.ts';
import { checkReceipt } from '../output/views/receipts.ts';
import type { Invocation } from './parts/invocation.ts';
import { exportCommand } from './parts/next-command.ts';

/** `maxAge` in milliseconds. */
type CheckOptions = Readonly<{ history: History; dir?: string | undefined; maxAge: number }>;

/** `screener signals export --check`: sends nothing. Silent when healthy. */
export async function run(
  invocation: Invocation,
  { history, dir, maxAge }: CheckOptions,
): Promise<void> {
  const { context, output } = invocation;
  const found = await findTrouble(history.directory, maxAge, context.clock);
  const { counts = null, remaining, last_success = null } = (await history.manifest()) ?? {};
  const outcomes_due = remaining?.outcomes_due ?? 0;
  const receipt = {
    healthy: found === undefined,
    found: found ?? null,
    last_success,
    outcomes_due,
    counts,
  };
  if (!output.isForPeople)
    await output.one(checkReceipt, { directory: history.directory, ...receipt });
  const begin = `An export begins it (--plan says what that costs):\n${exportCommand(invocation, dir)}`;
  if (found !== undefined)
    throw new ScreenerError('stale', found, { hint: last_success === null ? begin : undefined });
}
