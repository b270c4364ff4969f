/** `screener signals export`; with --check it is `signals-export-check.ts` (`declarations/signals-export.ts`). */
import { StoppedByUser } from '../errors.ts';
import { quoteExport } from '../history/export/quote.ts';
import { type RunOutcome, runExport } from '../history/export/run.ts';
import type { ExportOptions } from '../history/export/session.ts';
import { withLockedHistory } from '../history/export/working-history.ts';
import type { History } from '../history/store/history.ts';
import {
  exportQuoteView,
  exportSummaryView,
  type SummaryLines,
  summaryLines,
  summarySentence,
} from '../output/views/export-summary.ts';
import type { Invocation } from './parts/invocation.ts';
import { checkNearMiss } from './parts/near-miss.ts';
import { rankingCommand } from './parts/next-command.ts';

/** `dir` is undefined for the default history. */
type ExportCommandOptions = ExportOptions &
  Readonly<{ history: Pick<History, 'directory'>; dir?: string | undefined; adopt?: boolean }>;

/** A budget that is reached is a success; any other failure is thrown on once the run is saved and summed up. */
export async function run(invocation: Invocation, options: ExportCommandOptions): Promise<void> {
  const { output, context } = invocation;
  for (const type of options.focus ?? []) await checkNearMiss(invocation, { type });
  const exported = await exportHistory(invocation, options);
  if (exported === undefined) return;
  const { summary, lines, failure } = exported;
  if (context.stderr.isTTY) {
    invocation.summary.push(...lines);
    const isFirst =
      options.dir === undefined &&
      summary.outcomes > 0 &&
      summary.new_cards === summary.cards_total;
    if (isFirst)
      invocation.closing.push(['To compare your screeners (free):', rankingCommand(invocation)]);
  } else invocation.closing.push([summarySentence(lines)]);
  for (const type of summary.unknown_focus)
    invocation.closing.push([`--focus ${type}: no card and no screener has this type.`]);
  if (!output.isForPeople) await output.one(exportSummaryView, summary);
  // People have just read that it was interrupted, a program has not.
  if (summary.stopped_by === 'interrupted' && output.isForPeople) throw new StoppedByUser();
  if (failure !== undefined) throw failure;
}

/** An export that was run, and what it says for people. */
interface Exported extends RunOutcome {
  readonly lines: SummaryLines;
}

/**
 * One run of the export; with --plan it says what the run would do, and sends nothing.
 * @returns undefined with --plan
 * @throws ScreenerError storage, busy, not_logged_in
 */
export async function exportHistory(
  invocation: Invocation,
  { history, adopt = false, ...options }: ExportCommandOptions,
): Promise<Exported | undefined> {
  const { context, globals, notes, output } = invocation;
  const connection = await invocation.connect();
  // The stand-in's address, and with it the id, is another one in each run; it takes over nobody's history.
  const owner: { readonly account: string; readonly adopts: boolean } = globals.demo
    ? { account: 'demo', adopts: false }
    : { account: connection.account.id, adopts: adopt };
  if (globals.plan) {
    // The demo knows nothing of an earlier run, and asks nobody but itself.
    if (globals.demo) await connection.client.call('access', {});
    const quote = await quoteExport(connection.account, history.directory, options, {
      now: context.clock.now(),
      owner,
    });
    await output.one(exportQuoteView, quote);
    return undefined;
  }
  const outcome = await withLockedHistory(
    history.directory,
    owner.account,
    { clock: context.clock, notes },
    (working) => runExport({ ...connection, history: working, notes, options }, context.signal),
    owner.adopts,
  );
  const lines = summaryLines(outcome.summary, {
    account: connection.account,
    buysOutcomes: options.outcomes,
  });
  return { ...outcome, lines };
}
