import { StoppedByUser } from '../errors.ts';
import type { ExportOptions } from '../history/export/session.ts';
import type { History } from '../history/store/history.ts';
import { exportSummaryView } from '../output/views/export-summary.ts';
import { exportHistory } from './parts/export-history.ts';
import type { Invocation } from './parts/invocation.ts';
import { checkNearMiss } from './parts/near-miss.ts';
import { rankingCommand } from './parts/next-command.ts';

interface ExportCommandOptions extends ExportOptions {
  readonly history: History;
  /** The directory that was named; undefined for the default history. */
  readonly dir?: string | undefined;
  readonly adopt?: boolean;
}

/** A budget that is reached is a success; any other failure is thrown on once the run is saved and summed up. */
export async function run(invocation: Invocation, options: ExportCommandOptions): Promise<void> {
  const { output, context } = invocation;
  for (const type of options.focus ?? []) await checkNearMiss(invocation, { type });
  const exported = await exportHistory(invocation, options);
  if (exported === undefined) return;
  const { summary, lines, sentence, failure } = exported;
  if (context.stderr.isTTY) {
    invocation.summary.push(...lines);
    const isFirst = options.dir === undefined && summary.outcomes > 0 && summary.new_cards === summary.cards_total;
    if (isFirst) invocation.closing.push(['To compare your screeners (free):', rankingCommand(invocation)]);
  } else invocation.closing.push([sentence]);
  if (!output.isForPeople) await output.one(exportSummaryView, summary);
  // People have just read that it was interrupted, a program has not.
  if (summary.stopped_by === 'interrupted' && output.isForPeople) throw new StoppedByUser();
  if (failure !== undefined) throw failure;
}
