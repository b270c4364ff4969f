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

/** One run of the export. @returns as `runExport` @throws ScreenerError busy, usage, storage, not_logged_in */
export async function exportHistory(invocation: Invocation, { history, adopt, ...options }: HistoryOptions) {
  const { context, globals } = invocation;
  const exporter = { ...invocation, connection: await invocation.connect() };
  // The stand-in's address, and with it the id, is another one in each run.
  const owner = globals.demo ? 'demo' : exporter.connection.account.id;
  const run = (working: WorkingHistory) => runExport(exporter, working, options);
  // The demo takes over nobody's history.
  return withLockedHistory(history.directory, owner, context, run, adopt && !globals.demo);
}

/** What `--plan` prints. @throws ScreenerError storage, usage, not_logged_in */
export async function printExportQuote(invocation: Invocation, options: HistoryOptions): Promise<void> {
  const connection = await invocation.connect();
  // The demo knows nothing of an earlier run, and asks nobody but itself.
  if (invocation.globals.demo) await connection.client.call('access', {});
  await invocation.output.one(
    exportQuoteView,
    await quoteExport({ ...invocation, connection }, options.history.directory, options),
  );
}
