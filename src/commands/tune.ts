/** `screener tune [TYPE]`: which numbers at the trigger go with what came after, and stricter settings. */
import { type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import type { ScreenerItem } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { matches } from '../base/collections.ts';
import { didYouMean } from '../base/near-names.ts';
import { usageError } from '../errors.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { type Focus, focusOf } from '../outcomes/focus.ts';
import { adviceInNotebook } from '../outcomes/judge-numbers.ts';
import { isAllBoughtSoon } from '../outcomes/purchases.ts';
import { type KnownScreeners, rankStandings, type Standing } from '../outcomes/standing.ts';
import { tuningOf } from '../outcomes/tune.ts';
import type { Cut, NumberQuestion, Tuning } from '../outcomes/tune-types.ts';
import type { Suggestion } from '../output/views/actions.ts';
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
import { cardOptions, commandLine } from './parts/next-command.ts';
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
  // The other types are what its cards are compared with.
  const ofAllTypes = { ...options, type: undefined };
  const inquiry = await inquire(invocation, ofAllTypes, { foreseesExports: true });
  const { cards, now } = inquiry.evidence;
  const cardsOfType = cards.filter((card) => matches(card.type, type));
  if (cardsOfType.length === 0) await explainEmpty(invocation, options);
  const isPage = isForPage(invocation);
  const horizon = options.horizon ?? (isPage ? MAIN_HORIZON : undefined);
  const tuningOfAll = tuningOf(inquiry.evidence, { horizon });
  const tuning = ofNumber(ofType(tuningOfAll, type), options.key);
  const judgements = judgedTypes(inquiry);
  const focus = typeToBuyFirst(inquiry, judgements.standings, tuningOfAll);
  const answer: Tune = {
    ...askedFor(options),
    generated_at: formatApiTime(now),
    bought: cardsOfType.filter(({ isBought }) => isBought).length,
    ...asPrinted(tuning),
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
 * The type that exports should buy first, whichever types and numbers a page shows. `today` names it where outcomes are scarce.
 * @param standings one for each type
 * @param tuning what is known of the numbers of all types; worked out if it is not known after 24 h
 * @returns undefined, too, for a question of the user's own: exports buy for all cards
 */
export function typeToBuyFirst(
  { evidence, question }: Inquiry,
  standings: readonly Standing[],
  tuning?: Tuning,
): Focus | undefined {
  if (question.kind === 'own') return undefined;
  const questionsOfAll = () => {
    const known = tuning?.questions.filter(({ horizon }) => horizon === MAIN_HORIZON) ?? [];
    return known.length > 0 ? known : tuningOf(evidence, { horizon: MAIN_HORIZON }).questions;
  };
  const isAllBought = isAllBoughtSoon(evidence.allBoughtBy, evidence.now);
  return focusOf(standings, questionsOfAll, evidence.inFocus, isAllBought);
}

function ofType({ questions, cuts }: Tuning, type: string | undefined): Tuning {
  const isOfType = (item: NumberQuestion | Cut) => matches(item.type, type);
  return { questions: questions.filter(isOfType), cuts: cuts.filter(isOfType) };
}

/** @throws ScreenerError usage, if no number is called so */
function ofNumber(tuning: Tuning, key: string | undefined): Tuning {
  const isOfKey = (item: NumberQuestion | Cut) => matches(item.key, key);
  const questions = tuning.questions.filter(isOfKey);
  if (key !== undefined && tuning.questions.length > 0 && questions.length === 0) {
    const names = new Set(tuning.questions.map((question) => question.key));
    const guess = didYouMean(key, [...names]);
    throw usageError(`No number at the trigger is called '${key}'.${guess}`);
  }
  return { questions, cuts: tuning.cuts.filter(isOfKey) };
}

/** An answer, how the types stand, and which of them exports should buy first. */
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
  const { type, key, horizon } = options;
  const typesWithNumbers = new Set<string | null>(questions.map((question) => question.type));
  const figuresOfTypes = comparison.groups.map(({ figures }) => figures);
  return {
    horizon: horizon ?? MAIN_HORIZON,
    isDetailed: options.detail,
    types: typesInOrder(rankStandings(standings)),
    standings,
    asSetNow: figuresOfTypes,
    withoutNumbers: figuresOfTypes.filter(
      ({ group }) => key === undefined && matches(group, type) && !typesWithNumbers.has(group),
    ),
    settings: type === undefined ? [] : screenersOfType(inquiry.known, type),
    today: commandLine(invocation, 'today', { '--from': options.from }),
    olderLeftOut: inquiry.olderLeftOut,
    focus: adviceOfFocus(invocation, options, focus),
    ofAllTypes: commandLine(invocation, 'tune', { '--from': options.from }),
    cutsOfType: (ofType) => tuneCommand(invocation, options, ofType, horizon),
  };
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

/** The command line that shows the numbers of a type, of the same cards. */
export function tuneCommand(
  invocation: Invocation,
  options: OfHistory,
  type?: string,
  horizon?: string,
): string {
  const cards = { '--from': options.from, ...cardOptions({ ...options, type: undefined }) };
  return commandLine(invocation, 'tune', { ...cards, '--horizon': horizon }, type);
}

/** Working advice out of more cards would hold up the screen that it stands on. */
const MOST_CARDS = 20_000;

/**
 * The stricter settings to try, each with the setting that it probably is, or the command that shows more. Only pages name
 * them: a program reads the cuts of `tune`.
 */
export function suggestionsOf(
  invocation: Invocation,
  options: OfHistory,
  inquiry: Inquiry,
): Suggestion[] {
  if (!invocation.output.isForPeople) return [];
  return advisedCuts(inquiry).map((cut) => {
    const setting = nowWords(inquiry, cut);
    const command = setting === '' ? tuneCommand(invocation, options, cut.type) : '';
    return { cut, setting, command };
  });
}

/** Whether stricter settings were looked for: where none is found, that can be said. */
export function isSearched({ evidence: { findings, cards } }: Inquiry): boolean {
  return findings !== undefined || cards.length <= MOST_CARDS;
}

/** The stricter settings that `tune` advises after 24 h. A notebook without advice answers at once that there is none. */
function advisedCuts(inquiry: Inquiry): Cut[] {
  const { evidence } = inquiry;
  const { findings, settingsSince } = evidence;
  if (findings !== undefined && adviceInNotebook(findings, settingsSince).length === 0) return [];
  if (!isSearched(inquiry)) return [];
  return tuningOf(evidence, { horizon: MAIN_HORIZON }).cuts.filter(isAdvice);
}

/** `probably price change pct, now 3`: the setting that it is; empty if none can be told. */
export function nowWords({ known }: Inquiry, cut: Cut): string {
  const likely = likelySetting(screenersOfType(known, cut.type), cut);
  return likely === undefined ? '' : `probably ${likely.name}, now ${likely.now}`;
}

/** The screeners of a type, as last looked at. */
export function screenersOfType(
  { screeners }: KnownScreeners,
  wanted: string,
): readonly ScreenerItem[] {
  return screeners.filter(({ type }) => type === wanted);
}
