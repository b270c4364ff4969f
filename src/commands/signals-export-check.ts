import { ScreenerError } from '../errors.ts';
import { findTrouble } from '../history/export/check.ts';
import type { History } from '../history/store/history.ts';
import { pluralize } from '../runtime/pluralize.ts';
import type { Invocation } from './parts/invocation.ts';

interface Options {
  readonly history: History;
  /** Milliseconds. */
  readonly maxAge: number;
}

/** `screener signals export --check`: sends nothing. */
export async function run({ context, notes }: Invocation, { history, maxAge }: Options): Promise<void> {
  const trouble = await findTrouble(history.directory, maxAge, context.clock);
  if (trouble !== undefined) throw new ScreenerError('stale', trouble);
  // Cron mails every word, a person waits for one.
  if (!context.stderr.isTTY) return;
  const due = (await history.manifest())?.remaining.outcomes_due ?? 0;
  const left = due === 0 ? '' : `; ${pluralize(due, 'due outcome')} are still to be bought`;
  notes.note(`Fine: exports succeed${left}.`);
}
