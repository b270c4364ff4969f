import { formatApiTime } from '../api/time.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { GroupFigures } from '../outcomes/figure-table.ts';
import { figuresOf } from '../outcomes/figures.ts';
import { horizonToCompare, ranked } from '../outcomes/rank.ts';
import { type GroupBy, HORIZON_NAMES, type HorizonName } from '../outcomes/types.ts';
import { LEAST } from '../outcomes/verdict.ts';
import { detailPage, groupView, historyStatsView, type StatsPage } from '../output/views/history-stats.ts';
import type { HistoryStats, StatsHead } from '../output/views/history-stats-fields.ts';
import { rankingPage } from '../output/views/stats-ranking.ts';
import {
  answersWithin,
  changesWithin,
  explainEmpty,
  groupsHeadOf,
  type OfHistory,
  printList,
  readRows,
} from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { cardWords, commandLine } from './next-command.ts';
import { sortByField } from './sort-by-field.ts';

/** What the figures are of, and how they are shown. */
export interface LocalStatsOptions extends OfHistory {
  readonly by?: GroupBy | undefined;
  readonly sort?: string | undefined;
  readonly minSample?: number | undefined;
  /** Percentage points. */
  readonly least?: number | undefined;
  readonly detail?: boolean;
}

type Options = Omit<LocalStatsOptions, 'by'> & { readonly by?: GroupBy | 'settings' | undefined };

/**
 * `screener stats --from DIR`: outcome statistics of a local history; 0 credits, no network.
 *
 * Without `--by` the result is one object with `horizons`, as the API's; with it a list of groups: in `json` one
 * document with `items`, in `ndjson` and `csv` one group a line.
 */
export async function run(invocation: Invocation, given: Options): Promise<void> {
  const { by, ...options } = given;
  if (by !== 'settings') return compare(invocation, { ...options, by });
  const { run: bySettings } = await import('./stats-settings.ts');
  return bySettings(invocation, options);
}

async function compare(invocation: Invocation, options: LocalStatsOptions): Promise<void> {
  const { output, context } = invocation;
  const { by, minSample, least } = options;
  const rows = await readRows(invocation, options);
  if (rows.length === 0) await explainEmpty(invocation, options);
  const now = context.clock.now();
  const answers = by === 'type' ? await answersWithin(options) : [];
  const compared = figuresOf(rows, { by, now, minSample, least, answers });
  const comparison = { ...compared, groups: asPrinted(inOrder(compared.groups, options)) };
  const changes = await changesWithin(rows, options, now);
  const head: StatsHead = {
    ...(await groupsHeadOf(options, by ?? null, now)),
    settings_changes: changes.map(({ at, types }) => ({ at: formatApiTime(at), types })),
    comparisons: comparison.comparisons,
    least_percentage_points: comparison.least_percentage_points,
    groups_left_out: comparison.groups_left_out,
  };
  const page: StatsPage = { head, comparison, again: againCommand(invocation, options) };
  const [all] = comparison.groups;
  if (by === undefined && all !== undefined) {
    const { group: _, ...figures } = all;
    const stats: HistoryStats = { ...head, ...figures };
    return output.one(output.isForPeople ? detailPage(page, historyStatsView.fields) : historyStatsView, stats);
  }
  const view =
    by === undefined || options.detail
      ? detailPage<object>(page, groupView.fields)
      : rankingPage<object>({ ...page, by, horizon: drawnHorizon(comparison.groups, options) }, groupView.fields);
  await printList(invocation, groupView, { items: comparison.groups, head, page: view });
}

/** Types and symbols are ranked; days, hours and weekdays keep the order of the calendar and the clock. */
function inOrder(groups: readonly GroupFigures[], { by, sort }: LocalStatsOptions): readonly GroupFigures[] {
  if (sort !== undefined) return sortByField(groups, sort);
  return by === 'type' || by === 'symbol' ? ranked(groups, horizonToCompare(groups)) : groups;
}

/** The one of the order. */
function drawnHorizon(groups: readonly GroupFigures[], { sort = '' }: LocalStatsOptions): HorizonName {
  return HORIZON_NAMES.find((name) => sort.includes(`horizons.${name}.`)) ?? horizonToCompare(groups);
}

/** The same question from another time on: `since` is appended. */
function againCommand(invocation: Invocation, options: LocalStatsOptions): string {
  const { history, from, by, least, detail } = options;
  const words = ['stats', ...(from === undefined ? ['--local'] : ['--from', history.directory])];
  words.push(...cardWords({ ...options, since: undefined }));
  if (by !== undefined) words.push('--by', by);
  if (least !== undefined && least !== LEAST) words.push('--least', String(least));
  if (detail) words.push('--detail');
  return commandLine(invocation, words);
}
