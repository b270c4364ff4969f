/** `screener signals export`. With --check, `signals-export-check.ts` runs instead. */
import { StoppedByUser } from '../errors.ts';
import type { ExportOptions } from '../history/export/export-run.ts';
import { type ExportingAccount, quoteExport } from '../history/export/quote.ts';
import { type RunOutcome, runExport } from '../history/export/run.ts';
import { withLockedHistory } from '../history/export/working-history.ts';
import type { History } from '../history/store/history.ts';
import {
  exportQuoteViewFor,
  exportSummaryView,
  type SummaryLines,
  summaryLines,
  summarySentence,
} from '../output/views/export-summary.ts';
import { refuseOtherService } from './parts/find-history.ts';
import type { Invocation } from './parts/invocation.ts';
import { checkNearMiss } from './parts/near-miss.ts';
import { commandLine, rankingCommand } from './parts/next-command.ts';

interface ExportCommandOptions extends ExportOptions {
  readonly history: Pick<History, 'directory'>;
  /** The folder as the user typed it; undefined for the default history. */
  readonly dir?: string | undefined;
  /** Whether a history of another key is taken over. */
  readonly adopt?: boolean;
}

/**
 * If a run ends because a budget is used up, that is a success, and it has no `failure`. Any other failure is thrown after the run
 * is saved and summed up.
 */
export async function run(invocation: Invocation, options: ExportCommandOptions): Promise<void> {
  const { output, context } = invocation;
  for (const type of options.focus ?? []) await checkNearMiss(invocation, { type });
  const exported = await exportHistory(invocation, options);
  if (exported === undefined) return;
  const { summary, lines, failure } = exported;
  if (context.stderr.isTTY) {
    invocation.summary.push(...lines);
    // After the first run that bought outcomes for the default history, people are told what to do with it. An earlier run may have
    // been stopped while it listed the cards.
    const areAllOfThisRun = summary.counts.bought <= summary.outcomes;
    const hasFirstOutcomes = summary.outcomes > 0 && areAllOfThisRun;
    if (options.dir === undefined && hasFirstOutcomes)
      invocation.closing.push([
        'To look at your screeners, and to compare them (free):',
        commandLine(invocation, 'today'),
        rankingCommand(invocation),
      ]);
  } else invocation.closing.push([summarySentence(lines)]);
  for (const type of summary.unknown_focus)
    invocation.closing.push([`--focus ${type}: no card and no screener has this type.`]);
  if (!output.isForPeople) await output.one(exportSummaryView, summary);
  // People have read in the summary that the run was interrupted. Programs read it in the failure, which the next line throws.
  if (summary.stopped_by === 'interrupted' && output.isForPeople) throw new StoppedByUser();
  if (failure !== undefined) throw failure;
}

/** How an export ended, and what people are told of it. */
interface Exported extends RunOutcome {
  readonly lines: SummaryLines;
}

/**
 * One run of the export. With --plan it says what the run would do, and spends no credit.
 * @returns undefined with --plan
 * @throws ScreenerError storage, busy, not_logged_in
 */
export async function exportHistory(
  invocation: Invocation,
  { history, adopt = false, ...options }: ExportCommandOptions,
): Promise<Exported | undefined> {
  const { context, globals, notes, output } = invocation;
  const connection = await invocation.connect();
  await refuseOtherService(invocation, history.directory);
  // Each run of the demo has a new address, and with it a new account id. The demo's history belongs to a fixed id instead.
  const exporting: ExportingAccount = globals.demo
    ? { accountId: 'demo', adopts: false }
    : { accountId: connection.account.id, adopts: adopt };
  if (globals.plan) {
    // The demo keeps no ledger from run to run, so its stand-in service is asked for the credits (free).
    if (globals.demo) await connection.client.call('access', {});
    const quote = await quoteExport(connection.account, history.directory, options, {
      now: context.clock.now(),
      exporting,
    });
    await output.one(exportQuoteViewFor(options.focus ?? []), quote);
    return undefined;
  }
  const outcome = await withLockedHistory(
    history.directory,
    exporting.accountId,
    { clock: context.clock, notes, adopts: exporting.adopts },
    (working) => runExport({ ...connection, history: working, notes, options }, context.signal),
  );
  const lines = summaryLines(outcome.summary, {
    account: connection.account,
    buysOutcomes: options.outcomes,
  });
  return { ...outcome, lines };
}
