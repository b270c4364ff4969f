import { ScreenerError, usageError } from '../errors.ts';
import { findTrouble } from '../history/check.ts';
import { type ExportOptions, runExport } from '../history/export-run.ts';
import { checkPlace, withLockedHistory } from '../history/open-export.ts';
import { OUTCOME_ORDERS, type OutcomeOrder } from '../history/outcome-order.ts';
import { quoteExport } from '../history/quote.ts';
import { summarySentence } from '../history/summary.ts';
import { checkFields } from '../output/fields.ts';
import { exportQuoteView, exportSummaryView } from '../output/views/export-summary.ts';
import { HOUR } from '../runtime/units.ts';
import { durationFlag } from './flags/duration.ts';
import { readFilters } from './flags/filters.ts';
import { directoryFlag, type HistoryChoice } from './flags/history.ts';
import type { Invocation, Reading } from './invocation.ts';

interface ExportCommandOptions extends ExportOptions {
  readonly directory: string;
  /** Takes over a history that another key, or base URL, has kept. */
  readonly adopt?: boolean;
  /** Says whether the history is being kept, and does nothing else: how old the last success may be, milliseconds. */
  readonly check?: { readonly maxAge: number } | undefined;
}

interface RawExport {
  since?: string;
  /** false for --no-outcomes. */
  outcomes?: string | false;
  allCredits?: true;
  adopt?: true;
  screeners?: true;
  check?: true;
  maxAge?: string;
}

/** A daily cron job may be late by two hours. */
const DEFAULT_MAX_AGE = 26 * HOUR;

/** @throws ScreenerError usage */
export function read(
  raw: RawExport,
  [directory]: readonly string[],
  { now, env }: Reading,
): Omit<ExportCommandOptions, 'directory'> & { readonly history: HistoryChoice } {
  if (raw.maxAge !== undefined && !raw.check) throw usageError('--max-age belongs to --check.', 'Add --check.');
  return {
    history: directory === undefined ? undefined : { directory: directoryFlag('The directory', directory, env) },
    since: readFilters(raw, now).since,
    outcomes: readOrder(raw.outcomes),
    allCredits: raw.allCredits === true,
    adopt: raw.adopt === true,
    screeners: raw.screeners === true,
    check: raw.check
      ? { maxAge: raw.maxAge === undefined ? DEFAULT_MAX_AGE : durationFlag('--max-age', raw.maxAge) }
      : undefined,
  };
}

function readOrder(text: string | false | undefined): OutcomeOrder {
  if (text === false) return 'none';
  if (text === undefined) return 'spread';
  const order = OUTCOME_ORDERS.find((name) => name === text);
  if (order === undefined) throw usageError(`--outcomes takes ${OUTCOME_ORDERS.join(', ')}, not '${text}'.`);
  return order;
}

/**
 * `screener signals export DIR`: keeps a local history up to date for ceil(new cards / 25) credits, at least 1, and
 * one for each outcome that came due.
 *
 * Made for cron: in `table` format nothing goes to stdout, the one summary line is a note on stderr (silenced by
 * `--quiet`); `json`, `ndjson` and `csv` put the summary object on stdout. A budget that is reached is a success with
 * `complete: false`; any other failure is thrown on once everything that was paid for is saved and summed up.
 */
export async function run(invocation: Invocation, options: ExportCommandOptions): Promise<void> {
  const { globals, output, context } = invocation;
  checkFields(exportSummaryView, globals.fields);
  await checkPlace(options.directory);
  if (options.check !== undefined) {
    const trouble = await findTrouble(options.directory, options.check.maxAge, context.clock);
    if (trouble !== undefined) throw new ScreenerError('stale', trouble);
    return;
  }
  const connection = await invocation.connect();
  const exporter = { ...invocation, connection };
  if (globals.plan) return output.one(exportQuoteView, await quoteExport(exporter, options.directory, options));
  // The stand-in's address, and with it the id, is another one in each run.
  const account = globals.demo ? 'demo' : connection.account.id;
  const { summary, failure } = await withLockedHistory(
    options.directory,
    account,
    context,
    (history) => runExport(exporter, history, options),
    options.adopt,
  );
  invocation.closing.push(summarySentence(summary));
  if (output.format !== 'table') await output.one(exportSummaryView, summary);
  if (failure !== undefined) throw failure;
}
