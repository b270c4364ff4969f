/** Which stricter settings to try: the numbers at the trigger that separate good cards from bad. */
import { extent } from 'd3-array';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import { numberAt } from '../outcomes/history-card.ts';
import type { Standing } from '../outcomes/standing.ts';
import {
  type Cut,
  hasBetterSide,
  type NumberQuestion,
  type Tuning,
} from '../outcomes/tune-types.ts';
import type { Suggestion } from '../output/views/actions.ts';
import { cutName, numberName, phrasesOf } from '../output/views/cut-words.ts';
import {
  adviceInstead,
  adviceWords,
  advisedCut,
  checkedWords,
  luckOfBars,
} from '../output/views/tune-words.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { medianOf } from '../statistics/quantile.ts';
import {
  type Fact,
  facts,
  html,
  label,
  type Markup,
  note,
  section,
  signedFigure,
} from './markup.ts';
import {
  bar,
  HEIGHT,
  legend,
  legendItem,
  multiples,
  type NumberAxis,
  type Panel,
  type Plot,
  signedAxis,
  swatch,
  textAt,
  UPRIGHT,
} from './plot.ts';

const FIFTHS = 5;

/** More panels do not fit in a row. */
const MOST_PANELS = 3;

export interface NumbersInput {
  readonly tuning: Tuning;
  /** How far each card moved beyond BTC in 24 h: the tuning asks about the same. */
  readonly differences: readonly Difference[];
  readonly standings: readonly Standing[];
  /** Sentences on which setting of a screener follows an advice. */
  readonly settingFor: (cut: Cut) => string;
  /** The advice that the top of the page gives already, with what to expect of it. */
  readonly suggestions: readonly Suggestion[];
}

/** A number at the trigger that separates good cards from bad. */
interface TellingNumber {
  readonly question: NumberQuestion;
  /** The cut to try. */
  readonly advice: Cut;
  readonly fifths: readonly Fifth[];
}

/** A fifth of a type's cards: those whose number at the trigger is smallest, or second smallest, and so on. */
interface Fifth {
  /** The smallest number in it. */
  readonly low: number;
  /** The median of its cards' differences to BTC, percentage points. */
  readonly median: number;
  /** What its bar says under the mouse: `1.2 to 3.9: +0.40 pp, 12 outcomes`. */
  readonly title: string;
}

const LEGEND = [
  legendItem('their median difference to BTC after 24 h, in pp', swatch('bar own')),
  legendItem('the cards that did better', swatch('kept')),
];

export function numbersSection(input: NumbersInput): Markup | undefined {
  const numbers = tellingNumbers(input);
  const [first] = numbers;
  if (first === undefined) return undefined;
  const drawn = numbers.slice(0, MOST_PANELS);
  const panels = drawn.map((number) => panelOf(number, input));
  return section(
    'numbers',
    headingOf(first, numbers.length),
    "Each bar is a fifth of the type's cards: on the left those with the smallest number at the trigger, on the right those with the largest.",
    html`<div class="frame">${legend(LEGEND)}${multiples(panels)}</div>`,
    note(
      'Only stricter settings can be tested: the cards that a looser one would add were never recorded.',
    ),
  );
}

/** For the end of the page, a sentence for each drawn number: how sure it is that the number separates good cards from bad. */
export function testSentences(input: NumbersInput): string[] {
  const drawn = tellingNumbers(input).slice(0, MOST_PANELS);
  return drawn.map(({ question }) => testWords(question));
}

/** The numbers whose own test passes. Its p stands at the end of the page, and must not contradict the picture. */
function tellingNumbers({ tuning, differences }: NumbersInput): TellingNumber[] {
  const numbers: TellingNumber[] = [];
  for (const question of tuning.questions) {
    const { p } = question;
    const isTestPassed = p !== null && p <= LEVEL;
    const advice = advisedCut(question, tuning.cuts);
    if (!hasBetterSide(question) || !isTestPassed || advice === undefined) continue;
    const fifths = fifthsOf(differences, question);
    if (fifths.length > 0) numbers.push({ question, advice, fifths });
  }
  return numbers;
}

/** `pump: cards with oi at 3.9 or more did better`, if it is the only number. @param count how many numbers the section has */
function headingOf({ question, advice }: TellingNumber, count: number): string {
  if (count > 1) return 'Numbers at the trigger that separate good cards from bad';
  const { finding } = phrasesOf({ ...advice, key: label(advice.key) });
  return `${label(question.type)}: ${finding}`;
}

/** `pump and its oi: rank correlation +0.46 (p below 0.001).` */
function testWords(question: NumberQuestion): string {
  const { type, correlation, p } = question;
  const chance = p === null || p < 0.001 ? 'p below 0.001' : `p ${p.toFixed(3)}`;
  const name = label(numberName(question));
  return `${label(type)} and its ${name}: rank correlation ${signedFigure(correlation)} (${chance}).`;
}

function panelOf(number: TellingNumber, input: NumbersInput): Panel {
  const { question, advice, fifths } = number;
  const name = label(numberName(question));
  return {
    title: `${label(question.type)} by ${name}`,
    verdict: null,
    says: facts(adviceFacts(number, input)),
    ...pictureOf(fifths, advice),
    label: `median difference to BTC of five groups by ${name}`,
  };
}

/** `Advice  Act only on cards with oi at 3.9 or more …`, then the setting to change, then whether newer cards confirm it. */
function adviceFacts(
  { question, advice }: TellingNumber,
  { tuning, standings, settingFor, suggestions }: NumbersInput,
): Fact[] {
  const standing = standings.find(({ group }) => group === question.type);
  const instead = adviceInstead(standing, advice);
  if (instead !== undefined) return [['Advice', `${instead} The bars are partly luck.`]];
  const suggestion = suggestions.find(({ cut }) => isSameCut(cut, advice));
  const cardsPerDayNow = standing?.groupFigures?.cards_per_day ?? null;
  const isToldAbove = suggestion !== undefined;
  const inFull = adviceWords(question, tuning.cuts, cardsPerDayNow);
  const words = isToldAbove ? 'as at the top of the page.' : inFull;
  // The top of the page names the setting, too, if it is known.
  const isSettingNamed = isToldAbove && suggestion.setting !== '';
  const setting = isSettingNamed ? '' : settingFor(advice);
  const checked = checkedWords(advice);
  const lines: Fact[] = [['Advice', `${words}${luckOfBars(advice)}`]];
  if (setting !== '') lines.push(['Setting', setting]);
  if (checked !== '') lines.push(['Checked', checked]);
  return lines;
}

function isSameCut(a: Cut, b: Cut): boolean {
  return a.type === b.type && a.key === b.key && a.absolute === b.absolute && a.value === b.value;
}

/** The bars of the fifths, in front of an area that shows which cards the cut keeps. */
function pictureOf(fifths: readonly Fifth[], advice: Cut): Omit<Plot, 'label'> {
  // An axis 20 % longer than the highest bar leaves room for the words beyond it.
  const y = signedAxis(
    fifths.map(({ median }) => 1.2 * median),
    UPRIGHT,
  );
  const bars = fifths.map((fifth, i) => barOf(fifth, i, y));
  const { from, to } = placesOfKept(advice);
  const name = cutName(advice);
  const kept = [bar(from, to, 0, HEIGHT, 'kept', name), textAt((from + to) / 2, -4, name)];
  return { x: { ticks: ticksBetween(fifths) }, y, marks: [kept, bars] };
}

/** The left and the right end of the area that shows which cards a cut keeps, fractions of the width. */
function placesOfKept({ direction, quantile }: Cut): {
  readonly from: number;
  readonly to: number;
} {
  if (direction === 'at_least') return { from: quantile, to: 1 };
  return { from: 0, to: quantile };
}

/** A bar, and the median of its cards in words: above a bar that goes up, below a bar that goes down. */
function barOf({ median, title }: Fifth, place: number, y: NumberAxis): Markup[] {
  const top = y.at(Math.max(0, median));
  const bottom = y.at(Math.min(0, median));
  const beyond = median < 0 ? bottom + 14 : top - 5;
  return [
    bar(place / FIFTHS, (place + 1) / FIFTHS, top, bottom, 'bar own', title),
    textAt((place + 0.5) / FIFTHS, beyond, signedFigure(median)),
  ];
}

/** The numbers at which one fifth ends and the next begins, all with the same count of decimals. */
export function ticksBetween(fifths: readonly Pick<Fifth, 'low'>[]): Plot['x']['ticks'] {
  const limits = fifths.slice(1).map(({ low }) => threeDigits(low));
  const decimals = Math.max(...limits.map(decimalsOf));
  return limits.map((limit, i) => ({
    at: (i + 1) / FIFTHS,
    text: limit.toFixed(decimals).replace('-', '−'),
  }));
}

/** A number rounded to three significant digits. */
function threeDigits(value: number): number {
  return Number(value.toPrecision(3));
}

/** How many decimals a number has: 2 for 1.25, 7 for 5e-7. (JavaScript writes numbers below 1e-6 with an exponent.) */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [, decimals = ''] = digits.split('.');
  return Math.max(0, decimals.length - Number(exponent));
}

/** The type's cards in five groups of equal size, the smallest numbers first; none if it has fewer than five cards. */
function fifthsOf(
  differences: readonly Difference[],
  { type, key, absolute }: NumberQuestion,
): Fifth[] {
  const cards: { readonly number: number; readonly value: number }[] = [];
  for (const { card, value } of differences) {
    const number = card.type === type ? numberAt(card, key) : undefined;
    if (number !== undefined) cards.push({ number: absolute ? Math.abs(number) : number, value });
  }
  if (cards.length < FIFTHS) return [];
  cards.sort((a, b) => a.number - b.number);
  const startOf = (fifth: number) => Math.round((fifth * cards.length) / FIFTHS);
  return Array.from({ length: FIFTHS }, (_, i) => {
    const cardsOfFifth = cards.slice(startOf(i), startOf(i + 1));
    const [low = 0, high = 0] = extent(cardsOfFifth, ({ number }) => number);
    const median = medianOf(cardsOfFifth.map(({ value }) => value));
    const outcomes = pluralize(cardsOfFifth.length, 'outcome');
    return {
      low,
      median,
      title: `${threeDigits(low)} to ${threeDigits(high)}: ${signedFigure(median)} pp, ${outcomes}`,
    };
  });
}
