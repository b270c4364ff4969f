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
import { figuresPage, groupView, historyStatsView, type StatsPage } from '../output/views/history-stats.ts';
import type { HistoryStats, StatsHead } from '../output/views/history-stats-fields.ts';
import { settingsSection } from '../output/views/settings-history.ts';
import { rankingPage } from '../output/views/stats-ranking.ts';
import { MINUTE } from '../runtime/units.ts';
import { LEAST, leastOf } from '../statistics/verdict.ts';
import {
  askedFor,
  changesWithin,
  explainEmpty,
  type OfHistory,
  OWN,
  printList,
  readSample,
  type Sample,
} from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { cardWords, commandLine, exportCommand, historyWords } from './parts/next-command.ts';
import { settingsHistory } from './parts/settings-history.ts';
import { sortByField } from './parts/sort-by-field.ts';
import { triesOf } from './parts/tune-command.ts';

interface StatsLocalOptions<By = GroupBy | 'settings'> extends OfHistory {
  readonly by?: By | undefined;
  readonly sort?: string | undefined;
  readonly minSample?: number | undefined;
  /** Percentage points. */
  readonly least?: number;
  readonly detail?: boolean;
  readonly horizon?: HorizonName | undefined;
  /** The command line that asks the same, if it is not `stats`: a page of the symbol, if one is named. */
  readonly again?: string;
}

export async function run(invocation: Invocation, { by, ...options }: StatsLocalOptions): Promise<void> {
  if (by === 'settings') await compareSettings(invocation, options);
  else await compare(invocation, { ...options, by });
}

async function compare(invocation: Invocation, options: StatsLocalOptions<GroupBy>): Promise<void> {
  const { output } = invocation;
  const { by, minSample, least, type, sort, since, detail = false } = options;
  const horizon = horizonOf(options);
  // As it stands in command lines.
  const asked = { ...options, since: since === undefined ? since : Math.ceil(since / MINUTE) * MINUTE };
  // One type is compared with the others, as in the list of all.
  const isOfType = by === undefined && type !== undefined;
  const sample = await readSample(invocation, { ...options, type: isOfType ? undefined : type }, by === 'month');
  const rows = type === undefined || sample.rows.some((row) => row.type === type) ? sample.rows : [];
  if (rows.length === 0) await explainEmpty(invocation, options, options.again !== undefined);
  const isAmongTypes = isOfType && rows.length > 0;
  const isOwn = minSample !== undefined || (least ?? LEAST) !== LEAST;
  const { comparison, standings } = answerOf(sample, rows, {
    ...{ ...options, horizon, isOwn },
    ...(isAmongTypes ? { by: 'type', only: type } : { by, only: undefined }),
  });
  // A page reads one horizon: the other need not be worked out.
  if (!output.isForPeople) comparison.groups = asPrinted(comparison.groups);
  const { question } = sample;
  const head: StatsHead = {
    ...(await headOf(options, by ?? null, question.now)),
    settings_changes: changesWithin(sample, options).map(({ at, types }) => ({ at: formatApiTime(at), types })),
    comparisons: comparison.comparisons,
    least_percentage_points: comparison.least_percentage_points,
    groups_left_out: comparison.groups_left_out,
  };
  const page: StatsPage = {
    head,
    comparison,
    standings,
    horizon,
    least: leastOf(horizon, comparison.least_percentage_points),
    isChosen: Boolean(options.where?.length),
    isDetailed: detail,
    again: againCommand(invocation, asked),
    anew: options.again ?? againCommand(invocation, { ...asked, since: undefined }),
    gather: exportCommand(invocation, options),
    why: sample.why || (isOwn ? OWN : ''),
    period: { since: options.since ?? rows.at(-1)?.at ?? question.now, until: sample.question.until },
  };
  if (by === undefined) {
    const { group: _, ...figures } = comparison.groups[0] as GroupFigures;
    const stats: HistoryStats = { ...head, ...figures };
    const isPage = output.isForPeople && invocation.globals.fields === undefined;
    return isPage ? output.page((render) => figuresPage(page, render)) : output.one(historyStatsView, stats);
  }
  const beforeAndAfter = (name: string) =>
    againCommand(invocation, { ...options, symbol: undefined, type: name, by: 'settings', horizon: undefined });
  const isTried = by === 'type' && sample.known.isWhole && !detail && horizon === MAIN_HORIZON;
  const tries = isTried ? triesOf(invocation, asked, sample) : [];
  // The latest of each type: they are kept oldest first.
  const answers = new Map(by === 'type' ? question.answers?.map(({ type: of, stats }) => [of, stats]) : []);
  const ranking = { ...page, by, answers: [...answers.values()], beforeAndAfter, tries, isSorted: sort !== undefined };
  await printList(invocation, groupView, {
    items: comparison.groups,
    head,
    page: (render) => (detail ? figuresPage(page, render) : rankingPage(ranking, render)),
  });
}

interface StatsQuestion extends Pick<StatsLocalOptions<GroupBy>, 'by' | 'sort' | 'minSample' | 'least' | 'horizon'> {
  /** The one of several types that is shown. */
  readonly only: string | undefined;
  /** Whether the notebook does not answer it. */
  readonly isOwn: boolean;
}

/** Groups and their standings, in the order in which they are shown. */
function answerOf(sample: Sample, rows: Sample['rows'], { only, sort, isOwn, ...asked }: StatsQuestion) {
  const { by, horizon = MAIN_HORIZON } = asked;
  const findings = sample.question.findings?.filter(({ about }) => !isOwn || about === 'medians');
  const compared = figuresOf(rows, { ...sample.question, ...asked, findings });
  const all = standingsOf(compared, horizon, sample.known).filter(({ group }) => only === undefined || group === only);
  const inOrder = by === 'month' ? all : ranked(all);
  const ofOrder = inOrder.flatMap(({ of }) => of ?? []);
  if (sort === undefined) return { comparison: { ...compared, groups: ofOrder }, standings: inOrder };
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
    const which =
      changed.length === 0
        ? 'No change is recorded.'
        : [
            'Changed settings:',
            ...changed.map((one) => againCommand(invocation, { ...options, type: one, by: 'settings' })),
          ].join('\n');
    throw usageError('--by settings needs --type: it compares the settings of one screener type.', which);
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
  return { ...askedFor(options), by, generated_at: formatApiTime(now), bought_first: manifest?.focus ?? [] };
}

function horizonOf({ horizon, sort = '' }: StatsLocalOptions): HorizonName {
  return horizon ?? HORIZON_NAMES.find((name) => sort.includes(`horizons.${name}.`)) ?? MAIN_HORIZON;
}

function againCommand(invocation: Invocation, options: StatsLocalOptions): string {
  const { by, least, horizon, sort, minSample, detail } = options;
  const asked = { '--by': by, '--least': least === LEAST ? undefined : least, '--horizon': horizon };
  const others = Object.entries({ ...asked, '--sort': sort, '--min-sample': minSample });
  return commandLine(invocation, [
    ...['stats', ...historyWords(options), ...cardWords(options)],
    ...others.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
    ...(detail ? ['--detail'] : []),
  ]);
}
