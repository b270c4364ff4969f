/** `screener stats` of a history: one group's figures, groups beside each other, or the settings of a type. */
import { HORIZON_NAMES, type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import type { SignalStats } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { matches } from '../base/collections.ts';
import { MINUTE } from '../base/units.ts';
import { usageError } from '../errors.ts';
import { settingsPeriods } from '../history/store/answers.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { type Comparison, figuresOf, type JudgedGroup } from '../outcomes/figures.ts';
import { prospectOf } from '../outcomes/prospect.ts';
import { LEAST, questionOf, type Terms } from '../outcomes/question.ts';
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
import { prospectLines } from '../output/views/prospect-words.ts';
import { settingsSection } from '../output/views/settings-history.ts';
import { type Ranking, rankingPage } from '../output/views/stats-ranking.ts';
import {
  askedFor,
  changesWithin,
  explainEmpty,
  type Inquiry,
  inquire,
  printList,
  sortByField,
} from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { cardOptions, commandLine, exportCommand, historyOptions } from './parts/next-command.ts';
import { settingsHistory } from './parts/settings-history.ts';
import type { OfHistory } from './parts/where.ts';
import { triesOf } from './tune.ts';

export interface StatsLocalOptions<By = GroupBy | 'settings'> extends OfHistory {
  /** Undefined: figures of one group. */
  readonly by?: By | undefined;
  /** The dotted name of a field, with `-` before it for the smallest first. */
  readonly sort?: string | undefined;
  readonly horizon?: HorizonName | undefined;
  readonly detail?: boolean;
  /** Groups with smaller samples at every horizon are not shown. */
  readonly minSample?: number | undefined;
  /** Percentage points. */
  readonly least?: number;
}

export async function run(
  invocation: Invocation,
  { by, ...options }: StatsLocalOptions,
): Promise<void> {
  if (by === 'settings') await compareSettings(invocation, options);
  else if (by === undefined) await showGroup(invocation, options);
  else await compareGroups(invocation, { ...options, by });
}

/** The groups that are shown, in their order, and how they stand. */
interface Shown {
  readonly comparison: Comparison;
  readonly groups: readonly JudgedGroup[];
  /** Also of types without cards. */
  readonly standings: readonly Standing[];
  /** Those with smaller samples than asked for. */
  readonly leftOut: number;
}

/** One type as in the list of all, or all cards together. */
async function showGroup(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy>,
): Promise<void> {
  const { type } = options;
  // One type is compared with the others.
  const by: GroupBy | undefined = type === undefined ? undefined : 'type';
  const terms = { ...termsIn(options), by };
  const inquiry = await inquire(invocation, { ...options, type: undefined }, { terms });
  const hasCards = inquiry.evidence.cards.some((card) => matches(card.type, type));
  if (!hasCards) await explainEmpty(invocation, options);
  const all = shownOf(inquiry, options);
  const shown = hasCards ? ofGroup(all, type) : ofNoCard(inquiry, all);
  const page = await pageOf(invocation, options, inquiry, shown);
  const { output, globals } = invocation;
  if (output.isForPeople && globals.fields === undefined)
    return output.page((render) => figuresPage(page, render));
  const { group: _, ...figures } = asPrinted(figuresOfOnly(shown));
  await output.one(historyStatsView, { ...page.head, ...figures });
}

function ofGroup(shown: Shown, group: string | undefined): Shown {
  const isMeant = (one: { readonly group: string | null }) => matches(one.group, group);
  return {
    ...shown,
    groups: shown.groups.filter(isMeant),
    standings: shown.standings.filter(isMeant),
  };
}

/** A type that has no card yet has the figures of no card. */
function ofNoCard({ evidence, known }: Inquiry, { leftOut }: Shown): Shown {
  const nothing = { ...evidence, cards: [] };
  const comparison = figuresOf(nothing, questionOf({ by: undefined }));
  const standings = standingsOf(comparison, nothing, known);
  return { comparison, groups: comparison.groups, standings, leftOut };
}

function figuresOfOnly({ groups }: Shown) {
  const [only] = groups;
  if (only === undefined) throw new Error('no group is shown');
  return only.figures;
}

/** A line a type or symbol. */
async function compareGroups(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy> & { readonly by: GroupBy },
): Promise<void> {
  const { by, sort, detail = false, type } = options;
  const terms = { ...termsIn(options), by };
  const inquiry = await inquire(invocation, options, { terms });
  const { cards } = inquiry.evidence;
  if (!cards.some((card) => matches(card.type, type))) await explainEmpty(invocation, options);
  const shown = shownOf(inquiry, options);
  const page = await pageOf(invocation, options, inquiry, shown);
  const ranking: Ranking = {
    ...page,
    by,
    answers: newestAnswers(inquiry, by),
    beforeAndAfter: (name) => settingsCommand(invocation, options, name),
    tries: triesFor(invocation, options, inquiry, shown),
    isSorted: sort !== undefined,
  };
  const { groups } = shown;
  await printList(invocation, groupView, {
    items: invocation.output.isForPeople
      ? groups.map(({ figures }) => figures)
      : groups.map(({ figures }) => asPrinted(figures)),
    head: page.head,
    page: (render) => (detail ? figuresPage(page, render) : rankingPage(ranking, render)),
  });
}

function termsIn({
  sort = '',
  horizon = HORIZON_NAMES.find((name) => sort.includes(`horizons.${name}.`)) ?? MAIN_HORIZON,
  least = LEAST,
}: StatsLocalOptions<GroupBy>): Omit<Terms, 'by'> {
  return { horizon, least };
}

function shownOf(inquiry: Inquiry, options: StatsLocalOptions<GroupBy>): Shown {
  const { evidence, question, known } = inquiry;
  const { sort, minSample = 0 } = options;
  const comparison = figuresOf(evidence, question);
  const isLarge = ({ horizons }: JudgedGroup) =>
    HORIZON_NAMES.some((name) => horizons[name].sample.states.measured >= minSample);
  const large = comparison.groups.filter((group) => minSample === 0 || isLarge(group));
  const names = new Set(large.map(({ group }) => group));
  const standings = standingsOf(comparison, evidence, known).filter(
    ({ of }) => of === null || names.has(of.group),
  );
  const leftOut = comparison.groups.length - large.length;
  if (sort === undefined) {
    const inOrder = ranked(standings);
    return { comparison, groups: inOrderOf(inOrder, large), standings: inOrder, leftOut };
  }
  const figures = sortByField(
    large.map((group) => group.figures),
    sort,
  );
  const places = new Map(figures.map(({ group }, place) => [group ?? '', place]));
  const placeOf = ({ group }: Standing) => places.get(group) ?? places.size;
  const sorted = standings.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { comparison, groups: inOrderOf(sorted, large), standings: sorted, leftOut };
}

/** The groups in the order of their standings. */
function inOrderOf(standings: readonly Standing[], groups: readonly JudgedGroup[]): JudgedGroup[] {
  const byName = new Map(groups.map((group) => [group.group ?? '', group]));
  return standings.flatMap(({ group, of }) => (of === null ? [] : (byName.get(group) ?? [])));
}

async function pageOf(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy>,
  inquiry: Inquiry,
  { groups, standings, leftOut }: Shown,
): Promise<StatsPage> {
  const { evidence, known, why } = inquiry;
  const { horizon, least } = termsIn(options);
  const { by, since, where = [], detail = false } = options;
  const head: StatsHead = {
    ...(await headOf(options, by ?? null, evidence.now)),
    settings_changes: changesWithin(inquiry, options).map(({ at, types }) => ({
      at: formatApiTime(at),
      types,
    })),
    least_percentage_points: least,
    groups_left_out: leftOut,
  };
  // A moment is typed to the minute.
  const typed = {
    ...options,
    since: since === undefined ? undefined : Math.ceil(since / MINUTE) * MINUTE,
  };
  return {
    head,
    groups: groups.map(({ figures }) => figures),
    standings,
    horizon,
    isChosen: where.length > 0,
    isOfPresentSettings: since === undefined || since === 0,
    isDetailed: detail,
    again: againCommand(invocation, typed),
    anew: againCommand(invocation, { ...typed, since: undefined }),
    gather: exportCommand(invocation, options.from),
    why,
    period: { since: since || known.first, until: evidence.until },
  };
}

/** The latest of each type: they are kept oldest first. */
function newestAnswers({ evidence }: Inquiry, by: GroupBy): SignalStats[] {
  if (by !== 'type') return [];
  return [...new Map(evidence.answers.map(({ type, stats }) => [type, stats])).values()];
}

/** Stricter settings are of whole types after the main horizon. */
function triesFor(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy>,
  inquiry: Inquiry,
  { standings }: Shown,
) {
  const { by, symbol, where = [], type, detail = false } = options;
  const isOfWholeTypes = symbol === undefined && where.length === 0 && type === undefined;
  const isAsked = by === 'type' && termsIn(options).horizon === MAIN_HORIZON && !detail;
  if (!isAsked || !isOfWholeTypes || !invocation.output.isForPeople) return [];
  const prospect = prospectOf(standings, inquiry.evidence, inquiry.known);
  return [...triesOf(invocation, options, inquiry, standings), ...prospectLines(prospect)];
}

async function compareSettings(invocation: Invocation, options: StatsLocalOptions): Promise<void> {
  const { type, least = LEAST } = options;
  const inquiry = await inquire(
    invocation,
    { ...options, type: undefined },
    { terms: { least }, readsAll: true },
  );
  const { evidence, looks } = inquiry;
  const types = [...new Set(evidence.cards.map((card) => card.type))];
  if (type === undefined) {
    const changed = types.filter((name) => settingsPeriods(looks, name).length > 1);
    const lines = changed.map((name) => settingsCommand(invocation, options, name));
    const which =
      lines.length === 0 ? 'No change is recorded.' : ['Changed settings:', ...lines].join('\n');
    throw usageError(
      '--by settings needs --type: it compares the settings of one screener type.',
      which,
    );
  }
  if (!types.includes(type)) await explainEmpty(invocation, options);
  const history = settingsHistory(inquiry, type, least);
  const { groups, changes } = history;
  const head: StatsHead & { readonly changes: typeof changes } = {
    ...(await headOf(options, 'settings', evidence.now)),
    settings_changes: changes.map(({ seen_by }) => ({ at: seen_by, types: [type] })),
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

/** What new settings of a type did. */
function settingsCommand(invocation: Invocation, options: StatsLocalOptions, type: string): string {
  return againCommand(invocation, {
    ...options,
    symbol: undefined,
    type,
    by: 'settings',
    horizon: undefined,
  });
}
