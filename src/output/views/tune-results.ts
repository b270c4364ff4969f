/**
 * What `tune` tells of numbers at the trigger without an advice: nothing found, too few outcomes, or no test possible. On the list
 * a line for each type; on the page of one type a line for each result, with the numbers that have it.
 */
import { max } from 'd3-array';
import { groupBy } from '../../base/collections.ts';
import { pluralize } from '../../base/units.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { canComeToTest, closestToTest } from '../../outcomes/focus.ts';
import { hasBetterSide, isWellTested, type NumberQuestion } from '../../outcomes/tune-types.ts';
import { LEAST_FOR_TEST } from '../../statistics/rank-test.ts';
import { dayAndMonth, NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Pair } from '../types.ts';
import { isTested, numberName } from './tune-words.ts';
import { monthEnd, wouldShowText } from './verdict-wait.ts';

/** What came of looking at one number. */
interface NumberResult {
  /** `nothing found`, `too few outcomes`. */
  readonly label: string;
  /** `30 of about 300`: what a test lacks; empty if it lacks nothing. */
  readonly missing: string;
}

/** `nothing found`, `too few outcomes: 30 of about 300`. */
export function resultOfNumber(question: NumberQuestion): string {
  return textOf(numberResult(question));
}

function numberResult(question: NumberQuestion): NumberResult {
  if (hasBetterSide(question)) return { label: `${question.verdict} is better`, missing: '' };
  if (isWellTested(question)) return { label: 'nothing found', missing: '' };
  if (question.needs !== null) return NEED_RESULTS[question.needs](question);
  if (question.too_little !== null) return TOO_LITTLE_RESULTS[question.too_little](question);
  return isTested(question) ? tooUncertain(question) : HARDLY_DIFFERS;
}

/**
 * `about 250`: how many outcomes a test of a type's numbers needs. One number and no range: a count within a range would be called
 * too few and enough at once.
 */
export function neededWords(needed: number): string {
  return `about ${needed}`;
}

const CANNOT_BE_TESTED = 'cannot be tested';

type Need = NonNullable<NumberQuestion['needs']>;

/** By what is lacking until a test can be made. */
const NEED_RESULTS: Readonly<Record<Need, (question: NumberQuestion) => NumberResult>> = {
  outcomes: ({ cards, needed }) => ({
    label: 'too few outcomes',
    missing: needed === null ? `${cards} bought` : `${cards} of ${neededWords(needed)}`,
  }),
  days: ({ days, needed }) => ({
    label: 'too few days with outcomes',
    missing: `${days} of ${needed}`,
  }),
  cards_a_day: () => ({
    label: CANNOT_BE_TESTED,
    missing: 'too few of its days have two or more cards',
  }),
};

/** A test compares cards of the same day: it needs days with two cards that differ in the number. */
const HARDLY_DIFFERS: NumberResult = {
  label: CANNOT_BE_TESTED,
  missing: 'hardly a day has two cards that differ',
};

function boughtTooFew({ cards }: NumberQuestion): NumberResult {
  return { label: 'too few outcomes', missing: `${cards} bought` };
}

/** There are enough outcomes, but their moves differ too much from each other: it is not known how many more would help. */
function tooUncertain(question: NumberQuestion): NumberResult {
  const size = roundedUp(question.would_show_percentage_points);
  if (size === undefined) return boughtTooFew(question);
  return {
    label: 'too uncertain',
    missing: `${question.cards} outcomes would likely show only ${size} pp or more`,
  };
}

type Missing = NonNullable<NumberQuestion['too_little']>;

/** By the reason why there is no test: more outcomes would not help, or it is not known how many would. */
const TOO_LITTLE_RESULTS: Readonly<Record<Missing, (question: NumberQuestion) => NumberResult>> = {
  few_cards: boughtTooFew,
  // If days with outcomes were lacking, `needs` would say so. What is lacking is days on which the number differs.
  few_days: () => HARDLY_DIFFERS,
  few_symbols: ({ symbols }) => ({
    label: 'too few symbols',
    missing: `${symbols} of ${LEAST_FOR_TEST.symbols}`,
  }),
  one_outweighs: () => ({ label: CANNOT_BE_TESTED, missing: 'one day or symbol outweighs' }),
  rarely_given: () => ({ label: CANNOT_BE_TESTED, missing: 'known of too few cards' }),
};

/**
 * `, likely by the end of Jan`: when a test has outcomes enough; empty if that is not known. When it has them if exports buy the
 * type first stands with the one type to buy first: two types cannot both come first.
 */
function whenText(question: NumberQuestion): string {
  const { enough_by: by } = question;
  if (!canComeToTest(question) || by === null) return '';
  return `, likely by the ${monthEnd(Date.parse(by))}`;
}

/** Why the page gives no date for a type, in words: `no card for 4 days`; undefined if it may give one. */
export type HindranceWordsOf = (type: string) => string | undefined;

/**
 * A line for each type without a finding, in the order of the questions.
 * @param withoutNumbers types of which no number is known: figures of each
 */
export function resultsByType(
  questions: readonly NumberQuestion[],
  hindranceWordsOf: HindranceWordsOf,
  withoutNumbers: readonly GroupFigures[],
): Pair[] {
  const pairs: Pair[] = [];
  for (const [type, questionsOfType] of groupBy(questions, (question) => question.type)) {
    if (questionsOfType.some(hasBetterSide)) continue;
    pairs.push([safeText(type), resultOfType(questionsOfType, hindranceWordsOf(type))]);
  }
  return [...pairs, ...resultsWithoutNumbers(withoutNumbers)];
}

/** If so many types wait for outcomes, a table has them; fewer have a line each. */
const LEAST_WAITING_IN_TABLE = 3;

/** A type of which no number is tested, because of too few outcomes. Times are epoch milliseconds UTC. */
export interface WaitingType {
  readonly type: string;
  /** How many outcomes there are of its number that is closest to a test. */
  readonly outcomes: number;
  readonly needed: number;
  /** When the type will have `needed`, if exports go on buying as now; undefined if that is not known, or if the type pauses. */
  readonly by: number | undefined;
  /** Why the page gives no date for the type, in words; undefined if it may give one. */
  readonly hindrance: string | undefined;
}

/** The types without any tested number that wait for outcomes. Empty if there are too few of them for a table. */
export function waitingTypes(
  questions: readonly NumberQuestion[],
  hindranceWordsOf: HindranceWordsOf,
): WaitingType[] {
  const types: WaitingType[] = [];
  for (const [type, questionsOfType] of groupBy(questions, (question) => question.type)) {
    if (questionsOfType.some((question) => isWellTested(question) || hasBetterSide(question)))
      continue;
    const closest = closestToTest(questionsOfType);
    if (closest?.needs !== 'outcomes' || closest.needed === null) continue;
    const hindrance = hindranceWordsOf(type);
    const isDated = closest.enough_by !== null && hindrance === undefined;
    types.push({
      type,
      outcomes: closest.cards,
      needed: closest.needed,
      by: isDated ? Date.parse(closest.enough_by) : undefined,
      hindrance,
    });
  }
  return types.length < LEAST_WAITING_IN_TABLE ? [] : types;
}

/**
 * `78 outcomes can be tested, about 300 are needed`: what a type lacks before any of its numbers is tested.
 * @param questions about the numbers of one type, after one horizon
 * @returns undefined if one is tested already, or if more outcomes do not help
 */
export function outcomesSoFar(questions: readonly NumberQuestion[]): string | undefined {
  if (questions.some((question) => isWellTested(question) || hasBetterSide(question)))
    return undefined;
  const closest = closestToTest(questions);
  if (closest?.needs !== 'outcomes' || closest.needed === null) return undefined;
  const can = pluralize(closest.cards, 'outcome');
  return `${can} can be tested, ${neededWords(closest.needed)} are needed`;
}

/** The reason of a type that waits for outcomes. Where a page has their number it does not say this, too. */
export const TOO_FEW_OUTCOMES = 'too few outcomes to tell';

/** Why there is nothing to change: what is said depends on how many of the numbers are tested. */
export function whyNothing(questions: readonly NumberQuestion[]): string {
  if (questions.some(isWellTested)) {
    const isAnyOpen = questions.some(
      (question) => !isWellTested(question) && canComeToTest(question),
    );
    const soFar = isAnyOpen ? 'so far ' : '';
    return `${soFar}no number at the trigger clearly tells good cards from bad`;
  }
  if (questions.length > 0 && questions.every(cannotBeTested)) return 'too few cards a day to tell';
  return TOO_FEW_OUTCOMES;
}

export function cannotBeTested({ needs }: NumberQuestion): boolean {
  return needs === 'cards_a_day';
}

/** When a type has its outcomes: `end of Jan`, `–`. */
export function waitingDate({ by }: WaitingType): string {
  return by === undefined ? NONE : monthEnd(by);
}

/** A type of which all numbers that can be tested are tested, without a finding. */
export interface TypeWithoutFinding {
  readonly type: string;
  /** The names of the tested numbers. If they take too much room, `any number`, or `5 of 6 numbers` if the others cannot be tested. */
  readonly numbers: string;
  /** Percentage points between the halves of its cards: a smaller difference may be there, and not show. */
  readonly wouldShow: number;
}

/** If so many types have no finding, a table has them; a single one has a line. */
const LEAST_WITHOUT_FINDING_IN_TABLE = 2;

/** The types without a finding, in the order of the questions. Empty if there are too few of them for a table. */
export function typesWithoutFinding(questions: readonly NumberQuestion[]): TypeWithoutFinding[] {
  const types: TypeWithoutFinding[] = [];
  for (const [type, questionsOfType] of groupBy(questions, (question) => question.type)) {
    const tested = questionsOfType.filter(isWellTested);
    const isDone = questionsOfType.every(
      (question) =>
        !hasBetterSide(question) && (isWellTested(question) || !canComeToTest(question)),
    );
    const wouldShow = wouldShowIn(tested);
    if (!isDone || wouldShow === undefined) continue;
    const isEachTested = tested.length === questionsOfType.length;
    const howMany = isEachTested
      ? 'any number'
      : `${tested.length} of ${questionsOfType.length} numbers`;
    const numbers = namesWithin(MOST_CHARACTERS_OF_CELL, tested) ?? howMany;
    types.push({ type, numbers, wouldShow });
  }
  return types.length < LEAST_WITHOUT_FINDING_IN_TABLE ? [] : types;
}

/** A line for each type of which no number is known. */
export function resultsWithoutNumbers(figures: readonly GroupFigures[]): Pair[] {
  return figures.map((ofType) => {
    const result = ofType.bought === 0 ? noOutcomeWords(ofType) : 'its cards have no numbers';
    return [safeText(String(ofType.group)), result];
  });
}

/** `no outcome bought yet`; of changed settings `no outcome bought yet since its settings changed on 10 Sep (older ones do not count)` */
function noOutcomeWords({ settings_since: since }: GroupFigures): string {
  if (since === null) return 'no outcome bought yet';
  const day = dayAndMonth(Date.parse(since));
  return `no outcome bought yet since its settings changed on ${day} (older ones do not count)`;
}

/**
 * `nothing found in funding, volume; 2.5 pp or more between cards with large and small numbers would likely show. Too few
 * outcomes for oi: 128 of about 300, likely by the end of Jan`
 * @param hindrance stands in the place of a date
 */
function resultOfType(questions: readonly NumberQuestion[], hindrance: string | undefined): string {
  const tested = questions.filter(isWellTested);
  const untested = questions.filter((question) => !isWellTested(question));
  const closest = closestToTest(untested);
  const why = hindrance === undefined ? '' : `; ${hindrance}`;
  const dateOf = (question: NumberQuestion) => (hindrance === undefined ? whenText(question) : '');
  if (tested.length === 0) {
    const result = closest === undefined ? '' : `${resultOfNumber(closest)}${dateOf(closest)}`;
    return `${result}${why}`;
  }
  const nothingFound = `nothing found in ${numbersWords(tested)}${wouldShowWords(tested)}`;
  // What can never be tested is no open question.
  if (closest === undefined || !canComeToTest(closest)) return nothingFound;
  const { label, missing } = numberResult(closest);
  const which = numbersWords(untested.filter(canComeToTest));
  const open = `${capitalized(label)} for ${which}: ${missing}${dateOf(closest)}`;
  return `${nothingFound}. ${open}${why}`;
}

/** The two halves of a type's cards that are compared, in words. */
export const HALVES = 'the cards with larger numbers and those with smaller ones (half each)';

/** What would show is rounded up to steps of so many percentage points: it is an estimate. 2.1 becomes 2.5. */
const STEP_OF_SIZE = 0.5;

/**
 * The difference between the halves of a type's cards that would show in each of these numbers, percentage points: a smaller
 * one may be there where nothing is found. Undefined if none of them was looked at.
 */
export function wouldShowIn(questions: readonly NumberQuestion[]): number | undefined {
  const open = questions.filter((question) => isWellTested(question) && !hasBetterSide(question));
  return roundedUp(max(open, ({ would_show_percentage_points: size }) => size ?? 0));
}

function roundedUp(size: number | null | undefined): number | undefined {
  if (size === undefined || size === null) return undefined;
  return Math.ceil(size / STEP_OF_SIZE) * STEP_OF_SIZE;
}

/** `; 2.5 pp or more between cards with large and small numbers would likely show`. A test finds four of five such differences. */
function wouldShowWords(questions: readonly NumberQuestion[]): string {
  const size = wouldShowIn(questions);
  if (size === undefined) return '';
  return `; ${wouldShowText(String(size), 'cards with large and small numbers')}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Names of numbers with more characters than these would take a second line, or make a column too wide. */
const MOST_CHARACTERS_OF_LINE = 50;
const MOST_CHARACTERS_OF_CELL = 40;

/** `funding, volume`; `12 numbers` if the names take too much room, as many as the page of the type lists. */
function numbersWords(questions: readonly NumberQuestion[]): string {
  return namesWithin(MOST_CHARACTERS_OF_LINE, questions) ?? pluralize(questions.length, 'number');
}

/** `funding, volume`, a number and its size named once; undefined if that is longer than so many characters. */
function namesWithin(
  mostCharacters: number,
  questions: readonly NumberQuestion[],
): string | undefined {
  const byKey = groupBy(questions, ({ key }) => key);
  const names = [...byKey.values()].map((ofKey) => {
    const [first] = ofKey;
    if (first === undefined) return '';
    return ofKey.length > 1 ? safeText(first.key) : numberName(first);
  });
  const text = names.toSorted((a, b) => a.localeCompare(b)).join(', ');
  return text.length <= mostCharacters ? text : undefined;
}

function textOf({ label, missing }: NumberResult): string {
  return missing === '' ? label : `${label}: ${missing}`;
}

/** Numbers with the same text share a line: the label is the same, and the reason, too, if they cannot be tested. */
function sharedResult(question: NumberQuestion): string {
  const result = numberResult(question);
  return result.label === CANNOT_BE_TESTED ? textOf(result) : result.label;
}

/** Whether the lines of `resultsByNumber` name the numbers. If none is tested and all wait for the same, one line without names is enough. */
export function areNumbersNamed(questions: readonly NumberQuestion[]): boolean {
  const results = new Set(questions.map(sharedResult));
  return results.size > 1 || questions.some(isWellTested);
}

/**
 * For one type a line a result, with the numbers that have it, and what the closest of them lacks.
 * @param isHindered whether the page gives no date
 */
export function resultsByNumber(questions: readonly NumberQuestion[], isHindered: boolean): Pair[] {
  const inOrder = questions.toSorted(
    (a, b) => a.key.localeCompare(b.key) || Number(a.absolute) - Number(b.absolute),
  );
  const areNamed = areNumbersNamed(questions);
  const pairs: Pair[] = [];
  for (const sameResult of groupBy(inOrder, sharedResult).values()) {
    const closest = closestToTest(sameResult);
    if (closest === undefined) continue;
    const { label, missing: missingOfClosest } = numberResult(closest);
    const names = areNamed ? sameResult.map(numberName).join(', ') : '';
    const isNothingFound = isWellTested(closest) && !hasBetterSide(closest);
    const when = isHindered ? '' : whenText(closest);
    const missing = isNothingFound ? '' : `${missingOfClosest}${when}`;
    pairs.push([capitalized(label), [names, missing].filter(Boolean).join(': ')]);
    const wouldShow = isNothingFound ? wouldShowIn(sameResult) : undefined;
    if (wouldShow === undefined) continue;
    pairs.push(['So far', wouldShowText(String(wouldShow), HALVES)]);
  }
  return pairs;
}
