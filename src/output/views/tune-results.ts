/** What was looked for and not found: a line a type, and for one type a line a result with its numbers. */
import { blocksOf } from '../../api/contract/horizons.ts';
import { groupBy } from '../../base/collections.ts';
import { pluralize } from '../../base/units.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { isClear, type Question } from '../../outcomes/tune-types.ts';
import { shortDaysOf } from '../../statistics/clusters.ts';
import { LEAST } from '../../statistics/rank-test.ts';
import { dayAndMonth } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Pair } from '../types.ts';
import { isTested, numberName } from './tune-words.ts';

/** A correlation of this size is hardly ever there: where only such a one would show, nothing can be told yet. */
const LARGEST_PLAUSIBLE = 0.5;

/** Whether a correlation that is plausible at all would have been found. */
export function couldShow({ would_show: size }: Question): boolean {
  return size !== null && size < LARGEST_PLAUSIBLE;
}

/** Why nothing is found: a label, and what is missing, with its figure; empty if nothing is. */
interface NumberResult {
  readonly label: string;
  readonly missing: string;
}

/** Result of one number: `nothing found`, `too few outcomes: 30 of 60 bought`. */
export function resultOfNumber(question: Question): string {
  return textOf(numberResult(question));
}

function numberResult(question: Question): NumberResult {
  if (isClear(question)) return { label: `${question.verdict} is better`, missing: '' };
  if (isTested(question)) return couldShow(question) ? FOUND_NOTHING : tooWeak([question]);
  return question.too_little === null ? HARDLY_DIFFERS : TOO_LITTLE[question.too_little](question);
}

const FOUND_NOTHING: NumberResult = { label: 'nothing found', missing: '' };

/** Cards of a day are compared with each other. */
const HARDLY_DIFFERS: NumberResult = {
  label: 'cannot be tested',
  missing: 'hardly a day has two cards that differ',
};

/** Of tested numbers in which only an implausible link would show. */
function tooWeak(questions: readonly Question[]): NumberResult {
  const cards = Math.max(...questions.map((question) => question.cards));
  const size = smallestShown(questions);
  const bracket = size === undefined ? '' : ` (${size.toFixed(2)})`;
  return { label: 'too few outcomes', missing: `${cards} bought${bracket}` };
}

/** The smallest correlation that would show by now; undefined if none would. */
function smallestShown(questions: readonly Question[]): number | undefined {
  const sizes = questions.map(({ would_show: size }) => size).filter((size) => size !== null);
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

/**
 * What `91 bought (0.66)` means; empty where no result has it.
 * @param isEachShown whether every number has its result, and not only every type
 */
export function weakNote(questions: readonly Question[], isEachShown: boolean): string {
  for (const questionsOfType of groupBy(questions, ({ type }) => type).values()) {
    const tested = questionsOfType.filter(isTested);
    const weak = tested.filter((question) => !couldShow(question));
    const size = smallestShown(weak);
    const isShown = isEachShown || weak.length === tested.length;
    if (size === undefined || !isShown) continue;
    const text = size.toFixed(2);
    return `(${text}): only a correlation of ${text} or more would show by now.`;
  }
  return '';
}

/**
 * A line for each type without a finding, in the order of the questions.
 * @param silenceOf `no card for 21 days`; undefined for a type that sends cards
 * @param withoutNumbers types of which no number is known: figures of each
 */
export function resultsByType(
  questions: readonly Question[],
  silenceOf: (type: string) => string | undefined,
  withoutNumbers: readonly GroupFigures[],
): Pair[] {
  const pairs: Pair[] = [];
  for (const [type, questionsOfType] of groupBy(questions, (question) => question.type)) {
    if (questionsOfType.some(isClear)) continue;
    const parts = [resultOfType(questionsOfType), silenceOf(type) ?? ''];
    pairs.push([safeText(type), parts.filter(Boolean).join('; ')]);
  }
  return [...pairs, ...resultsWithoutNumbers(withoutNumbers)];
}

/** A line for each type of which no number is known. */
export function resultsWithoutNumbers(figures: readonly GroupFigures[]): Pair[] {
  return figures.map(({ group, bought }) => [
    safeText(String(group)),
    bought === 0 ? 'no outcome bought yet' : 'its cards have no numbers',
  ]);
}

/** `nothing found in 3 of 5 numbers; the others need more outcomes`: of the numbers that can be tested at all. */
function resultOfType(questions: readonly Question[]): string {
  const tested = questions.filter(isTested);
  const shown = tested.filter(couldShow).length;
  const open = tested.length - shown;
  if (shown > 0 && open === 0) return `nothing found in ${pluralize(shown, 'number')}`;
  if (shown > 0) {
    const others = open === 1 ? 'the other one needs' : 'the others need';
    return `nothing found in ${shown} of ${tested.length} numbers; ${others} more outcomes`;
  }
  if (tested.length > 0) return textOf(tooWeak(tested));
  const [largest] = questions.toSorted((one, other) => other.cards - one.cards);
  return largest === undefined ? '' : resultOfNumber(largest);
}

function textOf({ label, missing }: NumberResult): string {
  return missing === '' ? label : `${label}: ${missing}`;
}

/** Whether `resultsByNumber` names the numbers: where all have too few cards it does not. */
export function areNumbersNamed(questions: readonly Question[]): boolean {
  return questions.some(({ too_little }) => too_little !== 'few_cards');
}

/** For one type a line a result, with the numbers that have it, and what they lack. */
export function resultsByNumber(questions: readonly Question[]): Pair[] {
  const inOrder = questions.toSorted(
    (one, other) =>
      one.key.localeCompare(other.key) || Number(one.absolute) - Number(other.absolute),
  );
  const areNamed = areNumbersNamed(questions);
  const pairs: Pair[] = [];
  for (const [label, sameResult] of groupBy(inOrder, (one) => numberResult(one).label)) {
    const missing = missingIn(sameResult);
    const names = areNamed ? sameResult.map(numberName).join(', ') : '';
    const text = [missing, names].filter(Boolean).join(': ');
    pairs.push([label.charAt(0).toUpperCase() + label.slice(1), text]);
  }
  return pairs;
}

/** What numbers of one result lack: of those with the most cards. */
function missingIn(questions: readonly Question[]): string {
  const isWeak = (question: Question) => isTested(question) && !couldShow(question);
  const weak = questions.filter(isWeak);
  if (weak.length > 0) return tooWeak(weak).missing;
  const [largest] = questions.toSorted((one, other) => other.cards - one.cards);
  return largest === undefined ? '' : numberResult(largest).missing;
}

/** `; --focus TYPE brings them by 20 Dec`; empty if that is of no use. */
function focusText({ type, focus_brings_by: by }: Question): string {
  if (by === null) return '';
  return `; \`--focus ${safeText(type)}\` brings them by ${dayAndMonth(Date.parse(by))}`;
}

/** Days with outcomes that a test needs. */
function daysNeeded({ days, horizon }: Question): number {
  return LEAST.clusters * shortDaysOf(blocksOf(horizon), days);
}

/** Whether there are days enough, but too few on which it differs between cards. */
function isSameOnMostDays(question: Question): boolean {
  return question.too_little === 'few_days' && question.days >= daysNeeded(question);
}

type Missing = NonNullable<Question['too_little']>;

const TOO_LITTLE: Readonly<Record<Missing, (question: Question) => NumberResult>> = {
  few_cards: (question) => ({
    label: 'too few outcomes',
    missing: `${question.cards} of ${LEAST.cards} bought${focusText(question)}`,
  }),
  few_days: (question) =>
    isSameOnMostDays(question)
      ? HARDLY_DIFFERS
      : {
          label: 'too few days with outcomes',
          missing: `${question.days} of ${daysNeeded(question)}`,
        },
  few_symbols: () => ({ label: 'too few symbols', missing: '' }),
  one_outweighs: () => ({ label: 'cannot be tested', missing: 'one day or symbol outweighs' }),
  rarely_given: () => ({ label: 'cannot be tested', missing: 'known of too few cards' }),
};
