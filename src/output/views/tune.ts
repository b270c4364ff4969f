/** The page of `tune`: which numbers at the trigger go with what came after, and stricter settings. */
import * as v from 'valibot';
import { type HorizonName, horizonOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { count, described, time } from '../../api/contract/primitives.ts';
import type { ScreenerItem } from '../../api/contract/resources.ts';
import { groupBy } from '../../base/collections.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { pluralize } from '../../base/units.ts';
import type { GroupFigures, HorizonFigures } from '../../outcomes/figure-table.ts';
import { canComeToTest } from '../../outcomes/focus.ts';
import type { EarlierAdvice } from '../../outcomes/judge-numbers.ts';
import type { Standing } from '../../outcomes/standing.ts';
import {
  type Cut,
  cutSchema,
  hasBetterSide,
  isWellTested,
  type NumberQuestion,
  questionSchema,
} from '../../outcomes/tune-types.ts';
import type { ComparedWith } from '../../outcomes/types.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { MARGIN } from '../../statistics/rule.ts';
import { fieldsOf } from '../described-fields.ts';
import {
  asSentence,
  dayAndMonth,
  estimateText,
  NONE,
  points,
  rangeText,
  signed,
} from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, Part, RenderContext, Section, View } from '../types.ts';
import { cutName, droppedName, numberName, phrasesOf, timesOfAdvice } from './cut-words.ts';
import { focusSchema } from './focus.ts';
import { askedForFields } from './history-stats-fields.ts';
import { axisOf, type Bars, barsLine, marksOf, scaleLine } from './interval-axis.ts';
import { figureColumn, offerPart, textColumn } from './parts.ts';
import type { FocusAdvice } from './prospect-words.ts';
import {
  areNumbersNamed,
  lacksOutcomesWithoutDate,
  likelyFound,
  resultInShort,
  resultOfNumber,
  resultsByNumber,
  resultWithoutNumbers,
  TOO_FEW_CARDS,
  TOO_FEW_OUTCOMES,
  WOULD_SHOW_MEANS,
  whyNothing,
  wouldShowIn,
} from './tune-results.ts';
import {
  adviceInstead,
  adviceWords,
  advisedCut,
  checkedWords,
  cutsOf,
  isAdvice,
  isTested,
  measuredWords,
  settingWords,
  whyNoAdvice,
} from './tune-words.ts';
import { WHOM } from './verdict-names.ts';

const tuneSchema = v.object({
  ...askedForFields,
  generated_at: described(time, 'when it was computed, UTC'),
  bought: described(count, 'cards whose outcome and entry context were bought'),
  questions: described(
    v.array(questionSchema),
    'each type, number and horizon, the clear ones first',
  ),
  cuts: described(v.array(cutSchema), 'stricter settings for the numbers that matter'),
  focus: focusSchema,
});

export type Tune = ReadonlyDeep<v.InferOutput<typeof tuneSchema>>;

export const questionFields = fieldsOf(questionSchema);

export const tuneView: View<Tune> = {
  fields: fieldsOf(tuneSchema),
  rows: { fields: questionFields, of: ({ questions }) => questions },
};

export interface TunePage {
  readonly horizon: HorizonName;
  /** Whether every number has a line. */
  readonly isDetailed: boolean;
  /** All types, in the order of the ranking. */
  readonly types: readonly string[];
  /** How each type stands: whether a stricter setting of it would be of use. */
  readonly standings: readonly Standing[];
  /** Figures of each type with its present settings. */
  readonly figuresOfTypes: readonly GroupFigures[];
  /** The screeners of the only type that is shown. */
  readonly screeners: readonly ScreenerItem[];
  /** Advice that exports once gave on a number, and that no longer stands; undefined if none was given under the present settings. */
  readonly earlierAdvice: (question: NumberQuestion) => EarlierAdvice | undefined;
  /** Types of which no number is known: figures of each. */
  readonly withoutNumbers: readonly GroupFigures[];
  /** That older cards are left out; empty if none are. */
  readonly olderLeftOut: string;
  /** The command line that says what is new in the history of the page; undefined if it would answer another question. */
  readonly todayCommand: string | undefined;
  /** What the page says if the user chose cards that the history does not have; undefined if it has such cards. */
  readonly noCards: string | undefined;
  /** The command line that shows the numbers and the cuts of a type. */
  readonly commandForType: (type: string) => string;
  /** The type that exports should buy first; undefined if no type is proposed. */
  readonly focus: FocusAdvice | undefined;
  /** The command line that shows the numbers of all types. */
  readonly commandForAllTypes: string;
}

export function tunePage(answer: Tune, page: TunePage, render: RenderContext): string {
  const { screener_type: type, symbol, cuts } = answer;
  const questions = answer.questions.filter(({ horizon }) => horizon === page.horizon);
  const telling = questions.filter(hasBetterSide);
  const whose = type === null ? '' : ` in ${safeText(type)}`;
  const where = symbol === null ? '' : ` on ${safeText(symbol)}`;
  const { shortWords } = horizonOf(page.horizon);
  const title = `What to change${whose}${where}? By the outcomes you bought, ${shortWords} after the trigger`;
  const isOfOneType = type !== null;
  if (isOfOneType && telling.length > 0) {
    const parts = telling.map((question) => partOfNumber(question, cuts, page, render));
    return render.sections([
      { title, body: render.sections(parts) },
      {
        body: [
          page.isDetailed && numbersTable(questions, render),
          render.note(...columnWords(questions, page), page.olderLeftOut, detailHintOfFound(page)),
        ],
      },
      { body: render.note(ONLY_STRICTER) },
    ]);
  }
  const results = [
    resultsPart(answer, questions, page, render),
    render.note(...remarks(type, questions, page)),
  ];
  const focus = focusPart(answer, questions, page, render);
  if (telling.length === 0) {
    const nothing = render.paragraph(nothingWords(type, questions, page));
    return render.sections([{ title, body: nothing }, { body: results }, { body: focus }]);
  }
  const sections: Section[] = [{ title, body: results }, { body: focus }];
  const [firstAdvised] = ofAdvisedTypes(telling, page);
  if (firstAdvised !== undefined) {
    const { type: advisedType } = firstAdvised;
    const command = page.commandForType(advisedType);
    sections.push({ body: render.offer(`More about ${safeText(advisedType)}:`, command) });
  }
  return render.sections(sections);
}

/**
 * What to try, and what was found in the other types or numbers. It depends on the page:
 * - with --detail: the advice, and the table of all numbers;
 * - of all types: a line for each type;
 * - of one type in which no number tells: a line for each result.
 */
function resultsPart(
  { screener_type: type, cuts }: Tune,
  questions: readonly NumberQuestion[],
  page: TunePage,
  render: RenderContext,
): string {
  if (page.isDetailed) {
    const telling = questions.filter(hasBetterSide);
    const advices = telling.map((question): Pair => {
      return [safeText(question.type), tipWords(question, cuts, page)];
    });
    return [render.pairs(advices), numbersTable(questions, render)].filter(Boolean).join('\n');
  }
  if (type === null) return resultsOfAllTypes(cuts, questions, page, render);
  return resultsOfType(type, questions, page, render);
}

/** A line for each type, in the order of the ranking. */
function resultsOfAllTypes(
  cuts: readonly Cut[],
  questions: readonly NumberQuestion[],
  page: TunePage,
  render: RenderContext,
): string {
  const questionsOf = groupBy(questions, ({ type }) => type);
  const lines: Pair[] = [];
  for (const type of page.types) {
    const result = resultInLine(type, questionsOf.get(type) ?? [], cuts, page);
    if (result !== undefined) lines.push([safeText(type), result]);
  }
  return lines.length === 0 ? '' : render.pairs([['TYPE', 'RESULT'], ...lines]);
}

/** @returns undefined if the page asks for a number that the type does not have */
function resultInLine(
  type: string,
  questions: readonly NumberQuestion[],
  cuts: readonly Cut[],
  page: TunePage,
): string | undefined {
  const withoutNumbers = page.withoutNumbers.find(({ group }) => group === type);
  if (questions.length === 0 && withoutNumbers === undefined) return undefined;
  const whyNot = whyNoTip(type, page);
  if (whyNot !== undefined) return whyNot;
  if (withoutNumbers !== undefined) return resultWithoutNumbers(withoutNumbers);
  const telling = questions.filter(hasBetterSide);
  if (telling.length === 0) return resultInShort(questions);
  return telling.map((question) => tipWords(question, cuts, page)).join(' ');
}

/**
 * The numbers that the page of one type tells of. If the type gets no advice, numbers that only wait for outcomes are left out: more
 * outcomes would change nothing, and the first line says why.
 */
function shownOfType(
  type: string,
  questions: readonly NumberQuestion[],
  page: TunePage,
): readonly NumberQuestion[] {
  const isAdvised = whyNoTip(type, page) === undefined;
  return isAdvised ? questions : questions.filter((question) => !canComeToTest(question));
}

/** A line for each result, with the numbers that have it. */
function resultsOfType(
  type: string,
  questions: readonly NumberQuestion[],
  page: TunePage,
  render: RenderContext,
): string {
  const shown = shownOfType(type, questions, page);
  const results = resultsByNumber(shown);
  const unknown = page.withoutNumbers.map((figures): Pair => {
    return [safeText(type), resultWithoutNumbers(figures)];
  });
  const isAdvised = whyNoTip(type, page) === undefined;
  const withdrawn = isAdvised ? withdrawnPairs(questions, page) : [];
  return render.pairs([...results, ...unknown, ...withdrawn]);
}

/** What to do with a number that tells: the stricter setting to try, or why no stricter setting of its type is advised. */
function tipWords(question: NumberQuestion, cuts: readonly Cut[], page: TunePage): string {
  const cardsPerDayNow = figuresOfType(question.type, page)?.cards_per_day ?? null;
  return whyNoTip(question.type, page) ?? adviceWords(question, cuts, cardsPerDayNow);
}

/**
 * Why this page and `today` advise no stricter setting of a type: `no card for 21 days`. Undefined if they may advise one.
 */
function whyNoTip(type: string, page: TunePage): string | undefined {
  return whyNoAdvice(standingOf(type, page));
}

function standingOf(type: string, { standings }: TunePage): Standing | undefined {
  return standings.find(({ group }) => group === type);
}

const ONLY_STRICTER =
  'Only stricter settings can be tested: the cards a looser one would add were never recorded.';

/** The figures of a type with its present settings. */
function figuresOfType(type: string, { figuresOfTypes }: TunePage): GroupFigures | undefined {
  return figuresOfTypes.find(({ group }) => group === type);
}

/** That there is nothing to change, and why. @param type the only type that is shown; null for all types */
function nothingWords(
  type: string | null,
  questions: readonly NumberQuestion[],
  page: TunePage,
): string {
  if (page.noCards !== undefined) return page.noCards;
  const whyNot = type === null ? undefined : whyNoTip(type, page);
  if (whyNot !== undefined) return asSentence(whyNot);
  const why = whyNothing(questions);
  // If outcomes are missing, the lines below say how many.
  const reason = why === TOO_FEW_OUTCOMES ? '' : `: ${why}`;
  // `today` tells a change only at the main horizon, and only of types that can come to a test.
  const willTodayTell =
    why !== TOO_FEW_CARDS && page.horizon === MAIN_HORIZON && page.todayCommand !== undefined;
  const later = willTodayTell ? ` \`${page.todayCommand}\` tells you when that changes.` : '';
  return `Nothing to change yet${reason}.${later}`;
}

/** The notes below a list of types or numbers. */
function remarks(
  type: string | null,
  questions: readonly NumberQuestion[],
  page: TunePage,
): Part[] {
  const isEachNamed = type !== null && areNumbersNamed(shownOfType(type, questions, page));
  return [
    ...columnWords(questions, page, isEachNamed),
    wouldShowNote(type, questions, page),
    noDateNote(questions, page),
    page.olderLeftOut,
    questions.length > 0 && detailHint(page),
  ];
}

/** The questions on types of which a stricter setting may be advised. */
function ofAdvisedTypes(questions: readonly NumberQuestion[], page: TunePage): NumberQuestion[] {
  return questions.filter(({ type }) => whyNoTip(type, page) === undefined);
}

/** What it means that a type which lacks outcomes has no date. With --detail there are no dates at all. */
function noDateNote(questions: readonly NumberQuestion[], page: TunePage): Part {
  if (page.isDetailed) return '';
  const byType = groupBy(ofAdvisedTypes(questions, page), ({ type }) => type);
  if (![...byType.values()].some(lacksOutcomesWithoutDate)) return '';
  return 'Without a date: more than two months, at the present pace.';
}

/**
 * Explains the size in `2.5 pp would show`: a difference that large between the two halves of a type's cards would likely have been
 * found.
 */
function wouldShowNote(
  type: string | null,
  questions: readonly NumberQuestion[],
  page: TunePage,
): string {
  const size = wouldShowIn(ofAdvisedTypes(questions, page));
  if (size === undefined) return '';
  if (type === null && !page.isDetailed) return WOULD_SHOW_MEANS;
  return asSentence(likelyFound(`a difference of ${size} pp`));
}

/**
 * The type that exports should buy first, with its command line: the same type as on `today`. On the page of another type it
 * stands only if that other type would gain by --focus, too, and its turn comes later. Empty if there is nothing to say.
 */
function focusPart(
  { screener_type: shownType }: Tune,
  questions: readonly NumberQuestion[],
  page: TunePage,
  render: RenderContext,
): string {
  const { focus, commandForAllTypes } = page;
  if (focus === undefined) return '';
  const { type, purpose, command } = focus;
  if (shownType === null || shownType === type) return offerPart(focus, render);
  const wouldGain = questions.some(({ focus_brings_by: by }) => by !== null);
  if (!wouldGain || whyNoTip(shownType, page) !== undefined) return '';
  const first = safeText(type);
  const later = safeText(shownType);
  if (command === undefined)
    return render.paragraph(
      `Exports buy ${first} before ${later}: \`${commandForAllTypes}\` says why.`,
    );
  return render.offer(
    `First buy the outcomes of ${first}${purpose}; later those of ${later}:`,
    command,
  );
}

/** What the columns of the table of numbers mean. */
function columnWords(
  questions: readonly NumberQuestion[],
  { isDetailed }: TunePage,
  isEachNamed = false,
): Part[] {
  const isSizeNamed = questions.some(({ absolute }) => absolute);
  const sizeWords =
    (isDetailed || isEachNamed) && isSizeNamed && '|x|: the size of x, whether up or down';
  if (!isDetailed) return [sizeWords];
  return [
    questions.length > 0 &&
      'CORR.: correlation of ranks among cards of the same day: 0 is no link, 1 a perfect one',
    sizeWords,
    questions.some(isWellTested) && 'LIMIT: a correlation of this size is found in 4 of 5 cases',
  ];
}

function detailHint({ isDetailed }: TunePage): Part {
  return !isDetailed && '--detail lists every number.';
}

/** The same on the page of a type in which a number tells. */
function detailHintOfFound({ isDetailed }: TunePage): Part {
  return !isDetailed && '--detail shows the other settings that were tested, and every number.';
}

/** Telling numbers come first, then those that are tested well enough, then other tested ones, then the rest. */
function placeOf(question: NumberQuestion): number {
  if (hasBetterSide(question)) return 0;
  if (isWellTested(question)) return 1;
  return isTested(question) ? 2 : 3;
}

/** The table of `--detail`: a line for each number, type by type. */
function numbersTable(
  questions: readonly NumberQuestion[],
  { table, styles }: RenderContext,
): string {
  const inOrder = questions.toSorted((a, b) => placeOf(a) - placeOf(b));
  // The types come in the order of their best number.
  const byType = groupBy(inOrder, ({ type }) => type);
  const resultText = (question: NumberQuestion) => {
    const tint = hasBetterSide(question) ? styles.good : styles.dim;
    return tint(resultOfNumber(question));
  };
  const typeColumn = textColumn<NumberQuestion>('TYPE', 0, (question) => safeText(question.type));
  const columns: Column<NumberQuestion>[] = [
    textColumn('NUMBER', 0, numberName),
    figureColumn('N', 1, ({ cards }) => String(cards)),
    figureColumn('CORR.', 2, ({ correlation }) => points(correlation)),
    figureColumn('95 % INTERVAL', 3, (question) => rangeText(question.correlation_interval_95)),
    textColumn('RESULT', 0, resultText),
    figureColumn('LIMIT', 1, limitText),
  ];
  if (byType.size > 1) columns.unshift(typeColumn);
  return table(columns, [...byType.values()].flat());
}

function limitText(question: NumberQuestion): string {
  const { would_show: size } = question;
  return isWellTested(question) && size !== null ? size.toFixed(2) : NONE;
}

/**
 * The part of the page on a number that tells: what to do, then the cards that the advised setting keeps and those that it drops.
 * The figures of other settings, which are not to be tried, stand with --detail.
 */
function partOfNumber(
  question: NumberQuestion,
  cuts: readonly Cut[],
  page: TunePage,
  render: RenderContext,
): Section {
  const advice = advisedCut(question, cuts);
  const figures = figuresOfType(question.type, page);
  const instead = adviceInstead(standingOf(question.type, page), advice);
  const found: Pair = ['Found', foundWords(question, advice, page.isDetailed)];
  const factsWithAdvice: Pair[] = [
    ['Advice', adviceWords(question, cuts, figures?.cards_per_day ?? null)],
    ['Setting', advice && settingWords(advice, page.screeners, SHOWS_IT)],
    found,
    ['Checked', checkedWords(advice)],
    ['Before', earlierAdviceWords(question, page)],
  ];
  const factsWithoutAdvice: Pair[] = [['Advice', instead], found];
  const facts = instead === undefined ? factsWithAdvice : factsWithoutAdvice;
  const body: Part[] = [render.pairs(facts)];
  if (advice !== undefined) {
    const measured = render.paragraph(measuredWords(advice));
    body.push(`\n${measured}`, sidesTable(question, advice, page, render));
  }
  if (page.isDetailed) body.push(settingsTable(question, cutsOf(question, cuts), page, render));
  return { body };
}

/**
 * `price_change_pct at 0 or more: advised on 13 Aug, withdrawn on 24 Aug.`: the advice on a number before the present one; empty if
 * there was none.
 */
function earlierAdviceWords(question: NumberQuestion, page: TunePage): string {
  const earlier = page.earlierAdvice(question);
  if (earlier === undefined) return '';
  return `${phrasesOf(earlier.advice).plain}: ${timesOfAdvice(earlier)}.`;
}

/** The same where nothing is advised now, with what to do: `price_change_pct at 0 or more: advised …. There is no reason to leave cards out any more.` */
function withdrawnPairs(questions: readonly NumberQuestion[], page: TunePage): Pair[] {
  const pairs: Pair[] = [];
  for (const question of questions) {
    const words = earlierAdviceWords(question, page);
    if (words === '') continue;
    pairs.push(['Before', `${words} There is no reason to leave cards out any more.`]);
  }
  return pairs;
}

/** The table of `--detail`: all settings that were tested by a number, and what the columns mean. */
function settingsTable(
  question: NumberQuestion,
  cuts: readonly Cut[],
  page: TunePage,
  render: RenderContext,
): string {
  const advice = cuts.find(isAdvice);
  // A page that gives the advice has the line Checked above.
  const hasCheckedLine = whyNoTip(question.type, page) === undefined;
  const notes = render.note(
    `KEPT MINUS DROPPED: how many pp the kept cards did better than the dropped ones, both vs ${WHOM[comparisonOfCuts(page)]}`,
    serviceNote(question, page),
    foundNote(cuts, advice, hasCheckedLine),
  );
  return `\n${cutsTable(question, cuts, page, render)}\n${notes}`;
}

/** What kept and dropped cards are compared with: BTC if there is no other type. */
function comparisonOfCuts({ types }: TunePage): ComparedWith {
  return types.length > 1 ? 'others' : 'btc';
}

/** `VS OTHERS, 95 %` */
function differenceHeading(page: TunePage): string {
  return `VS ${comparisonOfCuts(page).toUpperCase()}, 95 %`;
}

/** The type's figures, if their difference to the others is the service's; undefined if it rests on what was bought. */
function serviceFigures(question: NumberQuestion, page: TunePage): HorizonFigures | undefined {
  if (comparisonOfCuts(page) === 'btc') return undefined;
  const figures = figuresOfType(question.type, page)?.horizons[question.horizon];
  return figures?.vs_others_from === 'service' ? figures : undefined;
}

/** Which cards the first row counts, if these are not the bought ones of the rows below it. */
function serviceNote(question: NumberQuestion, page: TunePage): string {
  const figures = serviceFigures(question, page);
  if (figures === undefined) return '';
  const counted = pluralize(figures.service_sample ?? 0, 'outcome');
  return `all, as set now: from the service, which counts ${counted}, also those you did not buy`;
}

/** The row of all cards: the other rows are parts of it. */
function rowOfAllCards(question: NumberQuestion, page: TunePage): CutRow {
  const all = figuresOfType(question.type, page);
  const now = all?.horizons[question.horizon];
  const to = comparisonOfCuts(page);
  return {
    name: 'all, as set now',
    perDay: all?.cards_per_day ?? null,
    difference: now?.[`median_vs_${to}_percentage_points`] ?? null,
    interval: now?.[`median_vs_${to}_interval_95`] ?? null,
    keptVsDropped: undefined,
  };
}

/** Follows the words `look at its oi`. */
const SHOWS_IT = ' (`screener signals show ID`, 1 credit)';

/**
 * How the number goes with what came after. The cases:
 * 1. an advised cut, without --detail: empty, because the advice and the picture say it;
 * 2. no advised cut, without --detail: `The higher oi, the better the moves vs BTC.`
 * 3. with --detail: the same, and the correlation and p.
 */
function foundWords(
  question: NumberQuestion,
  advice: Cut | undefined,
  isDetailed: boolean,
): string {
  const { verdict, correlation, p } = question;
  if (advice !== undefined && !isDetailed) return '';
  const finding = `the ${verdict} ${numberName(question)}, the better the moves vs BTC`;
  if (!isDetailed) return asSentence(finding);
  const figures = [`correlation of ranks ${signed(correlation ?? 0)}`];
  if (p !== null) figures.push(p < 0.001 ? 'p below 0.001' : `p ${p.toFixed(3)}`);
  return asSentence(`${finding} (${figures.join(', ')})`);
}

function cutsTable(
  question: NumberQuestion,
  cuts: readonly Cut[],
  page: TunePage,
  { table, styles }: RenderContext,
): string {
  const rows = [rowOfAllCards(question, page)];
  for (const cut of cuts) rows.push(rowOfCut(cut), ...rowsOfNewerCards(cut));
  return table<CutRow>(
    [
      textColumn(`KEEP ${numberName(question)}`, 0, ({ name }) => name),
      figureColumn('A DAY', 1, ({ perDay }) => perDay?.toFixed(1) ?? ''),
      figureColumn(differenceHeading(page), 2, ({ difference, interval }) =>
        difference === null ? '' : estimateText(difference, interval),
      ),
      textColumn('KEPT MINUS DROPPED', 0, ({ keptVsDropped }) =>
        keptVsDropped === undefined ? '' : keptText(keptVsDropped, styles),
      ),
    ],
    rows,
  );
}

/** A line of the table of cuts, in percentage points. The cell of `perDay` or `difference` is empty if it is null. */
interface CutRow {
  readonly name: string;
  readonly perDay: number | null;
  /** To the other cards; to BTC if there is no other type. */
  readonly difference: number | null;
  /** Null if there are too few cards: then the cell shows no figure, but a dash. */
  readonly interval: Interval | null;
  /** Undefined in the line of all cards, where none is dropped: the cell is empty. */
  readonly keptVsDropped: KeptVsDropped | undefined;
}

interface KeptVsDropped {
  readonly median: number | null;
  /** Null if too few cards are dropped: the cell says so. */
  readonly interval: Interval | null;
}

function rowOfCut(cut: Cut): CutRow {
  return {
    name: cutName(cut),
    perDay: cut.cards_per_day,
    difference: cut.kept_vs_others,
    interval: cut.kept_vs_others_interval_95,
    keptVsDropped: { median: cut.kept_vs_dropped, interval: cut.kept_vs_dropped_interval },
  };
}

/**
 * The line below the advice: `since 4 Oct`, of the cards that came after the advice was chosen. None while these cards have no
 * interval.
 */
function rowsOfNewerCards({ verdict_since: since, since_then: newer }: Cut): CutRow[] {
  if (since === null || newer === null || newer.interval_95 === null) return [];
  const { difference_percentage_points: median, interval_95: interval } = newer;
  return [
    {
      name: `  since ${dayAndMonth(Date.parse(since))}`,
      perDay: null,
      difference: null,
      interval: null,
      keptVsDropped: { median, interval },
    },
  ];
}

function keptText({ median, interval }: KeptVsDropped, styles: RenderContext['styles']): string {
  if (interval === null) return styles.dim('too few dropped');
  const tint = interval.low > 0 ? styles.good : styles.dim;
  return tint(estimateText(median, interval));
}

/**
 * Below the table of cuts: why the advised cut is the advice (`reasonOfAdvice`), and what the row of newer cards is:
 * `The row "since 4 Oct" has only newer cards: they test it.` Empty if there is nothing to explain.
 * @param hasCheckedLine whether the page says above what newer cards show: then the row is not explained again
 */
function foundNote(cuts: readonly Cut[], advice: Cut | undefined, hasCheckedLine: boolean): string {
  if (advice === undefined) return '';
  const reason = reasonOfAdvice(cuts, advice);
  const { verdict_since: since } = advice;
  const hasRow = rowsOfNewerCards(advice).length > 0;
  if (since === null || !hasRow || hasCheckedLine) return reason;
  const date = dayAndMonth(Date.parse(since));
  // Without a reason the date is still to be said.
  const found = reason === '' ? `Found on ${date}.` : reason;
  return `${found} The row "since ${date}" has only newer cards: they test it.`;
}

/**
 * Why a cut is the advice although other cuts may look better now. The cases:
 * 1. the strictest cut: empty, because there is no stricter one to compare it with;
 * 2. a cut at 0 that no export wrote down yet: `above 0 was chosen as the better side of 0.`
 * 3. a cut at 0 that an export wrote down: empty;
 * 4. another cut that no export wrote down yet: `3.9 or more was chosen as the loosest that helped.`
 * 5. another cut that an export wrote down:
 *    `3.9 or more was chosen on 4 Oct, as the loosest that clearly helped then.`
 */
function reasonOfAdvice(cuts: readonly Cut[], advice: Cut): string {
  const strictest = cuts.at(-1);
  if (advice === strictest) return '';
  const { value, verdict_since: since } = advice;
  const chosen = `${cutName(advice)} was chosen`;
  if (value === 0) return since === null ? `${chosen} as the better side of 0.` : '';
  if (since === null) return `${chosen} as the loosest that helped.`;
  const date = dayAndMonth(Date.parse(since));
  return `${chosen} on ${date}, as the loosest that clearly helped then.`;
}

/** The cards on one side of the advised cut, or all of them. Percentage points. */
interface SideRow {
  readonly name: string;
  readonly median: number | null;
  readonly interval: Interval | null;
  /** The 99.7 % interval. */
  readonly sureInterval: Interval | null;
}

/** The kept cards, and the dropped ones; the larger numbers first. */
function sidesOf(advice: Cut): SideRow[] {
  const kept = {
    name: cutName(advice),
    median: advice.kept_vs_others,
    interval: advice.kept_vs_others_interval_95,
    sureInterval: advice.kept_vs_others_interval_997,
  };
  const dropped = {
    name: droppedName(advice),
    median: advice.dropped_vs_others,
    interval: advice.dropped_vs_others_interval_95,
    sureInterval: advice.dropped_vs_others_interval_997,
  };
  return advice.direction === 'at_least' ? [kept, dropped] : [dropped, kept];
}

/** A terminal with fewer columns has no room for drawn intervals. */
const NARROWEST_FOR_PICTURE = 60;
/** The width of the drawn axis, columns. */
const AXIS_WIDTH = 31;

/** All cards as one row: what the advice is to improve on. */
function sideOfAllCards(question: NumberQuestion, page: TunePage): SideRow {
  const { name, difference: median, interval } = rowOfAllCards(question, page);
  const now = figuresOfType(question.type, page)?.horizons[question.horizon];
  const sureInterval = now?.[`median_vs_${comparisonOfCuts(page)}_interval_997`] ?? null;
  return { name, median, interval, sureInterval };
}

/**
 * The cards that the advised cut keeps and those that it drops, below all cards. Drawn as the ranking draws types. With --detail all
 * cards have their row in the table of all settings.
 */
function sidesTable(
  question: NumberQuestion,
  advice: Cut,
  page: TunePage,
  render: RenderContext,
): string {
  const { table, note, unicode, width = Number.POSITIVE_INFINITY } = render;
  const allCards = page.isDetailed ? [] : [sideOfAllCards(question, page)];
  const sides = [...allCards, ...sidesOf(advice)];
  const axis = axisOf(sides, AXIS_WIDTH);
  const { inner, outer, band } = marksOf(unicode);
  const picture = textColumn<SideRow>(scaleLine(axis), 2, (side) =>
    barsLine(barsOfSide(side), axis, render),
  );
  const isDrawn = width >= NARROWEST_FOR_PICTURE && sides.some(({ interval }) => interval !== null);
  const columns: Column<SideRow>[] = [
    textColumn(numberName(advice), 0, ({ name }) => name),
    ...(isDrawn ? [picture] : []),
    figureColumn(differenceHeading(page), 1, ({ median, interval }) =>
      estimateText(median, interval),
    ),
  ];
  const marks = note(
    isDrawn && `${inner} 95 %, ${outer} 99.7 % interval, ${band} within ±${MARGIN} pp`,
    !page.isDetailed && serviceNote(question, page),
  );
  return [table(columns, sides), marks].join('\n').trimEnd();
}

function barsOfSide({ median, interval, sureInterval }: SideRow): Bars | undefined {
  if (median === null || interval === null) return undefined;
  return { median, inner: interval, outer: sureInterval ?? interval };
}
