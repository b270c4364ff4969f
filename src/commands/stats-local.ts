import { HORIZON_NAMES, type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import type { SignalStats } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { ranked } from '../outcomes/deciding.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { GroupFigures } from '../outcomes/figure-table.ts';
import { figuresOf } from '../outcomes/figures.ts';
import type { ServiceAnswer } from '../outcomes/service-answers.ts';
import type { GroupBy } from '../outcomes/types.ts';
import { LEAST } from '../outcomes/verdict.ts';
import { figuresPage, groupView, historyStatsView, type StatsPage } from '../output/views/history-stats.ts';
import type { HistoryStats, StatsHead } from '../output/views/history-stats-fields.ts';
import { rankingPage } from '../output/views/stats-ranking.ts';
import { changesWithin, explainEmpty, groupsHeadOf, type OfHistory, printList, readSample } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { cardWords, commandLine } from './next-command.ts';
import { sortByField } from './sort-by-field.ts';

export interface LocalStatsOptions extends OfHistory {
  readonly by?: GroupBy | undefined;
  readonly sort?: string | undefined;
  readonly minSample?: number | undefined;
  /** Percentage points. */
  readonly least?: number | undefined;
  readonly detail?: boolean;
  readonly horizon?: HorizonName | undefined;
}

type Options = Omit<LocalStatsOptions, 'by'> & { readonly by?: GroupBy | 'settings' | undefined };

/** `screener stats --local`: one object as the API's; with `--by` a list of groups. */
export async function run(invocation: Invocation, given: Options): Promise<void> {
  const { by, ...options } = given;
  if (by !== 'settings') return compare(invocation, { ...options, by });
  const { run: bySettings } = await import('./stats-settings.ts');
  return bySettings(invocation, options);
}

async function compare(invocation: Invocation, options: LocalStatsOptions): Promise<void> {
  const { output } = invocation;
  const { by, minSample, least, type } = options;
  // One type is compared with the others, as in the list of all.
  const isOfType = by === undefined && type !== undefined;
  const sample = await readSample(invocation, { ...options, type: isOfType ? undefined : type });
  const rows = isOfType && !sample.rows.some((row) => row.type === type) ? [] : sample.rows;
  if (rows.length === 0) await explainEmpty(invocation, options);
  const question = { ...sample.question, minSample, least, horizon: horizonOf(options) };
  const isAmongTypes = isOfType && rows.length > 0;
  const compared = figuresOf(rows, { ...question, by: isAmongTypes ? 'type' : by });
  const meant = isAmongTypes ? compared.groups.filter(({ group }) => group === type) : compared.groups;
  const groups = inOrder(meant, options);
  // A page reads one horizon: the other need not be worked out.
  const comparison = { ...compared, groups: output.isForPeople ? groups : asPrinted(groups) };
  const head: StatsHead = {
    ...(await groupsHeadOf(options, by ?? null, question.now)),
    settings_changes: changesWithin(sample, options).map(({ at, types }) => ({ at: formatApiTime(at), types })),
    comparisons: comparison.comparisons,
    least_percentage_points: comparison.least_percentage_points,
    groups_left_out: comparison.groups_left_out,
  };
  const page: StatsPage = {
    head,
    comparison,
    horizon: horizonOf(options),
    isDetailed: options.detail === true,
    again: againCommand(invocation, options),
  };
  const [all] = comparison.groups;
  if (by === undefined && all !== undefined) {
    const { group: _, ...figures } = all;
    const stats: HistoryStats = { ...head, ...figures };
    return output.one(output.isForPeople ? figuresPage(page, historyStatsView.fields) : historyStatsView, stats);
  }
  const answers = by === 'type' ? latestOfEach(await options.history.answers()) : [];
  const view =
    by === undefined || options.detail
      ? figuresPage<object>(page, groupView.fields)
      : rankingPage<object>({ ...page, by, answers }, groupView.fields);
  await printList(invocation, groupView, { items: comparison.groups, head, page: view });
}

/** @param answers oldest first */
function latestOfEach(answers: readonly ServiceAnswer[]): SignalStats[] {
  return [...new Map(answers.map(({ type, stats }) => [type, stats])).values()];
}

/** Types and symbols are ranked; months keep the order of the calendar. */
function inOrder(groups: readonly GroupFigures[], options: LocalStatsOptions): readonly GroupFigures[] {
  const { by, sort } = options;
  if (sort !== undefined) return sortByField(groups, sort);
  return by === 'type' || by === 'symbol' ? ranked(groups, horizonOf(options)) : groups;
}

function horizonOf({ horizon, sort = '' }: LocalStatsOptions): HorizonName {
  return horizon ?? HORIZON_NAMES.find((name) => sort.includes(`horizons.${name}.`)) ?? MAIN_HORIZON;
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
