import { HORIZON_NAMES, type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { usageError } from '../errors.ts';
import { settingsPeriods } from '../history/store/answers.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { GroupFigures } from '../outcomes/figure-table.ts';
import { figuresOf } from '../outcomes/figures.ts';
import { ranked, type Standing, standingsOf } from '../outcomes/standing.ts';
import type { GroupBy } from '../outcomes/types.ts';
import type { RenderContext } from '../output/types.ts';
import {
  figuresPage,
  groupView,
  historyStatsView,
  type StatsPage,
} from '../output/views/history-stats.ts';
import type { StatsHead } from '../output/views/history-stats-fields.ts';
import { settingsSection } from '../output/views/settings-history.ts';
import { rankingPage } from '../output/views/stats-ranking.ts';
import { MINUTE } from '../runtime/units.ts';
import { LEAST, leastOf } from '../statistics/verdict.ts';
import {
  askedFor,
  changesWithin,
  explainEmpty,
  OWN,
  printList,
  readSample,
  type Sample,
  sortByField,
} from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { cardOptions, commandLine, exportCommand, historyOptions } from './parts/next-command.ts';
import { settingsHistory } from './parts/settings-history.ts';
import type { OfHistory } from './parts/where.ts';
import { triesOf } from './tune.ts';

/** `least` in percentage points; `again`: the command line that asks the same, if it is not `stats`. */
export type StatsLocalOptions<By = GroupBy | 'settings'> = OfHistory &
  Readonly<{
    by?: By | undefined;
    sort?: string | undefined;
    horizon?: HorizonName | undefined;
    detail?: boolean;
  }> &
  Readonly<{ minSample?: number | undefined; least?: number; again?: string }>;

export async function run(
  invocation: Invocation,
  { by, ...options }: StatsLocalOptions,
): Promise<void> {
  if (by === 'settings') await compareSettings(invocation, options);
  else await compare(invocation, { ...options, by });
}

async function compare(invocation: Invocation, options: StatsLocalOptions<GroupBy>): Promise<void> {
  const { output } = invocation;
  const { by, minSample, least = LEAST, type, sort = '', since, detail = false } = options;
  // One type is compared with the others, as in the list of all.
  const sample = await readSample(
    invocation,
    { ...options, type: by === undefined ? undefined : type },
    by === 'month',
  );
  const { question } = sample;
  const rows =
    type === undefined || sample.rows.some((row) => row.type === type) ? sample.rows : [];
  if (rows.length === 0) await explainEmpty(invocation, options, options.again !== undefined);
  const horizon =
    options.horizon ??
    HORIZON_NAMES.find((name) => sort.includes(`horizons.${name}.`)) ??
    MAIN_HORIZON;
  const isOwn = minSample !== undefined || least !== LEAST;
  const { comparison, standings } = answerOf(sample, rows, { ...options, horizon }, isOwn);
  // A page reads one horizon: the other need not be worked out.
  if (!output.isForPeople) comparison.groups = asPrinted(comparison.groups);
  const { comparisons, least_percentage_points, groups_left_out } = comparison;
  const head: StatsHead = {
    ...(await headOf(options, by ?? null, question.now)),
    settings_changes: changesWithin(sample, options).map(({ at, types }) => ({
      at: formatApiTime(at),
      types,
    })),
    comparisons,
    least_percentage_points,
    groups_left_out,
  };
  const asked = {
    ...options,
    since: since === undefined ? since : Math.ceil(since / MINUTE) * MINUTE,
  };
  const page: StatsPage = {
    head,
    comparison,
    standings,
    horizon,
    least: leastOf(horizon, least_percentage_points),
    isChosen: Boolean(options.where?.length),
    isOfPresentSettings: question.settingsSince !== undefined,
    isDetailed: detail,
    again: againCommand(invocation, asked),
    anew: options.again ?? againCommand(invocation, { ...asked, since: undefined }),
    gather: exportCommand(invocation, options.from),
    why: sample.why || (isOwn ? OWN : ''),
    period: { since: since || sample.known.first, until: question.until },
  };
  if (by === undefined) {
    const { group: _, ...figures } = comparison.groups[0] as GroupFigures;
    const stats = { ...head, ...figures };
    const isPage = output.isForPeople && invocation.globals.fields === undefined;
    return isPage
      ? output.page((render) => figuresPage(page, render))
      : output.one(historyStatsView, stats);
  }
  const beforeAndAfter = (name: string) =>
    againCommand(invocation, {
      ...options,
      symbol: undefined,
      type: name,
      by: 'settings',
      horizon: undefined,
    });
  const isTried = by === 'type' && sample.known.isWhole && !detail && horizon === MAIN_HORIZON;
  const tries = isTried ? triesOf(invocation, asked, sample, standings) : [];
  // The latest of each type: they are kept oldest first.
  const answers = new Map(
    by === 'type' ? question.answers?.map(({ type: of, stats }) => [of, stats]) : [],
  );
  const ranking = {
    ...page,
    by,
    answers: [...answers.values()],
    beforeAndAfter,
    tries,
    isSorted: sort !== '',
  };
  await printList(invocation, groupView, {
    items: comparison.groups,
    head,
    page: (render) => (detail ? figuresPage(page, render) : rankingPage(ranking, render)),
  });
}

/** Groups and their standings, in the order in which they are shown. @param isOwn the notebook does not answer it */
function answerOf(
  sample: Sample,
  rows: Sample['rows'],
  options: StatsLocalOptions<GroupBy>,
  isOwn: boolean,
) {
  const { question, known } = sample;
  const { by, type, sort, horizon = MAIN_HORIZON, minSample, least } = options;
  const only = by === undefined && rows.length > 0 ? type : undefined;
  const findings = question.findings?.filter(({ about }) => !isOwn || about === 'medians');
  const asked = { by: only === undefined ? by : ('type' as const), horizon, minSample, least };
  const compared = figuresOf(rows, { ...question, ...asked, findings });
  const all = standingsOf(compared, horizon, known).filter(
    ({ group }) => only === undefined || group === only,
  );
  const inOrder = by === 'month' ? all : ranked(all);
  const ofOrder = inOrder.flatMap(({ of }) => of ?? []);
  if (sort === undefined)
    return { comparison: { ...compared, groups: ofOrder }, standings: inOrder };
  const groups = sortByField(ofOrder, sort);
  const standings = groups.map((of) => all.find((one) => one.of === of) as Standing);
  return { comparison: { ...compared, groups }, standings };
}

async function compareSettings(invocation: Invocation, options: StatsLocalOptions): Promise<void> {
  const { type, least = LEAST } = options;
  const sample = await readSample(invocation, { ...options, type: undefined }, true);
  const types = [...new Set(sample.rows.map((row) => row.type))];
  if (type === undefined) {
    const changed = types.filter((one) => settingsPeriods(sample.looks, one).length > 1);
    const lines = changed.map((one) =>
      againCommand(invocation, { ...options, type: one, by: 'settings' }),
    );
    const which =
      lines.length === 0 ? 'No change is recorded.' : ['Changed settings:', ...lines].join('\n');
    throw usageError(
      '--by settings needs --type: it compares the settings of one screener type.',
      which,
    );
  }
  if (!types.includes(type)) await explainEmpty(invocation, options);
  const history = settingsHistory(sample, type, least);
  const { groups, changes } = history;
  const head: StatsHead & { readonly changes: typeof changes } = {
    ...(await headOf(options, 'settings', sample.question.now)),
    settings_changes: changes.map(({ seen_by }) => ({ at: seen_by, types: [type] })),
    comparisons: changes.length,
    least_percentage_points: least,
    groups_left_out: 0,
    changes: asPrinted(changes),
  };
  const page = (render: RenderContext) => render.sections([settingsSection(history, render)]);
  await printList(invocation, groupView, { items: asPrinted(groups), head, page });
}

async function headOf<By>(options: OfHistory, by: By, now: number) {
  // A manifest that is damaged says nothing; the cards are read all the same.
  const manifest = await options.history.manifest().catch(() => undefined);
  return {
    ...askedFor(options),
    by,
    generated_at: formatApiTime(now),
    bought_first: manifest?.focus ?? [],
  };
}

function againCommand(invocation: Invocation, options: StatsLocalOptions): string {
  const { by, least, horizon, sort, minSample, detail } = options;
  return commandLine(invocation, 'stats', {
    ...historyOptions(options),
    ...cardOptions(options),
    '--by': by,
    '--least': least === LEAST ? undefined : least,
    '--horizon': horizon,
    '--sort': sort,
    '--min-sample': minSample,
    '--detail': detail,
  });
}
