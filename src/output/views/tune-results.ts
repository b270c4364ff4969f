/**
 * What `tune` tells of numbers at the trigger without an advice: nothing found, too few outcomes, or no test possible. On the list
 * a line for each type; on the page of one type a line for each result, with the numbers that have it.
 */
import { max } from 'd3-array';
import { groupBy } from '../../base/collections.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { canComeToTest, closestToTest } from '../../outcomes/focus.ts';
import { hasBetterSide, isWellTested, type NumberQuestion } from '../../outcomes/tune-types.ts';
import { LEAST_FOR_TEST } from '../../statistics/rank-test.ts';
import { dayAndMonth } from '../format.ts';
import type { Pair } from '../types.ts';
import { numberName } from './cut-words.ts';
import { isTested } from './tune-words.ts';
import { monthEnd } from './verdict-wait.ts';

/** What came of looking at one number. */
interface NumberResult {
  /** `nothing found`, `too few outcomes yet`. */
  readonly label: string;
  /** `30 of about 300`: what a test lacks; empty if it lacks nothing. */
  readonly missing: string;
}

/** `nothing found`, `too few outcomes yet: 30 of about 300`. */
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

/** What is found with more outcomes may be found with fewer, too, if it is large. */
const TOO_FEW_YET = 'too few outcomes yet';

const CANNOT_BE_TESTED = 'cannot be tested';

type Need = NonNullable<NumberQuestion['needs']>;

/** By what is lacking until a test can be made. */
const NEED_RESULTS: Readonly<Record<Need, (question: NumberQuestion) => NumberResult>> = {
  outcomes: (question) => {
    const { cards, needed } = question;
    if (needed === null) return needNotKnown(question);
    return { label: TOO_FEW_YET, missing: `${cards} of ${neededWords(needed)}` };
  },
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

/** Of a number of which it is not known how many outcomes it needs. */
function needNotKnown({ cards }: NumberQuestion): NumberResult {
  return { label: TOO_FEW_YET, missing: String(cards) };
}

/** There are enough outcomes, but their moves differ too much from each other: it is not known how many more would help. */
function tooUncertain(question: NumberQuestion): NumberResult {
  const size = roundedUp(question.would_show_percentage_points);
  if (size === undefined) return needNotKnown(question);
  return {
    label: 'too uncertain',
    missing: `only ${size} pp or more would likely show, more than can be expected`,
  };
}

type Missing = NonNullable<NumberQuestion['too_little']>;

/** By the reason why there is no test: more outcomes would not help, or it is not known how many would. */
const TOO_LITTLE_RESULTS: Readonly<Record<Missing, (question: NumberQuestion) => NumberResult>> = {
  few_cards: needNotKnown,
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
 * `, likely enough by the end of Jan`: when a test has outcomes enough; empty if that is not known. This is the date if exports buy no type
 * first. The earlier date, if they buy this type first, is shown only for the one type that is advised to be bought first.
 */
function whenText(question: NumberQuestion): string {
  const { enough_by: by } = question;
  if (!canComeToTest(question) || by === null) return '';
  return `, likely enough by the ${monthEnd(Date.parse(by))}`;
}

/**
 * What came of looking at a type in which no number tells: `nothing found; 2.5 pp would show`, or `too few outcomes yet: 78 of
 * about 300, likely enough by the end of Jan`. It is short, so that the lines of all types can be compared.
 * @param questions about the numbers of one type, after one horizon; at least one
 */
export function resultInShort(questions: readonly NumberQuestion[]): string {
  const size = wouldShowIn(questions);
  if (size !== undefined) {
    const soFar = isAnyOpen(questions) ? ' so far' : '';
    return `nothing found${soFar}; ${size} pp would show`;
  }
  if (questions.every(cannotBeTested)) return TOO_FEW_CARDS;
  const closest = closestToTest(questions);
  if (closest === undefined) return '';
  return `${resultOfNumber(closest)}${whenText(closest)}`;
}

/** Whether `resultInShort` says that a type lacks outcomes, and not when they come. @param questions as there */
export function lacksOutcomesWithoutDate(questions: readonly NumberQuestion[]): boolean {
  const isAnyTested = wouldShowIn(questions) !== undefined || questions.some(hasBetterSide);
  if (isAnyTested) return false;
  const closest = closestToTest(questions);
  return closest?.needs === 'outcomes' && whenText(closest) === '';
}

/** What the size of `resultInShort` means. */
export const WOULD_SHOW_MEANS = `would show: ${likelyFound('a difference of this size')}.`;

/**
 * `a difference of 2.5 pp between cards with high and cards with low numbers (half each) would likely have been found`
 * @param difference in words
 */
export function likelyFound(difference: string): string {
  return `${difference} between cards with high and cards with low numbers (half each) would likely have been found`;
}

/** Whether further numbers can be tested once there are more outcomes. */
function isAnyOpen(questions: readonly NumberQuestion[]): boolean {
  return questions.some((question) => !isWellTested(question) && canComeToTest(question));
}

/**
 * `78 of about 300 outcomes`: what a type lacks before any of its numbers is tested well enough.
 * @param questions about the numbers of one type, after one horizon
 * @returns undefined if one is tested already, or if more outcomes do not help
 */
export function outcomesSoFar(questions: readonly NumberQuestion[]): string | undefined {
  if (questions.some((question) => isWellTested(question) || hasBetterSide(question)))
    return undefined;
  const closest = closestToTest(questions);
  if (closest?.needs !== 'outcomes' || closest.needed === null) return undefined;
  return `${closest.cards} of ${neededWords(closest.needed)} outcomes`;
}

/** The reason of a type that waits for outcomes. Where a page has their number it does not say this, too. */
export const TOO_FEW_OUTCOMES = 'too few outcomes to tell';

/** The reason of a type whose numbers can never be tested. */
export const TOO_FEW_CARDS = 'too few cards a day to tell';

/** Why there is nothing to change: what is said depends on how many of the numbers are tested. */
export function whyNothing(questions: readonly NumberQuestion[]): string {
  if (questions.some(isWellTested)) {
    const soFar = isAnyOpen(questions) ? 'so far ' : '';
    return `${soFar}no number at the trigger clearly tells good cards from bad`;
  }
  if (questions.length > 0 && questions.every(cannotBeTested)) return TOO_FEW_CARDS;
  return TOO_FEW_OUTCOMES;
}

function cannotBeTested({ needs }: NumberQuestion): boolean {
  return needs === 'cards_a_day';
}

/** What is said of a type of which no number is known. */
export function resultWithoutNumbers(figures: GroupFigures): string {
  return figures.bought === 0 ? noOutcomeWords(figures) : 'its cards have no numbers';
}

/** `no outcome bought yet`; of changed settings `no outcome bought yet since its settings changed on 10 Sep (older ones do not count)` */
function noOutcomeWords({ settings_since: since }: GroupFigures): string {
  if (since === null) return 'no outcome bought yet';
  const day = dayAndMonth(Date.parse(since));
  return `no outcome bought yet since its settings changed on ${day} (older ones do not count)`;
}

/** What would show is rounded up to steps of so many percentage points: it is an estimate. 2.1 becomes 2.5. */
const STEP_OF_SIZE = 0.5;

/**
 * The difference between the halves of a type's cards that would show in each of these numbers, percentage points: a smaller
 * one may be there where nothing is found. Undefined if no number was well tested in vain.
 */
export function wouldShowIn(questions: readonly NumberQuestion[]): number | undefined {
  const nothingFound = questions.filter(
    (question) => isWellTested(question) && !hasBetterSide(question),
  );
  return roundedUp(max(nothingFound, ({ would_show_percentage_points: size }) => size ?? 0));
}

function roundedUp(size: number | null | undefined): number | undefined {
  if (size === undefined || size === null) return undefined;
  return Math.ceil(size / STEP_OF_SIZE) * STEP_OF_SIZE;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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

/** For one type a line a result, with the numbers that have it, and what the closest of them lacks. */
export function resultsByNumber(questions: readonly NumberQuestion[]): Pair[] {
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
    // What would show, a sentence below the lines says.
    const isTestedInVain = wouldShowIn(sameResult) !== undefined;
    const missing = isTestedInVain ? '' : `${missingOfClosest}${whenText(closest)}`;
    pairs.push([capitalized(label), [names, missing].filter(Boolean).join(': ')]);
  }
  return pairs;
}
