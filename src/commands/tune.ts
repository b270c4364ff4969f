/** `screener tune [TYPE]`: which numbers at the trigger go with what came after, and stricter settings. */
import { type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import type { ScreenerItem } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { matches } from '../base/collections.ts';
import { didYouMean } from '../base/near-names.ts';
import { usageError } from '../errors.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { cardsBeforeMonth, type Focus, focusOf, mayBeBelowBtc } from '../outcomes/focus.ts';
import {
  adviceBefore,
  adviceInNotebook,
  type EarlierAdvice,
  presentLine,
} from '../outcomes/judge-numbers.ts';
import { isAllBoughtSoon } from '../outcomes/purchases.ts';
import { type KnownScreeners, rankStandings, type Standing } from '../outcomes/standing.ts';
import { tuningOf } from '../outcomes/tune.ts';
import type { Cut, NumberQuestion, Tuning } from '../outcomes/tune-types.ts';
import type { SettingsSearch } from '../output/views/actions.ts';
import { noCardsText } from '../output/views/card-lists.ts';
import { focusData } from '../output/views/focus.ts';
import { type FocusAdvice, focusAdvice } from '../output/views/prospect-words.ts';
import { typesInOrder } from '../output/views/sections.ts';
import { likelySetting } from '../output/views/settings-text.ts';
import { type Tune, type TunePage, tunePage, tuneView } from '../output/views/tune.ts';
import { isAdvice } from '../output/views/tune-words.ts';
import type { Judgements } from '../report/answer.ts';
import { isForPage, printPage } from './parts/history-list.ts';
import { askedFor, explainEmpty, type Inquiry, inquire, judgedTypes } from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { cardOptions, commandLine, exportCommand } from './parts/next-command.ts';
import type { OfHistory } from './parts/where.ts';

interface TuneOptions extends OfHistory {
  /** The only number that is shown: its name in `entry_context`. */
  readonly key?: string | undefined;
  readonly horizon?: HorizonName | undefined;
  /** Whether every number has a line. */
  readonly detail: boolean;
}

export async function run(invocation: Invocation, options: TuneOptions): Promise<void> {
  const { output } = invocation;
  const { type } = options;
  // The cards of a type are compared with those of the other types.
  const optionsForAllTypes = { ...options, type: undefined };
  const inquiry = await inquire(invocation, optionsForAllTypes, { foreseesExports: true });
  const { cards, now } = inquiry.evidence;
  const cardsOfType = cards.filter((card) => matches(card.type, type));
  // `explainEmpty` may throw. If it returns, the answer has no questions and no cuts.
  if (cardsOfType.length === 0) await explainEmpty(invocation, options);
  const isPage = isForPage(invocation);
  // A page shows one horizon, programs get all.
  const usualHorizon = isPage ? MAIN_HORIZON : undefined;
  const horizon = options.horizon ?? usualHorizon;
  const tuningOfAll = tuningOf(inquiry.evidence, { horizon });
  const { questions, cuts } = tuningOfKey(tuningOfType(tuningOfAll, type), options.key);
  const judgements = judgedTypes(inquiry);
  const focus = typeToBuyFirst(inquiry, judgements.standings, tuningOfAll);
  const answer: Tune = {
    // Scope, type, symbol, and the two ends of the time.
    ...askedFor(options),
    generated_at: formatApiTime(now),
    bought: cardsOfType.filter(({ isBought }) => isBought).length,
    questions: asPrinted(questions),
    cuts: asPrinted(cuts),
    focus: focusData(focus),
  };
  if (!isPage) return output.one(tuneView, answer);
  const page = pageOf(invocation, options, inquiry, { answer, judgements, focus });
  await printPage(invocation, {
    overdue: inquiry.overdue,
    page: (render) => tunePage(answer, page, render),
  });
}

/**
 * The type of which exports should buy outcomes first, whichever types and numbers a page shows.
 * @param standings one for each type
 * @param tuning the numbers of all types, if the caller has worked them out. If they lack the horizon of 24 h, those of 24 h are
 *   worked out here.
 * @returns undefined if no type should come first; also if the user filtered the cards, because exports choose by all cards
 */
export function typeToBuyFirst(
  { evidence, question }: Inquiry,
  standings: readonly Standing[],
  tuning?: Tuning,
): Focus | undefined {
  if (question.kind === 'own') return undefined;
  const questionsOfAll = () => {
    const known = tuning?.questions.filter(({ horizon }) => horizon === MAIN_HORIZON) ?? [];
    if (known.length > 0) return known;
    return tuningOf(evidence, { horizon: MAIN_HORIZON }).questions;
  };
  const { cards, now, inFocus } = evidence;
  const areAllBoughtSoon = isAllBoughtSoon(evidence.allBoughtBy, now);
  return focusOf(
    standings,
    questionsOfAll,
    cardsBeforeMonth(cards, now),
    inFocus,
    areAllBoughtSoon,
  );
}

function tuningOfType({ questions, cuts }: Tuning, type: string | undefined): Tuning {
  const isOfType = (item: NumberQuestion | Cut) => matches(item.type, type);
  return { questions: questions.filter(isOfType), cuts: cuts.filter(isOfType) };
}

/** @throws ScreenerError usage, if no number has this name */
function tuningOfKey(tuning: Tuning, key: string | undefined): Tuning {
  const isOfKey = (item: NumberQuestion | Cut) => matches(item.key, key);
  const questions = tuning.questions.filter(isOfKey);
  if (key !== undefined && tuning.questions.length > 0 && questions.length === 0) {
    const names = new Set(tuning.questions.map((question) => question.key));
    const guess = didYouMean(key, [...names]);
    throw usageError(`No number at the trigger is called '${key}'.${guess}`);
  }
  return { questions, cuts: tuning.cuts.filter(isOfKey) };
}

/** What a page is made from: the answer, how the types stand, and the type to buy first. */
interface JudgedAnswer {
  readonly answer: Tune;
  readonly judgements: Judgements;
  readonly focus: Focus | undefined;
}

function pageOf(
  invocation: Invocation,
  options: TuneOptions,
  inquiry: Inquiry,
  { answer: { questions }, judgements: { comparison, standings }, focus }: JudgedAnswer,
): TunePage {
  const { type, key, horizon, from, until } = options;
  const isOwn = inquiry.question.kind === 'own';
  const hasCards = inquiry.evidence.cards.some((card) => matches(card.type, type));
  const typesWithNumbers = new Set<string | null>(questions.map((question) => question.type));
  const figuresOfTypes = comparison.groups.map(({ figures }) => figures);
  const withoutNumbers = figuresOfTypes.filter(
    ({ group }) => matches(group, type) && !typesWithNumbers.has(group),
  );
  return {
    horizon: horizon ?? MAIN_HORIZON,
    isDetailed: options.detail,
    types: typesInOrder(rankStandings(standings)),
    standings,
    figuresOfTypes,
    withoutNumbers: key === undefined ? withoutNumbers : [],
    earlierAdvice: (question) => earlierAdvice(inquiry, question),
    screeners: type === undefined ? [] : screenersOfType(inquiry.known, type),
    todayCommand: isOwn ? undefined : commandLine(invocation, 'today', { '--from': options.from }),
    noCards: isOwn && !hasCards ? noCardsText(exportCommand(invocation, from), until) : undefined,
    olderLeftOut: inquiry.olderLeftOut,
    focus: adviceOfFocus(invocation, options, focus),
    commandForAllTypes: commandLine(invocation, 'tune', { '--from': options.from }),
    commandForType: (wanted) => tuneCommand(invocation, options, wanted, horizon),
  };
}

/** The advice on a number that the notebook had under the present settings, before the one that it has now, if any. */
function earlierAdvice(
  { evidence: { findings = [], settingsSince } }: Inquiry,
  question: NumberQuestion,
): EarlierAdvice | undefined {
  // The notebook is about 24 h.
  if (question.horizon !== MAIN_HORIZON) return undefined;
  const line = presentLine(question, findings, settingsSince.get(question.type));
  return line && adviceBefore(line, findings);
}

/** What a page says of the type to buy first, with the command line for that; undefined if there is none. */
export function adviceOfFocus(
  invocation: Invocation,
  { from }: Pick<OfHistory, 'from'>,
  focus: Focus | undefined,
): FocusAdvice | undefined {
  if (focus === undefined) return undefined;
  const command = commandLine(invocation, 'signals export', { '--focus': focus.type }, from);
  return focusAdvice(focus, command);
}

/**
 * What pages of verdicts say of the type to buy first, if that is to show whether it is below BTC, too: that is an open question of
 * such a page. `tune` says it, too.
 */
export function adviceVsBtc(
  invocation: Invocation,
  options: Pick<OfHistory, 'from'>,
  inquiry: Inquiry,
  standings: readonly Standing[],
): FocusAdvice | undefined {
  return adviceOfFocus(invocation, options, typeToBuyVsBtc(inquiry, standings));
}

/** The type to buy first, if that is to show whether it is below BTC, too; otherwise undefined. */
export function typeToBuyVsBtc(
  inquiry: Inquiry,
  standings: readonly Standing[],
): Focus | undefined {
  // Without such a type, all numbers would be tested in vain.
  if (!standings.some(mayBeBelowBtc)) return undefined;
  const focus = typeToBuyFirst(inquiry, standings);
  return focus?.why === 'vs_btc' ? focus : undefined;
}

/** The command line of `tune` for the same cards. @param type undefined for all types */
export function tuneCommand(
  invocation: Invocation,
  options: OfHistory,
  type?: string,
  horizon?: string,
): string {
  const cards = { '--from': options.from, ...cardOptions({ ...options, type: undefined }) };
  return commandLine(invocation, 'tune', { ...cards, '--horizon': horizon }, type);
}

/** If there are more cards, stricter settings are not searched for: the search would delay the whole page. */
const MOST_CARDS_FOR_SEARCH = 20_000;

/**
 * The stricter settings to try. Each has the name of the screener's setting that the cut probably corresponds to. If there is
 * none, it has the command that shows more. People get them on pages; programs read the cuts in `tune --json`.
 */
export function searchSettings(
  invocation: Invocation,
  options: OfHistory,
  inquiry: Inquiry,
): SettingsSearch {
  if (!invocation.output.isForPeople)
    return { suggestions: [], areSettingsSearched: areSettingsSearched(inquiry) };
  const cuts = advisedCuts(inquiry);
  const suggestions = cuts.map((cut) => {
    const setting = nowWords(inquiry, cut);
    const command = setting === '' ? tuneCommand(invocation, options, cut.type) : '';
    return { cut, setting, command };
  });
  return { suggestions, areSettingsSearched: areSettingsSearched(inquiry) };
}

/** Whether stricter settings were searched for: only then may a page say that there are none. */
function areSettingsSearched({ evidence: { findings, cards } }: Inquiry): boolean {
  return findings !== undefined || cards.length <= MOST_CARDS_FOR_SEARCH;
}

/** The stricter settings that `tune` advises at the horizon of 24 h. If the notebook advises none, nothing is worked out. */
function advisedCuts(inquiry: Inquiry): Cut[] {
  const { evidence } = inquiry;
  const { findings, settingsSince } = evidence;
  if (findings !== undefined && adviceInNotebook(findings, settingsSince).length === 0) return [];
  if (!areSettingsSearched(inquiry)) return [];
  return tuningOf(evidence, { horizon: MAIN_HORIZON }).cuts.filter(isAdvice);
}

/** `probably price change pct, now 3`: the setting that the cut probably corresponds to; empty if no setting does. */
export function nowWords({ known }: Inquiry, cut: Cut): string {
  const likely = likelySetting(screenersOfType(known, cut.type), cut);
  return likely === undefined ? '' : `probably ${likely.name}, now ${likely.now}`;
}

/** The screeners of a type, with the settings last seen. */
export function screenersOfType(
  { screeners }: KnownScreeners,
  wanted: string,
): readonly ScreenerItem[] {
  return screeners.filter(({ type }) => type === wanted);
}
