import { formatApiTime } from '../api/time.ts';
import type { Filter } from '../history/filter.ts';
import { newestCards, openHistory } from '../history/history.ts';
import type { GroupBy } from '../outcomes/group.ts';
import { reportGroups } from '../outcomes/report.ts';
import { type Row, rowOf } from '../outcomes/row.ts';
import { checkFields } from '../output/fields.ts';
import { drawnStatsView, groupView, type HistoryStats, historyStatsView } from '../output/views/history-stats.ts';
import { checkWindow } from './flags/moment.ts';
import type { Invocation } from './invocation.ts';
import { plannedFree } from './plan.ts';

export interface StatsFromOptions {
  readonly directory: string;
  /** Epoch milliseconds UTC, both inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The API's screener_type. */
  readonly type?: string | undefined;
  readonly by?: GroupBy | undefined;
}

/**
 * `screener stats --from DIR`: outcome statistics of a local history; 0 credits, no network.
 *
 * Without `--by` the result is one object with `horizons`, as the API's; with it a list of groups: in `json` one
 * document with `items`, in `ndjson` and `csv` one group a line.
 */
export async function run(invocation: Invocation, options: StatsFromOptions): Promise<void> {
  const { output, globals, context } = invocation;
  const { since, until, type, by } = options;
  checkWindow(options);
  checkFields(by === undefined ? historyStatsView : groupView, globals.fields);
  if (await plannedFree(invocation)) return;
  const groups = reportGroups(await readRows(invocation, options.directory, { since, until, type }), by);
  const head = {
    scope: 'local_history',
    screener_type: type ?? null,
    since: since === undefined ? null : formatApiTime(since),
    until: until === undefined ? null : formatApiTime(until),
    by: by ?? null,
    generated_at: formatApiTime(context.clock.now()),
  } as const;
  const [all] = groups;
  if (by === undefined && all !== undefined) {
    const { group: _, ...figures } = all.report;
    const stats: HistoryStats = { ...head, ...figures };
    return output.one(drawnStatsView(groups, historyStatsView.fields), stats);
  }
  if (output.format === 'table' && globals.fields === undefined) {
    return output.one(drawnStatsView<object>(groups, groupView.fields), head);
  }
  await output.list(groupView, {
    batches: once(groups.map((group) => group.report)),
    head: () => ({ ...head, items: [] }),
    shape: 'page',
  });
}

/** What the figures need of the cards that match. */
async function readRows({ context, notes }: Invocation, directory: string, filter: Filter): Promise<Row[]> {
  const history = await openHistory(directory, notes);
  const progress = notes.progress('Reading the history');
  const rows: Row[] = [];
  try {
    for await (const cards of newestCards(history, filter, JSON.parse)) {
      context.signal.throwIfAborted();
      for (const card of cards) rows.push(rowOf(card));
    }
  } finally {
    progress.stop();
  }
  return rows;
}

async function* once<T>(items: readonly T[]) {
  yield { items, more: false };
}
