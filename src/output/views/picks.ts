/** `stats --picked`: the cards that the user acted on, beside those that were let pass. */
import * as v from 'valibot';
import {
  byHorizon,
  HORIZON_NAMES,
  horizonOf,
  MAIN_HORIZON,
  OUTCOME_WORDS,
} from '../../api/contract/horizons.ts';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import { objectKeys } from '../../base/collections.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { pluralize } from '../../base/units.ts';
import { andWords } from '../../base/words.ts';
import { asPrinted, figuresFrom, schemaOf } from '../../outcomes/figure.ts';
import { isWeak } from '../../outcomes/figure-table.ts';
import {
  countOfComparedPicks,
  PICKS_GROUPS,
  type PickCounts,
  type PickedCards,
  type PicksAnswer,
  type PicksData,
  type PicksGroup,
  type PicksPair,
  type PicksRange,
  pickCounts,
  picksToShow,
  purchaseOf,
} from '../../outcomes/picks.ts';
import { PICKS_TABLE } from '../../outcomes/picks-figures.ts';
import { RECENT_DAYS } from '../../outcomes/scarcity.ts';
import { type ClusteredMedian, LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import { LEVEL } from '../../statistics/estimate.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { SURE_LEVEL, type Verdict } from '../../statistics/rule.ts';
import { fieldsOf, objectByHorizon, objectOf } from '../described-fields.ts';
import { asSentence, NONE, points, rangeText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, Section, Styles, View } from '../types.ts';
import { askedForFields } from './history-stats-fields.ts';
import {
  axisOf,
  type Bars,
  barsLine,
  goesOnWords,
  type IntervalAxis,
  intervalWords,
  marksDrawn,
  scaleLine,
} from './interval-axis.ts';
import { figureColumn, textColumn } from './parts.ts';
import { shareBought } from './prospect-words.ts';

/** A number of any size in JSON. One beyond 2^53 is a bigint here: it is written to the digit. */
const exactId: v.GenericSchema<number, number | bigint> = v.number();

const counts = named(
  'PickCounts',
  v.object({
    compared: described(count, 'at the horizon judged'),
    not_bought: described(count, 'comparable once bought'),
    not_due: described(count, `${OUTCOME_WORDS} not over`),
    no_match: described(count, 'nothing of their type and UTC day to compare with'),
    no_figure: described(count, 'outcome missing, or BTC itself'),
    left_out: described(count, 'by other options'),
    unknown: described(count, 'not in the history'),
    repeated: described(count, 'lines with an id of an earlier line'),
  }),
);

const picksHead = v.object({
  ...askedForFields,
  horizon: described(v.picklist(HORIZON_NAMES), 'the move that the page judges'),
  generated_at: described(time, 'when it was computed, UTC'),
  least_percentage_points: described(
    v.number(),
    `smallest difference that matters after ${horizonOf(MAIN_HORIZON).words}`,
  ),
  picked: objectOf('the cards that the file names', {
    ids: described(count, 'different ids in the file'),
    in_history: described(count, 'of these, in the history'),
    chosen: described(count, 'of these, chosen by the other options'),
    with_outcome: described(count, 'outcome settled, or given up by exports'),
    compared: described(count, 'as in counts'),
    not_due: described(count, 'as in counts'),
    counts: described(counts, 'each line of the file once'),
    to_buy: described(v.array(count), 'ids whose final outcome can be bought, 1 credit each'),
    to_compare: described(count, 'of these, the first: a card beside them has an outcome'),
    partners_to_buy: described(
      v.array(count),
      'ids of cards let pass, 1 credit each, drawn at random: one a type and day of picks where none has an outcome',
    ),
    unknown_ids: described(v.array(exactId), 'ids that the history does not have'),
  }),
});

export type PicksHead = ReadonlyDeep<v.InferOutput<typeof picksHead>>;

const picksGroup = v.object({
  group: described(v.picklist(PICKS_GROUPS), 'the picked cards, or the others'),
  screener_type: described(v.nullable(v.string()), 'their screener type; null for all types'),
  rows: described(
    count,
    'cards in the history; of not_picked: cards of the types and UTC days of picked ones',
  ),
  bought: described(count, 'of these, the ones whose outcome was bought, also without a figure'),
  counts: described(v.nullable(counts), 'of the file; null of not_picked'),
  horizons: objectByHorizon(
    `the horizons ${andWords(HORIZON_NAMES)}, each on its own sample`,
    named('PicksFigures', schemaOf(PICKS_TABLE)),
  ),
});

export type PicksItem = ReadonlyDeep<v.InferOutput<typeof picksGroup>>;

export const picksView: View<PicksItem> = { fields: fieldsOf(picksGroup) };
export const picksHeadFields = fieldsOf(picksHead);

/** `picked` of the JSON document. */
export function picksNumbers({ picked, question }: PicksAnswer): PicksHead['picked'] {
  const { ids, inHistory, chosen, settled, toBuy, comparable, partners, unknownIds } = picked;
  const placeCounts = pickCounts(picked);
  return {
    ids,
    in_history: inHistory.length,
    chosen: chosen.length,
    with_outcome: settled.length,
    compared: placeCounts.compared,
    not_due: placeCounts.not_due,
    counts: { ...placeCounts, repeated: question.repeatedLines },
    to_buy: toBuy.map(({ id }) => id),
    to_compare: comparable.length,
    partners_to_buy: partners.map(({ card }) => card.id),
    unknown_ids: unknownIds.map(exactIdOf),
  };
}

function exactIdOf(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** Picked cards and the others, of all types, then of each type. */
export function picksItems({ all, types, picked, question }: PicksAnswer): PicksItem[] {
  const items: PicksItem[] = [];
  for (const pair of [all, ...types]) {
    const repeated = pair.type === undefined ? question.repeatedLines : 0;
    items.push(itemOf(pair.picked, { ...pickCounts(picked, pair.type), repeated }));
    items.push(itemOf(pair.notPicked, null));
  }
  return items;
}

function itemOf(
  { group, type, cards, horizons }: PicksGroup,
  counts: PicksItem['counts'],
): PicksItem {
  return asPrinted({
    group,
    screener_type: type ?? null,
    rows: cards.length,
    bought: cards.filter(({ isBought }) => isBought).length,
    counts,
    horizons: byHorizon((name) => figuresFrom(PICKS_TABLE, horizons[name])),
  });
}

export interface PicksPage {
  readonly answer: PicksAnswer;
  /** The command line that buys outcomes: `screener signals show 511 512`, or an export. */
  readonly buyCommand: string;
  /** How many cards that command line names; 0 if it is an export. */
  readonly idsInCommand: number;
  /** Whether that command line is an export, which chooses by itself what it buys. */
  readonly isBoughtByExports: boolean;
  /** Whether each type has its line, also one of which nothing is known. */
  readonly isDetailed: boolean;
  /** How many outcomes come due for each that is bought; undefined if most are bought, or if nobody knows. */
  readonly outcomesPerPurchase: number | undefined;
}

/** A line of the table: all picks, or those of one type, and the cards beside them. */
interface PicksLine {
  readonly name: string;
  readonly picked: PicksData;
  readonly notPicked: PicksData;
}

export function picksPage(page: PicksPage, render: RenderContext): string {
  return render.sections([comparisonSection(page, render), countsSection(page, render)]);
}

/** The answer with its reason, then the table of figures if the picks are of days enough. */
function comparisonSection(page: PicksPage, render: RenderContext): Section {
  const { answer, isDetailed } = page;
  const { all, types, question } = answer;
  const { horizon } = question;
  const lineOf = ({ type, picked, notPicked }: PicksPair): PicksLine => ({
    name: type === undefined ? 'All' : safeText(type),
    picked: picked.horizons[horizon],
    notPicked: notPicked.horizons[horizon],
  });
  const total = lineOf(all);
  const title = `Did you pick well? ${answerText(total, page)}`;
  const reason = render.paragraph(reasonText(total, answer.picked));
  // Figures of a pick or two, or of a few days, would only mislead.
  if (isBarelyCompared(answer)) return { title, body: [reason, buyPart(page, render)] };
  const linesOfTypes = types.map(lineOf).filter(({ picked }) => picked.word !== null);
  // If all picks are of one type, its line would repeat the line of all.
  const severalTypes = linesOfTypes.length > 1 ? linesOfTypes : [];
  const shown = isDetailed
    ? severalTypes
    : severalTypes.filter(({ picked }) => ANSWERS.has(picked.word));
  const lines = [total, ...shown];
  const { columns, axis } = picksColumns(lines, render);
  return {
    title,
    body: [
      `${reason}\n`,
      render.table(columns, lines),
      render.note(
        `Medians, ${horizonOf(horizon).shortWords} after the trigger, in pp. VS LET PASS: each pick less the cards of the same type and UTC day that you let pass.`,
        axis !== undefined && marksText(lines, axis, render.unicode),
        daysNote(lines),
        betaText(lines),
        hiddenTypesText(shown.length, severalTypes.length - shown.length),
      ),
    ],
  };
}

/** That the page leaves out types of which nothing is known; empty if there are none. */
function hiddenTypesText(shown: number, hidden: number): string {
  if (hidden === 0) return '';
  if (shown === 0) return 'By type nothing is known yet (--detail shows each).';
  return `Of ${pluralize(hidden, 'more type')} nothing is known yet (--detail shows each).`;
}

/** The answer in a word or two. */
function answerText({ picked: { word, rule } }: PicksLine, page: PicksPage): string {
  if (word === null || word === 'too_few_days') return answerOfFew(word, page);
  const answers: Readonly<Record<Exclude<Verdict, 'too_few_days'>, string>> = {
    above: 'Yes',
    below: 'No',
    small: `Neither well nor badly: the difference is within ${rule.least} pp`,
    unclear: 'Not known yet',
  };
  return answers[word];
}

/** The answer where too few picks are compared. `Too early to say` only if time alone brings more: no purchase would. */
function answerOfFew(
  word: 'too_few_days' | null,
  { answer: { picked }, isBoughtByExports }: PicksPage,
): string {
  const { ids, toBuy } = picked;
  const { not_due: notDue } = pickCounts(picked);
  if (ids === 0) return 'No picks yet';
  const isTimeEnough = toBuy.length === 0 || isBoughtByExports;
  const isMoreToCome = word === 'too_few_days' || notDue > 0 || toBuy.length > 0;
  return isTimeEnough && isMoreToCome ? 'Too early to say' : 'Not known yet';
}

/** What the answer rests on, and what it waits for. */
function reasonText(line: PicksLine, picked: PickedCards): string {
  const { word, vsUnpicked } = line.picked;
  if (word === null || vsUnpicked === undefined)
    return `${noneComparedText(picked)} A pick is compared with the cards of its type and day that you let pass; both need an outcome.`;
  const { size } = vsUnpicked;
  const picks = pluralize(size, 'pick');
  const range = vsUnpicked.interval(LEVEL);
  const interval = range === null ? '' : ` (95 %: ${rangeText(range)})`;
  const difference = `${differenceWords(vsUnpicked)}${interval}`;
  const reasons: Readonly<Record<Verdict, string>> = {
    above: `Your ${picks} did ${difference}.`,
    below: `Your ${picks} did ${difference}.`,
    small: `Your ${picks} did ${difference}.`,
    unclear: unclearText(picks, range),
    too_few_days: `${asSentence(daysOfPicksNeeded(vsUnpicked))} You have ${vsUnpicked.clusters}.`,
  };
  return reasons[word];
}

/** Why the difference is no answer; its interval is in the table. @param picks `18 picks` @param range the 95 % interval */
function unclearText(picks: string, range: Interval | null): string {
  if (range === null) return `Your ${picks} are too few for an answer.`;
  const isOnOneSide = range.low > 0 || range.high < 0;
  if (!isOnOneSide) return `The difference of your ${picks} to the cards you let pass may be luck.`;
  // The 99.7 % interval decides: whoever looks each day sees the one of 95 % leave 0 by chance sooner or later.
  const seem = range.low > 0 ? 'better' : 'worse';
  return `Your ${picks} look ${seem} than the cards you let pass, but an answer takes 99.7 %.`;
}

/** `None of your 40 picks can be compared yet: 39 of their outcomes are not bought.` */
function noneComparedText({ chosen, toBuy }: PickedCards): string {
  if (toBuy.length === 0) return 'No pick can be compared yet.';
  if (chosen.length === 1) return 'Your pick cannot be compared yet: its outcome is not bought.';
  const outcomes = toBuy.length === chosen.length ? 'their' : `${toBuy.length} of their`;
  const are = toBuy.length === 1 ? 'is' : 'are';
  return `None of your ${chosen.length} picks can be compared yet: ${outcomes} outcomes ${are} not bought.`;
}

/** `0.50 pp better than the cards you let pass` */
function differenceWords({ value }: ClusteredMedian): string {
  const size = Math.abs(value).toFixed(2);
  if (Number(size) === 0) return 'like the cards you let pass';
  return `${size} pp ${value > 0 ? 'better' : 'worse'} than the cards you let pass`;
}

/** `3 of 6 days`: picks lie on 3 blocks of days, and a figure takes 6. */
function daysOf({ clusters }: ClusteredMedian): string {
  return `${clusters} of ${LEAST_CLUSTERS} days`;
}

/** `it takes picks on 6 days (2 days in a row count as one)`: cards of neighbouring days move alike. */
function daysOfPicksNeeded({ clusterDays }: ClusteredMedian): string {
  const inARow = clusterDays === 1 ? '' : ` (${clusterDays} days in a row count as one)`;
  return `it takes picks on ${LEAST_CLUSTERS} days${inARow}`;
}

/** What `3 of 6 days` in the line of a type means; empty if no line has it. */
function daysNote([, ...linesOfTypes]: readonly PicksLine[]): string {
  for (const { picked } of linesOfTypes) {
    const { word, vsUnpicked } = picked;
    if (word === 'too_few_days' && vsUnpicked !== undefined)
      return `${daysOf(vsUnpicked)}: ${daysOfPicksNeeded(vsUnpicked)}.`;
  }
  return '';
}

/** The word of a line. */
function wordOfPicks({ picked }: PicksLine, { styles }: RenderContext): string {
  const { word, rule, vsUnpicked } = picked;
  if (word === null || vsUnpicked === undefined) return NONE;
  const texts: Readonly<Record<Verdict, string>> = {
    above: 'better',
    below: 'worse',
    small: `within ${rule.least} pp`,
    unclear: 'unclear',
    too_few_days: daysOf(vsUnpicked),
  };
  const weak = (word === 'above' || word === 'below') && isWeak(vsUnpicked) ? ', few days' : '';
  return styles[TINTS[word]](`${texts[word]}${weak}`);
}

const TINTS: Readonly<Record<Verdict, keyof Styles>> = {
  above: 'good',
  below: 'bad',
  small: 'dim',
  unclear: 'dim',
  too_few_days: 'dim',
};

const NARROWEST_AXIS = 9;
const WIDEST_AXIS = 31;

function picksColumns(
  lines: readonly PicksLine[],
  render: RenderContext,
): { readonly columns: Column<PicksLine>[]; readonly axis: IntervalAxis | undefined } {
  const left: Column<PicksLine>[] = [
    textColumn('TYPE', 0, ({ name }) => name),
    figureColumn('PICKS', 1, ({ picked }) => String(picked.vsBtc.size)),
    figureColumn('LET PASS', 2, ({ notPicked }) => String(notPicked.vsBtc.size)),
    figureColumn('VS BTC', 3, ({ picked }) => medianText(picked)),
    figureColumn('VS LET PASS', 0, ({ picked }) =>
      points(hasFigures(picked) ? (picked.vsUnpicked?.value ?? null) : null),
    ),
  ];
  const verdict = textColumn<PicksLine>('VERDICT', 0, wordOfPicks);
  const all = lines.map(({ picked }) => ({
    median: picked.vsUnpicked?.value ?? null,
    interval: picked.vsUnpicked?.interval(LEVEL) ?? null,
    sureInterval: picked.vsUnpicked?.interval(SURE_LEVEL) ?? null,
  }));
  const room = render.roomBeside([...left, verdict], lines);
  const isDrawn = room >= NARROWEST_AXIS && all.some(({ interval }) => interval !== null);
  if (!isDrawn) return { columns: [...left, verdict], axis: undefined };
  const axis = axisOf(all, Math.min(WIDEST_AXIS, room));
  const picture = textColumn<PicksLine>(scaleLine(axis), 4, ({ picked }) =>
    barsLine(barsOf(picked), axis, render),
  );
  const interval = figureColumn<PicksLine>('95 % INTERVAL', 5, ({ picked }) =>
    rangeText(picked.vsUnpicked?.interval(LEVEL) ?? null),
  );
  return { columns: [...left, picture, interval, verdict], axis };
}

function medianText(picked: PicksData): string {
  return points(hasFigures(picked) ? picked.vsBtc.value : null);
}

/** Whether the picks of a line are of days enough for a figure. */
function hasFigures({ word }: PicksData): boolean {
  return word !== null && word !== 'too_few_days';
}

/** Whether the picks of all types together are compared on too few days, or not at all. */
function isBarelyCompared({ all, question }: PicksAnswer): boolean {
  return !hasFigures(all.picked.horizons[question.horizon]);
}

const WHOLE: Interval = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** @returns undefined without an interval: a median of a pick or two is not drawn */
function barsOf({ vsUnpicked }: PicksData): Bars | undefined {
  const inner = vsUnpicked?.interval(LEVEL) ?? null;
  if (vsUnpicked === undefined || inner === null) return undefined;
  return { median: vsUnpicked.value, inner, outer: vsUnpicked.interval(SURE_LEVEL) ?? WHOLE };
}

/** `● median; ━ 95 % interval; ─ 99.7 %; ░ within ±0.1 pp; ◂ ▸ goes on` */
function marksText(lines: readonly PicksLine[], axis: IntervalAxis, unicode: boolean): string {
  const shown = marksDrawn(
    lines.map(({ picked }) => barsOf(picked)),
    axis,
  );
  return [...intervalWords(unicode), ...goesOnWords(shown, unicode)].join('; ');
}

/** Percentage points above which a page says what betas took off. */
const LARGE_BETA = 0.3;

/** The words that answer the question. */
const ANSWERS: ReadonlySet<Verdict | null> = new Set<Verdict>(['above', 'below', 'small']);

/**
 * What the figures of the lines with a verdict would be with the part that BTC's moves explain, where that is much. A line
 * without a verdict needs no second figure.
 */
function betaText(lines: readonly PicksLine[]): string {
  const figures: string[] = [];
  for (const { name, picked } of lines) {
    const { word, vsUnpicked, explainedByBeta = 0 } = picked;
    if (vsUnpicked !== undefined && ANSWERS.has(word) && Math.abs(explainedByBeta) > LARGE_BETA)
      figures.push(`${name} ${points(vsUnpicked.value + explainedByBeta)}`);
  }
  if (figures.length === 0) return '';
  return `Some symbols move more than BTC whenever BTC moves. VS LET PASS leaves that part out; with it: ${figures.join(', ')}.`;
}

/** How many more picks are needed, in which row each id of the file is, and what to do. */
function countsSection(page: PicksPage, render: RenderContext): Section {
  const { answer } = page;
  const { ids } = answer.picked;
  const counts = render.pairs([
    ['Needed', neededText(page)],
    ['Cost', costText(page)],
    ...rowsOfIds(answer),
  ]);
  return {
    body: [
      counts,
      // On a page without figures the offer stands at the head, because it is what to do first.
      !isBarelyCompared(answer) && buyPart(page, render),
      render.note(ids > 0 && PICKED_BEFORE),
    ],
  };
}

/** Rows whose numbers add up to the ids in the file: each id is in one of them, a repeated one once more. */
function rowsOfIds({ picked, question }: PicksAnswer): Pair[] {
  const { repeatedLines } = question;
  const counts = pickCounts(picked);
  const lines = picked.ids + repeatedLines;
  const rows: Pair[] = [];
  if (lines === 0) rows.push(['Picks', 'The file holds no id yet.']);
  else rows.push(['Picks', `${pluralize(lines, 'id')}, ${counts.compared} compared`]);
  for (const place of objectKeys(UNCOMPARED)) {
    const number = counts[place];
    const { label, textOf } = UNCOMPARED[place];
    if (number > 0) rows.push([label, `${number}: ${textOf(picked, number)}`]);
  }
  if (repeatedLines > 0)
    rows.push(['Repeated', `${repeatedLines}: each id counts once, however often the file has it`]);
  return rows;
}
/**
 * The page says how many picks would show a difference of 2 pp, if the smallest difference that matters is 1 pp; once there are so
 * many, how many would show 1 pp.
 */
const WANTED_MULTIPLES_OF_LEAST = [2, 1] as const;

/** How many picks show a difference. */
interface Need {
  readonly picks: PicksRange;
  /** Percentage points. */
  readonly size: number;
}

/**
 * How many picks show the first of these differences that is not shown yet. Undefined if there is a verdict, if nobody knows, or if
 * hardly a pick is compared though exports buy most outcomes: then time brings more.
 */
function needOf({ answer, outcomesPerPurchase }: PicksPage): Need | undefined {
  if (!isNeedAsked(answer, outcomesPerPurchase)) return undefined;
  const { rule } = answer.all.picked.horizons[answer.question.horizon];
  for (const times of WANTED_MULTIPLES_OF_LEAST) {
    const size = times * rule.least;
    const picks = picksToShow(answer, size);
    if (picks !== undefined) return { picks, size };
  }
  return undefined;
}

function isNeedAsked(answer: PicksAnswer, outcomesPerPurchase: number | undefined): boolean {
  const { word } = answer.all.picked.horizons[answer.question.horizon];
  return word === 'unclear' || (isBarelyCompared(answer) && outcomesPerPurchase !== undefined);
}

/** `100 to 200 picks in all, to see a difference of 2 pp`; empty if nothing is needed, or if nobody knows. */
function neededText(page: PicksPage): string {
  const { answer, outcomesPerPurchase } = page;
  const need = needOf(page);
  if (need !== undefined)
    return `${rangeOf(need.picks)} picks in all, to see a difference of ${need.size} pp`;
  const isUnknown = isNeedAsked(answer, outcomesPerPurchase) && outcomesPerPurchase !== undefined;
  return isUnknown ? 'not known at this rate: too few outcomes are bought to compare with' : '';
}

/** What the needed picks cost, if exports buy few outcomes; empty if they buy most of them. */
function costText(page: PicksPage): string {
  const { outcomesPerPurchase: each } = page;
  const need = needOf(page);
  if (need === undefined || each === undefined) return '';
  const { from, to } = need.picks;
  const credits = rangeOf({ from, to: MOST_CREDITS_OF_PICK * to });
  const price = `${credits} credits: 1 for each pick, and 1 for a card of its type and day if none has an outcome`;
  const share = shareBought('Exports alone buy', each);
  return `${price}. ${share} (last ${RECENT_DAYS} days)`;
}

/** `100 to 200` */
function rangeOf({ from, to }: PicksRange): string {
  return `${from.toLocaleString('en')} to ${to.toLocaleString('en')}`;
}

/** A pick takes at most two outcomes: its own, and that of a card of its type and day that was let pass. */
const MOST_CREDITS_OF_PICK = 2;

const PICKED_BEFORE = 'Picks count only if you made them before the outcome was known.';

/** A row of ids that are not compared. */
interface UncomparedRow {
  readonly label: string;
  /** Why they are not compared. @param number of ids in the row, at least 1 */
  readonly textOf: (picked: PickedCards, number: number) => string;
}

/** The rows, in the order of the page. */
const UNCOMPARED: Readonly<Record<Exclude<keyof PickCounts, 'compared'>, UncomparedRow>> = {
  not_bought: {
    label: 'Not bought',
    textOf: (_, number) =>
      `${number === 1 ? 'its' : 'their'} outcome, or that of a card to compare with, is not bought`,
  },
  not_due: {
    label: 'Not due',
    textOf: () => `the ${OUTCOME_WORDS} after the trigger are not over`,
  },
  no_match: {
    label: 'No match',
    textOf: (_, number) =>
      `no card of ${number === 1 ? 'its' : 'their'} type and day that you let pass has an outcome, or can be bought`,
  },
  no_figure: {
    label: 'No figure',
    textOf: () => 'the outcome is missing or given up, or the card is of BTC itself',
  },
  left_out: { label: 'Left out', textOf: () => 'by the other options' },
  unknown: {
    label: 'Unknown',
    textOf: ({ unknownIds }) => `this history does not have ${someOf(unknownIds)}`,
  },
};

/** If more ids are unknown than this, the others are counted. */
const MOST_UNKNOWN_NAMED = 5;

/** `900, 901, 902, 903, 904 and 4 more` */
function someOf(ids: readonly string[]): string {
  const names = ids.slice(0, MOST_UNKNOWN_NAMED).join(', ');
  const rest = ids.length - MOST_UNKNOWN_NAMED;
  return rest > 0 ? `${names} and ${rest} more` : names;
}

/** The command line that gets more picks compared, and what it costs; or that no purchase would. Empty if nothing is to buy. */
function buyPart(page: PicksPage, render: RenderContext): string {
  const { answer, buyCommand, idsInCommand, isBoughtByExports } = page;
  const { toBuy } = answer.picked;
  const isAlone = toBuy.length === 1;
  if (isBoughtByExports) {
    if (toBuy.length === 0) return '';
    // Where no pick is compared, the sentence above it says how many have no outcome.
    const isNoneCompared = answer.all.picked.horizons[answer.question.horizon].word === null;
    const waiting = isNoneCompared
      ? ''
      : `${pluralize(toBuy.length, 'pick')} ${isAlone ? 'has' : 'have'} no outcome. `;
    return render.offer(`${waiting}Exports buy ${isAlone ? 'it' : 'them'}:`, buyCommand);
  }
  if (idsInCommand > 0 && isTooFewForAnswer(page))
    return render.note('Nothing to buy yet: too few picks for an answer. Go on picking.');
  if (idsInCommand > 0) return render.offer(`${purchaseText(page)}:`, buyCommand);
  if (toBuy.length === 0) return '';
  return render.note(
    `Buying would not help: no card of ${isAlone ? 'its' : 'their'} type and day that you let pass has an outcome, or can be bought.`,
  );
}

/** Whether all picks so far, compared at the cost of credits, are too few for an answer. */
function isTooFewForAnswer(page: PicksPage): boolean {
  const { answer } = page;
  const need = needOf(page);
  const before = countOfComparedPicks(answer, answer.question.horizon);
  return need !== undefined && before + purchaseOf(answer.picked).picks < need.picks.from;
}

/**
 * `160 credits (26 for cards you let pass, drawn at random) compare 134 picks. The first 50 (50 credits)`:
 * what a purchase brings, and which part of it the command line makes.
 */
function purchaseText(page: PicksPage): string {
  const { answer, idsInCommand } = page;
  const { ids, picks, partners } = purchaseOf(answer.picked);
  const compare = ids.length === 1 ? 'compares' : 'compare';
  const before = countOfComparedPicks(answer, answer.question.horizon);
  const picksText = pluralize(picks, before === 0 ? 'pick' : 'more pick');
  const drawn =
    partners === 0
      ? ''
      : ` (${partners} for ${partners === 1 ? 'a card' : 'cards'} you let pass, drawn at random)`;
  const cut =
    idsInCommand < ids.length
      ? `. The first ${idsInCommand} (${pluralize(idsInCommand, 'credit')})`
      : '';
  return `${pluralize(ids.length, 'credit')}${drawn} ${compare} ${picksText}${cut}`;
}
