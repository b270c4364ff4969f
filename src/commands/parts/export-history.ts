import { quoteExport } from '../../history/export/quote.ts';
import { runExport } from '../../history/export/run.ts';
import type { ExportOptions } from '../../history/export/session.ts';
import { type WorkingHistory, withLockedHistory } from '../../history/export/working-history.ts';
import type { History } from '../../history/store/history.ts';
import { exportQuoteView } from '../../output/views/export-summary.ts';
import type { Invocation } from './invocation.ts';

interface HistoryOptions extends ExportOptions {
  readonly history: Pick<History, 'directory'>;
  readonly adopt?: boolean;
}

/** One run of the export, or with --plan what it would do. @returns as `runExport` @throws as it; not_logged_in */
export async function exportHistory(invocation: Invocation, { history, adopt, ...options }: HistoryOptions) {
  const { context, globals, output } = invocation;
  const connection = await invocation.connect();
  const exporter = { ...invocation, connection };
  if (globals.plan) {
    // The demo knows nothing of an earlier run, and asks nobody but itself.
    if (globals.demo) await connection.client.call('access', {});
    await output.one(exportQuoteView, await quoteExport(exporter, history.directory, options));
    return undefined;
  }
  // The stand-in's address, and with it the id, is another one in each run.
  const owner = globals.demo ? 'demo' : connection.account.id;
  const run = (working: WorkingHistory) => runExport(exporter, working, options);
  // The demo takes over nobody's history.
  return withLockedHistory(history.directory, owner, context, run, adopt && !globals.demo);
}
