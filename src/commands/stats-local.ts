/** `screener stats` of a history: the figures of one group, a line for each type or symbol, or the settings of a type. */
import { HORIZON_NAMES, MAIN_HORIZON } from '../api/contract/horizons.ts';
import type { SignalStats } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { matches } from '../base/collections.ts';
import { MINUTE } from '../base/units.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { prospectOf } from '../outcomes/prospect.ts';
import {
  choiceOf,
  DEFAULT_LEAST,
  isOfAllTypes,
  isOfWholeTypes,
  isTypeChosen,
  type Question,
  type Terms,
  termsOf,
} from '../outcomes/question.ts';
import type { GroupBy } from '../outcomes/types.ts';
import { type Actions, actionsOf } from '../output/views/actions.ts';
import type { HeadLine } from '../output/views/head-lines.ts';
import {
  figuresPage,
  groupView,
  historyStatsView,
  type StatsPage,
} from '../output/views/history-stats.ts';
import type { StatsHead } from '../output/views/history-stats-fields.ts';
import { prospectLines } from '../output/views/prospect-words.ts';
import { type Ranking, rankingPage } from '../output/views/stats-ranking.ts';
import { isForPage, printList, printPage } from './parts/history-list.ts';
import { changesWithin, EVERYTHING, explainEmpty, type Inquiry, inquire } from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { exportCommand } from './parts/next-command.ts';
import { answerOf, answerOfGroup, answerOfNoCard, type StatsAnswer } from './parts/stats-answer.ts';
import { againCommand, type StatsLocalOptions, settingsCommand } from './parts/stats-commands.ts';
import { statsHeadOf } from './parts/stats-head.ts';
import { showSettings } from './stats-settings.ts';
import { adviceVsBtc, searchSettings } from './tune.ts';

export async function run(
  invocation: Invocation,
  { by, ...options }: StatsLocalOptions,
): Promise<void> {
  if (by === 'settings') await showSettings(invocation, options);
  else if (by === undefined) await showGroup(invocation, options);
  else await compareGroups(invocation, { ...options, by });
}

/** The figures of all cards together, or of one type as it stands among all types. */
async function showGroup(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy>,
): Promise<void> {
  const { output } = invocation;
  const { type } = options;
  // A type is compared with the others: their cards are read, too.
  const by: GroupBy | undefined = type === undefined ? undefined : 'type';
  const terms = { ...termsIn(options), by };
  const inquiry = await inquire(invocation, { ...options, type: undefined }, { terms });
  const hasCards = isAnyCardOf(inquiry, type);
  if (!hasCards) await explainEmpty(invocation, options);
  const answerOfAll = answerOf(inquiry, options);
  const answer = hasCards
    ? answerOfGroup(answerOfAll, type)
    : answerOfNoCard(inquiry, answerOfAll.leftOut);
  const page = await pageOf(invocation, options, inquiry, answer);
  if (isForPage(invocation))
    return printPage(invocation, {
      overdue: inquiry.overdue,
      page: (render) => figuresPage(page, render),
    });
  const [group] = answer.groups;
  if (group === undefined) throw new Error('no group is shown');
  const { group: _, ...figures } = asPrinted(group.figures);
  await output.one(historyStatsView, { ...page.head, ...figures });
}

/** A line for each type or symbol. */
async function compareGroups(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy> & { readonly by: GroupBy },
): Promise<void> {
  const { by, detail = false } = options;
  const terms = { ...termsIn(options), by };
  // Only the page of types says what exports should buy first.
  const foreseesExports = isRankingOfTypes(invocation, options);
  const inquiry = await inquire(invocation, options, { terms, foreseesExports });
  if (!isAnyCardOf(inquiry, options.type)) await explainEmpty(invocation, options);
  const answer = answerOf(inquiry, options);
  const page = await pageOf(invocation, options, inquiry, answer);
  const ranking = rankingOf(invocation, options, inquiry, answer, page);
  const figures = answer.groups.map((group) => group.figures);
  await printList(invocation, groupView, {
    items: invocation.output.isForPeople ? figures : figures.map(asPrinted),
    head: page.head,
    overdue: inquiry.overdue,
    page: (render) => (detail ? figuresPage(page, render) : rankingPage(ranking, render)),
  });
}

/** @param type undefined for any type */
function isAnyCardOf({ evidence }: Inquiry, type: string | undefined): boolean {
  return evidence.cards.some((card) => matches(card.type, type));
}

/** How the cards are judged. Without --horizon it is the horizon of the field in --sort (`horizons.1h.sample`), otherwise 24 h. */
function termsIn({
  sort = '',
  horizon,
  least = DEFAULT_LEAST,
}: StatsLocalOptions): Omit<Terms, 'by'> {
  const sortedHorizon = HORIZON_NAMES.find((name) => sort.includes(`horizons.${name}.`));
  return { horizon: horizon ?? sortedHorizon ?? MAIN_HORIZON, least };
}

/** The part that all pages of `stats` have: the groups, and what is said around them. */
async function pageOf(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy>,
  inquiry: Inquiry,
  { groups, standings, leftOut }: StatsAnswer,
): Promise<StatsPage> {
  const { evidence, known, caveats } = inquiry;
  const { horizon, least } = termsIn(options);
  const { by, since, until, where = [], detail = false } = options;
  // The days on the page end with the newest card, because no later day has an outcome.
  const newestCardAt = evidence.cards[0]?.at ?? evidence.until;
  // With `--since all` the days begin with the oldest card.
  const isSinceTyped = since !== undefined && since !== EVERYTHING;
  const changes = changesWithin(inquiry, options);
  const head: StatsHead = {
    ...(await statsHeadOf(options, by ?? null, evidence.now)),
    settings_changes: changes.map(({ at, types }) => ({ at: formatApiTime(at), types })),
    least_percentage_points: least,
    groups_left_out: leftOut,
  };
  return {
    head,
    groups: groups.map(({ figures }) => figures),
    standings,
    horizon,
    hasWhere: where.length > 0,
    isOfPresentSettings: !isSinceTyped,
    isDetailed: detail,
    commandAgain: (...more) =>
      againCommand(invocation, { ...options, since: minuteAfter(since) }, more),
    commandWithoutSince: (...more) =>
      againCommand(invocation, { ...options, since: undefined }, more),
    exportCommand: exportCommand(invocation, options.from),
    caveats,
    period: {
      since: isSinceTyped ? since : known.firstCardAt,
      until: until ?? newestCardAt,
    },
  };
}

/** A time rounded up to the minute: people type minutes on a command line. */
function minuteAfter(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.ceil(time / MINUTE) * MINUTE;
}

function rankingOf(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy> & { readonly by: GroupBy },
  inquiry: Inquiry,
  answer: StatsAnswer,
  page: StatsPage,
): Ranking {
  const { by, sort } = options;
  return {
    ...page,
    by,
    answers: newestAnswers(inquiry, by),
    beforeAndAfter: (name) => settingsCommand(invocation, options, name),
    actions: actionsFor(invocation, options, inquiry, answer),
    focus: isRankingOfTypes(invocation, options)
      ? adviceVsBtc(invocation, options, inquiry, answer.standings)
      : undefined,
    prospects: prospectsFor(invocation, options, inquiry, answer),
    isSorted: sort !== undefined,
  };
}

/** The service's latest answer for each type that the question is about. */
function newestAnswers({ evidence, question }: Inquiry, by: GroupBy): SignalStats[] {
  if (by !== 'type') return [];
  const choice = choiceOf(question);
  const newestByType = new Map<string, SignalStats>();
  // Oldest first: a later answer takes the place of an earlier one.
  for (const { type, stats } of evidence.answers) {
    if (isTypeChosen(type, choice)) newestByType.set(type, stats);
  }
  return [...newestByType.values()];
}

/**
 * What to keep, to drop and to change. Undefined if the page has no ranking of types. Also undefined if only some of the cards
 * count, because a type is kept or dropped whole.
 */
function actionsFor(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy>,
  inquiry: Inquiry,
  { standings }: StatsAnswer,
): Actions | undefined {
  const { question } = inquiry;
  if (!isRankingOfTypes(invocation, options) || !isOfWholeTypes(question)) return undefined;
  const search = isSearchable(question) ? searchSettings(invocation, options, inquiry) : undefined;
  return actionsOf(standings, search);
}

/** Headlines that say how large a difference has to be for a verdict, in an account with this number of cards. */
function prospectsFor(
  invocation: Invocation,
  options: StatsLocalOptions<GroupBy>,
  inquiry: Inquiry,
  { standings }: StatsAnswer,
): HeadLine[] {
  if (!isRankingOfTypes(invocation, options) || !isSearchable(inquiry.question)) return [];
  return prospectLines(prospectOf(standings, inquiry.evidence, inquiry.known));
}

function isRankingOfTypes(
  { output }: Invocation,
  { by, detail = false }: StatsLocalOptions<GroupBy>,
): boolean {
  return by === 'type' && !detail && output.isForPeople;
}

/** Whether the answer is about all types at the horizon of 24 h. Stricter settings are looked for only then. */
function isSearchable(question: Question): boolean {
  return isOfAllTypes(question) && termsOf(question).horizon === MAIN_HORIZON;
}
