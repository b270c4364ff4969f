/** What settings to try, by the numbers at the trigger that tell. */
import { extent } from 'd3-array';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import { numberAt } from '../outcomes/row.ts';
import type { Standing } from '../outcomes/standing.ts';
import {
  type Cut,
  hasBetterSide,
  type NumberQuestion,
  type Tuning,
} from '../outcomes/tune-types.ts';
import type { Suggestion } from '../output/views/actions.ts';
import {
  adviceWords,
  advisedCut,
  checkedWords,
  cutName,
  luckOfBars,
  numberName,
  whyNoAdvice,
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
  key,
  multiples,
  type NumberAxis,
  type Panel,
  type Plot,
  sample,
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
  /** To BTC after 24 h, as the questions of the tuning. */
  readonly differences: readonly Difference[];
  readonly standings: readonly Standing[];
  /** Which setting to change for an advice, in sentences. */
  readonly settingFor: (cut: Cut) => string;
  /** The stricter settings that the top of the page names, with what to expect of them. */
  readonly suggestions: readonly Suggestion[];
}

/** A number that tells, with the cut that uses it. */
interface TellingNumber {
  readonly question: NumberQuestion;
  readonly advice: Cut;
  readonly fifths: readonly Fifth[];
}

/** A fifth of a type's cards, by a number at the trigger. */
interface Fifth {
  /** The smallest number in it. */
  readonly low: number;
  /** Of the differences to BTC, percentage points. */
  readonly median: number;
  readonly title: string;
}

const KEY = [
  sample('their median difference to BTC after 24 h, in pp', swatch('bar own')),
  sample('the cards that the advice keeps', swatch('kept')),
];

export function numbersSection(input: NumbersInput): Markup | undefined {
  const numbers = tellingNumbers(input);
  const [first] = numbers;
  if (first === undefined) return undefined;
  const drawn = numbers.slice(0, MOST_PANELS);
  return section(
    'numbers',
    numbers.length === 1
      ? headingOf(first)
      : 'Numbers at the trigger that separate good cards from bad',
    "Each bar is a fifth of the type's cards: on the left those with the smallest number at the trigger, on the right those with the largest.",
    html`<div class="frame">${key(KEY)}${multiples(drawn.map((number) => panelOf(number, input)))}</div>
`,
    note(
      'Only stricter settings can be tested: the cards that a looser one would add were never recorded.',
    ),
  );
}

/** How sure it is that the numbers of the pictures tell, a sentence each: for the end of the page. */
export function testSentences(input: NumbersInput): string[] {
  const drawn = tellingNumbers(input).slice(0, MOST_PANELS);
  return drawn.map(({ question }) => testWords(question));
}

/** No heading names a number whose own p, which stands at the end of the page, does not pass. */
function tellingNumbers({ tuning, differences }: NumbersInput): TellingNumber[] {
  const numbers: TellingNumber[] = [];
  for (const question of tuning.questions) {
    const { p } = question;
    const advice = advisedCut(question, tuning.cuts);
    if (!hasBetterSide(question) || p === null || p > LEVEL || advice === undefined) continue;
    const fifths = fifthsOf(differences, question);
    if (fifths.length > 0) numbers.push({ question, advice, fifths });
  }
  return numbers;
}

/** `pump: cards with oi 3.9 or more did better` */
function headingOf({ question, advice }: TellingNumber): string {
  const cards = `cards with ${label(numberName(question))} ${cutName(advice)}`;
  return `${label(question.type)}: ${cards} did better`;
}

/** `pump and its oi: rank correlation +0.46 (p below 0.001).` */
function testWords(question: NumberQuestion): string {
  const { type, correlation, p } = question;
  const chance = p === null || p < 0.001 ? 'p below 0.001' : `p ${p.toFixed(3)}`;
  const name = label(numberName(question));
  return `${label(type)} and its ${name}: rank correlation ${signedFigure(correlation)} (${chance}).`;
}

function panelOf(
  { question, advice, fifths }: TellingNumber,
  { tuning, standings, settingFor, suggestions }: NumbersInput,
): Panel {
  const { type } = question;
  const standing = standings.find(({ group }) => group === type);
  const checked = checkedWords(advice);
  const whyNot = whyNoAdvice(standing);
  const lines: Fact[] = [];
  if (whyNot === undefined) {
    const cardsPerDayNow = standing?.groupFigures?.cards_per_day ?? null;
    const suggestion = suggestions.find(({ cut }) => isSameCut(cut, advice));
    const words =
      suggestion === undefined
        ? adviceWords(question, tuning.cuts, cardsPerDayNow)
        : 'as at the top of the page.';
    lines.push(['Advice', `${words}${luckOfBars(advice)}`]);
    // The top of the page names the setting, if it is known.
    const setting = suggestion === undefined || suggestion.setting === '' ? settingFor(advice) : '';
    if (setting !== '') lines.push(['Setting', setting]);
    if (checked !== '') lines.push(['Checked', checked]);
  } else {
    lines.push(['Advice', `none: ${whyNot}`]);
  }
  return {
    title: `${label(type)} by ${label(numberName(question))}`,
    verdict: null,
    says: facts(lines),
    ...pictureOf(fifths, advice),
    label: `median difference to BTC of five groups by ${label(numberName(question))}`,
  };
}

function isSameCut(a: Cut, b: Cut): boolean {
  return a.type === b.type && a.key === b.key && a.absolute === b.absolute && a.value === b.value;
}

/** Bars of the fifths between their limits, in front of what the cut keeps. */
function pictureOf(fifths: readonly Fifth[], advice: Cut): Omit<Plot, 'label'> {
  // Leaves room for the words above the highest bar.
  const y = signedAxis(
    fifths.map(({ median }) => 1.2 * median),
    UPRIGHT,
  );
  const bars = fifths.map((fifth, i) => barOf(fifth, i, y));
  const isFrom = advice.direction === 'at_least';
  const from = isFrom ? advice.quantile : 0;
  const to = isFrom ? 1 : advice.quantile;
  const name = cutName(advice);
  const kept = [bar(from, to, 0, HEIGHT, 'kept', name), textAt((from + to) / 2, -4, name)];
  return { x: { ticks: ticksBetween(fifths) }, y, marks: [kept, bars] };
}

/** A bar with its median beyond it, where it covers nothing. */
function barOf({ median, title }: Fifth, place: number, y: NumberAxis): Markup[] {
  const top = y.at(Math.max(0, median));
  const bottom = y.at(Math.min(0, median));
  const beyond = median < 0 ? bottom + 14 : top - 5;
  return [
    bar(place / FIFTHS, (place + 1) / FIFTHS, top, bottom, 'bar own', title),
    textAt((place + 0.5) / FIFTHS, beyond, signedFigure(median)),
  ];
}

/** The numbers at which one fifth ends and the next begins, all with as many decimals. */
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

/** 2 of 1.25, 7 of 5e-7: JavaScript writes numbers below 1e-6 with an exponent. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const behindPoint = digits.split('.')[1]?.length ?? 0;
  return Math.max(0, behindPoint - Number(exponent));
}

/** Five groups of as many cards of the type each, the smallest numbers first; none of fewer than five cards. */
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
