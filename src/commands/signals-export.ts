import { ScreenerError, StoppedByUser } from '../errors.ts';
import { findTrouble } from '../history/export/check.ts';
import { summarySentence } from '../history/export/conclude.ts';
import { quoteExport } from '../history/export/quote.ts';
import { runExport } from '../history/export/run.ts';
import type { ExportOptions } from '../history/export/session.ts';
import { withLockedHistory } from '../history/export/working-history.ts';
import { loadManifest } from '../history/store/manifest.ts';
import { exportQuoteView, exportSummaryView } from '../output/views/export-summary.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { historyDirectory } from './parts/find-history.ts';
import type { Invocation } from './parts/invocation.ts';
import { checkNearMiss } from './parts/near-miss.ts';
import { rankingCommand } from './parts/next-command.ts';

interface Options extends ExportOptions {
  /** The directory that was named; undefined for the default history. */
  readonly dir: string | undefined;
  readonly adopt?: boolean;
  readonly check?: boolean;
  /** Milliseconds. */
  readonly maxAge?: number;
}

/** A budget that is reached is a success; any other failure is thrown on once the run is saved and summed up. */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { globals, output, context } = invocation;
  const directory = await historyDirectory(invocation, options.dir);
  if (options.check && options.maxAge !== undefined) {
    const trouble = await findTrouble(directory, options.maxAge, context.clock);
    if (trouble !== undefined) throw new ScreenerError('stale', trouble);
    // Cron mails every word, a person waits for one.
    const due = (await loadManifest(directory))?.remaining.outcomes_due ?? 0;
    const left = due === 0 ? '' : `; ${pluralize(due, 'due outcome')} are still to be bought`;
    if (context.stderr.isTTY) invocation.notes.note(`Fine: exports succeed${left}.`);
    return;
  }
  for (const type of options.focus ?? []) checkNearMiss(invocation, { type });
  const connection = await invocation.connect();
  const exporter = { ...invocation, connection };
  // The demo knows nothing of an earlier run, and asks nobody but itself.
  if (globals.plan && globals.demo) await connection.client.call('access', {});
  if (globals.plan) return output.one(exportQuoteView, await quoteExport(exporter, directory, options));
  // The stand-in's address, and with it the id, is another one in each run.
  const account = globals.demo ? 'demo' : connection.account.id;
  const { summary, lines, failure } = await withLockedHistory(
    directory,
    account,
    context,
    (history, lock) => runExport(exporter, history, lock, options),
    options.adopt,
  );
  if (context.stderr.isTTY) {
    invocation.summary.push(...lines);
    const isFirst = options.dir === undefined && summary.outcomes > 0 && summary.new_cards === summary.cards_total;
    if (isFirst) invocation.closing.push(`To compare your screeners (free):\n${rankingCommand(invocation)}`);
  } else invocation.closing.push(summarySentence(lines));
  if (!output.isForPeople) await output.one(exportSummaryView, summary);
  // People have just read that it was interrupted, a program has not.
  if (summary.stopped_by === 'interrupted' && output.isForPeople) throw new StoppedByUser();
  if (failure !== undefined) throw failure;
}
