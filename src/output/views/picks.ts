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
import { CREDITS_A_DAY } from '../../api/limits.ts';
import { objectKeys } from '../../base/collections.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { pluralize } from '../../base/units.ts';
import { andWords } from '../../base/words.ts';
import { asPrinted, figuresFrom, schemaOf } from '../../outcomes/figure.ts';
import { isWeak } from '../../outcomes/figure-table.ts';
import {
  canBeAnswered,
  isAnswered,
  PICKS_GROUPS,
  type PickCounts,
  type PickedCards,
  type PicksAnswer,
  type PicksData,
  type PicksGroup,
  type PicksPair,
  type PicksPurchase,
  pickCounts,
  picksNeeded,
  purchaseOf,
  slowPicksOf,
} from '../../outcomes/picks.ts';
import { PICKS_TABLE } from '../../outcomes/picks-figures.ts';
import { PROSPECT_DAYS } from '../../outcomes/standing.ts';
import { type ClusteredMedian, LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import { LEVEL } from '../../statistics/estimate.ts';
import { isUnclearByMissing, type Rule, type Verdict, wouldShow } from '../../statistics/rule.ts';
import { fieldsOf, objectByHorizon, objectOf } from '../described-fields.ts';
import { NONE, points, rangeText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, Section, Styles, View } from '../types.ts';
import { askedForFields } from './history-stats-fields.ts';
import { figureColumn, textColumn } from './parts.ts';
import { leavesOut0 } from './verdict-rule.ts';
import { sizeToWaitFor, wouldShowText } from './verdict-wait.ts';

/** A number of any size in JSON. One beyond 2^53 is a bigint here: it is written to the digit. */
const exactId: v.GenericSchema<number, number | bigint> = v.number();

const pickCountsSchema = named(
  'PickCounts',
  v.object({
    compared: described(count, 'at the horizon judged'),
    not_bought: described(count, 'comparable once bought'),
    not_due: described(count, `${OUTCOME_WORDS} not over`),
    no_match: described(count, 'no card of their type and UTC day to compare with'),
    no_figure: described(count, 'outcome missing, or BTC itself'),
    left_out: described(count, 'by other options'),
    unknown: described(count, 'not in the history'),
    repeated: described(count, 'lines that repeat an id'),
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
    chosen: described(count, 'of these, chosen by other options'),
    with_outcome: described(count, 'outcome settled, or given up by exports'),
    counts: described(pickCountsSchema, 'each line of the file once'),
    to_buy: described(v.array(count), 'ids whose final outcome can be bought, 1 credit each'),
    purchase: described(
      v.array(count),
      'ids to buy for an answer, in order, with one card let pass, drawn at random, for each type and day where none has an outcome; empty if too few for an answer',
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
  bought: described(count, 'of these, bought, also without a figure'),
  counts: described(v.nullable(pickCountsSchema), 'of the file; null of not_picked'),
  horizons: objectByHorizon(
    `the horizons ${andWords(HORIZON_NAMES)}, each on its own sample`,
    named('PicksFigures', schemaOf(PICKS_TABLE)),
  ),
});

export type PicksItem = ReadonlyDeep<v.InferOutput<typeof picksGroup>>;

export const picksView: View<PicksItem> = { fields: fieldsOf(picksGroup) };
export const picksHeadFields = fieldsOf(picksHead);

/** `picked` of the JSON document. */
export function picksNumbers(answer: PicksAnswer): PicksHead['picked'] {
  const { picked, question } = answer;
  const { ids, inHistory, chosen, settled, toBuy, unknownIds } = picked;
  const placeCounts = pickCounts(picked);
  return {
    ids,
    in_history: inHistory.length,
    chosen: chosen.length,
    with_outcome: settled.length,
    counts: { ...placeCounts, repeated: question.repeatedLines },
    to_buy: toBuy.map(({ id }) => id),
    purchase: canBeAnswered(answer) ? purchaseOf(answer).ids : [],
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
  /** How many cards that command line buys; 0 if it is an export. */
  readonly idsInCommand: number;
  /** Whether that command line is an export, which chooses by itself what it buys. */
  readonly isBoughtByExports: boolean;
  /** Whether each type has its line, also one of which nothing is known. */
  readonly isDetailed: boolean;
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
  const title = `Did you pick well? ${answerText(total, answer.picked.ids)}`;
  const reason = render.paragraph(reasonText(total));
  // Figures of a pick or two, or of a few days, would only mislead.
  if (isBarelyCompared(answer)) return { title, body: [reason, buyPart(page, render)] };
  const linesOfTypes = types.map(lineOf).filter(({ picked }) => picked.verdict !== null);
  // If all picks are of one type, its line would repeat the line of all.
  const severalTypes = linesOfTypes.length > 1 ? linesOfTypes : [];
  const shown = isDetailed
    ? severalTypes
    : severalTypes.filter(({ picked }) => ANSWERS.has(picked.verdict));
  const lines = [total, ...shown];
  return {
    title,
    body: [
      `${reason}\n`,
      render.table(COLUMNS, lines),
      render.note(
        `Medians, ${horizonOf(horizon).shortWords} after the trigger, in pp. VS LET PASS: each pick less the cards of the same type and UTC day that you let pass.`,
        betaText(lines),
        hiddenTypesText(severalTypes.length - shown.length),
      ),
    ],
  };
}

/** That the page leaves out types of which nothing is known; empty if there are none. */
function hiddenTypesText(hidden: number): string {
  return hidden === 0 ? '' : '--detail has a line for each type.';
}

/** The answer in a word or two. */
function answerText({ picked }: PicksLine, ids: number): string {
  const { verdict, rule } = picked;
  if (ids === 0) return 'No picks yet';
  if (verdict === null) return 'Not known yet';
  const answers: Readonly<Record<Verdict, string>> = {
    above: 'Yes',
    below: 'No',
    small: `Neither well nor badly: the difference is within ${rule.least} pp`,
    unclear: seemsClear(picked) ? 'Not sure yet' : 'Not known yet',
    too_few_days: 'Not known yet',
  };
  return answers[verdict];
}

/** Whether the 95 % interval of unclear picks leaves out 0: the table looks as if there were an answer. */
function seemsClear({ verdict, vsUnpicked }: PicksData): boolean {
  return verdict === 'unclear' && leavesOut0(vsUnpicked?.interval(LEVEL));
}

/** What the answer rests on, and what it waits for. */
function reasonText({ picked }: PicksLine): string {
  const { verdict, vsUnpicked, rule } = picked;
  if (verdict === null || vsUnpicked === undefined) return NONE_COMPARED;
  if (verdict === 'too_few_days') return daysNeededText(vsUnpicked);
  if (seemsClear(picked) && !isUnclearByMissing(vsUnpicked, rule))
    return `So far your picks did ${differenceWords(vsUnpicked)}. For an answer it must be 99.7 % sure; it is 95 % sure.`;
  if (verdict === 'unclear') return unclearText(vsUnpicked, rule);
  const interval = rangeText(vsUnpicked.interval(LEVEL));
  return `Your picks did ${differenceWords(vsUnpicked)} (95 %: ${interval}).`;
}

/** `You have picks on 3 separate days (2 days in a row count as one); a figure takes 6.`: cards of neighbouring days move alike. */
function daysNeededText({ clusterDays, clusters }: ClusteredMedian): string {
  const inARow = clusterDays === 1 ? '' : ` (${clusterDays} days in a row count as one)`;
  const days = `${clusters} separate ${clusters === 1 ? 'day' : 'days'}`;
  return `You have picks on ${days}${inARow}; a figure takes ${LEAST_CLUSTERS}.`;
}

/** Why the difference is no answer. Its size and its 95 % interval are in the table. */
function unclearText(vsUnpicked: ClusteredMedian, rule: Rule): string {
  if (isUnclearByMissing(vsUnpicked, rule))
    return 'Some outcomes are missing, and may change the difference to the cards you let pass.';
  const smallestToShow = wouldShow(vsUnpicked);
  if (smallestToShow !== null && seemsTooLarge(smallestToShow, vsUnpicked)) return OF_FEW_DAYS;
  const size =
    smallestToShow === null ? undefined : sizeToWaitFor(smallestToShow, vsUnpicked.value);
  if (size === undefined) return 'The difference to the cards you let pass may still be luck.';
  return `So far only a difference of ${wouldShowText(size)}.`;
}

/**
 * Whether the size that would show would seem to contradict the 95 % interval in the table: of few days, it is many times as large as
 * the interval is wide to one side.
 */
function seemsTooLarge(size: number, vsUnpicked: ClusteredMedian): boolean {
  const { low, high } = vsUnpicked.interval(LEVEL) ?? { low: 0, high: 0 };
  const widthToOneSide = (high - low) / 2;
  return size > 3 * widthToOneSide;
}

const OF_FEW_DAYS =
  'Your picks are of too few days: only a very large difference would be sure by now.';

/** `0.50 pp better than the cards you let pass` */
function differenceWords({ value }: ClusteredMedian): string {
  const size = Math.abs(value).toFixed(2);
  if (Number(size) === 0) return 'like the cards you let pass';
  return `${size} pp ${value > 0 ? 'better' : 'worse'} than the cards you let pass`;
}

/** The verdict of a line. */
function verdictOfPicks({ picked }: PicksLine, { styles }: RenderContext): string {
  const { verdict, rule, vsUnpicked } = picked;
  if (verdict === null || vsUnpicked === undefined) return NONE;
  const texts: Readonly<Record<Verdict, string>> = {
    above: 'better',
    below: 'worse',
    small: `within ${rule.least} pp`,
    unclear: 'unclear',
    too_few_days: 'too few days',
  };
  const weak =
    (verdict === 'above' || verdict === 'below') && isWeak(vsUnpicked) ? ', few days' : '';
  return styles[TINTS[verdict]](`${texts[verdict]}${weak}`);
}

const TINTS: Readonly<Record<Verdict, keyof Styles>> = {
  above: 'good',
  below: 'bad',
  small: 'dim',
  unclear: 'dim',
  too_few_days: 'dim',
};

const COLUMNS: readonly Column<PicksLine>[] = [
  textColumn('TYPE', 0, ({ name }) => name),
  figureColumn('PICKS', 1, ({ picked }) => String(picked.vsBtc.size)),
  figureColumn('LET PASS', 2, ({ notPicked }) => String(notPicked.vsBtc.size)),
  figureColumn('VS BTC', 4, ({ picked }) => medianText(picked)),
  figureColumn('VS LET PASS', 0, ({ picked }) =>
    points(hasFigures(picked) ? (picked.vsUnpicked?.value ?? null) : null),
  ),
  figureColumn('95 % INTERVAL', 3, ({ picked }) =>
    rangeText(picked.vsUnpicked?.interval(LEVEL) ?? null),
  ),
  // The title has said that it is not known yet.
  textColumn('VERDICT', 0, verdictOfPicks, { has: ({ picked }) => picked.verdict !== 'unclear' }),
];

function medianText(picked: PicksData): string {
  return points(hasFigures(picked) ? picked.vsBtc.value : null);
}

/** Whether the picks of a line are of days enough for a figure. */
function hasFigures({ verdict }: PicksData): boolean {
  return verdict !== null && verdict !== 'too_few_days';
}

/** Whether the picks of all types together are compared on too few days, or not at all. */
function isBarelyCompared({ all, question }: PicksAnswer): boolean {
  return !hasFigures(all.picked.horizons[question.horizon]);
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
    const { verdict, vsUnpicked, explainedByBeta = 0 } = picked;
    if (vsUnpicked !== undefined && ANSWERS.has(verdict) && Math.abs(explainedByBeta) > LARGE_BETA)
      figures.push(`${name} ${points(vsUnpicked.value + explainedByBeta)}`);
  }
  if (figures.length === 0) return '';
  return `Some symbols move more than BTC whenever BTC moves. VS LET PASS leaves that part out; with it: ${figures.join(', ')}.`;
}

/** In which row each id of the file is, and what to do. */
function countsSection(page: PicksPage, render: RenderContext): Section {
  const { answer } = page;
  const { ids } = answer.picked;
  return {
    body: [
      render.pairs(rowsOfIds(answer)),
      // On a page without figures the offer stands at the head, because it is what to do first.
      !isBarelyCompared(answer) && buyPart(page, render),
      render.note(ids > 0 && PICKED_BEFORE),
    ],
  };
}

/** Rows whose numbers add up to the ids in the file: each id is in one of them, a repeated one once more. */
function rowsOfIds(answer: PicksAnswer): Pair[] {
  const { picked, question } = answer;
  const { repeatedLines } = question;
  const counts = pickCounts(picked);
  const lines = picked.ids + repeatedLines;
  if (lines === 0) return [['Picks', 'The file holds no id yet.']];
  // The table says how many are compared.
  const isInTable = !isBarelyCompared(answer);
  if (isInTable && counts.compared === lines) return [];
  const compared = isInTable ? '' : `, ${counts.compared} compared`;
  const rows: Pair[] = [['Picks', `${pluralize(lines, 'id')}${compared}`]];
  for (const place of objectKeys(UNCOMPARED)) {
    const number = counts[place];
    const { label, textOf } = UNCOMPARED[place];
    if (number > 0) rows.push([label, `${number}: ${textOf(picked, number)}`]);
  }
  if (repeatedLines > 0)
    rows.push(['Repeated', `${repeatedLines}: each id counts once, however often the file has it`]);
  return rows;
}
/** Why no pick is compared, the rows of the page say. */
const NONE_COMPARED =
  'No pick can be compared yet. A pick is compared with the cards of its type and day that you let pass; both need an outcome.';

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
      `no card of ${number === 1 ? 'its' : 'their'} type and day to compare with`,
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

/** How many picks an answer needs, and what to buy with which command line. Empty if there is an answer. */
function buyPart({ answer, buyCommand, ...page }: PicksPage, render: RenderContext): string {
  if (isAnswered(answer)) return '';
  const picksToCome = slowPicksOf(answer);
  if (picksToCome !== undefined) return render.note(slowText(picksToCome, answer));
  const { compared, not_bought: notBought } = pickCounts(answer.picked);
  const needs = `needs some ${picksNeeded(answer)}`;
  const needed = `An answer ${needs} compared picks, made over a month; you have ${compared}.`;
  if (notBought === 0) return render.note(needed);
  if (page.isBoughtByExports) {
    const waiting = `${pluralize(notBought, 'pick')} ${notBought === 1 ? 'waits' : 'wait'}`;
    return render.offer(`${needed} Exports buy the outcomes that ${waiting} for:`, buyCommand);
  }
  const purchase = purchaseOf(answer);
  if (!canBeAnswered(answer)) {
    const credits = pluralize(purchase.ids.length, 'credit');
    const morePicks = pluralize(purchase.picks, 'more pick');
    return render.note(
      `${credits} would let ${morePicks} be compared; an answer ${needs}, made over a month, so buy nothing yet.`,
    );
  }
  return render.offer(`${needed} ${purchaseText(purchase, page.idsInCommand)}:`, buyCommand);
}

/**
 * `An answer needs some 200 picks within 180 days that can be compared. At your pace you make some 70: no answer will
 * come, so buy nothing for it.`
 */
function slowText(picksToCome: number, answer: PicksAnswer): string {
  // Rounded down: up, it might be as many as an answer needs.
  const some = picksToCome < 10 ? 'fewer than 10' : `some ${Math.floor(picksToCome / 10) * 10}`;
  const needed = `An answer needs some ${picksNeeded(answer)} picks within ${PROSPECT_DAYS} days that can be compared`;
  const forecast = `At your pace you make ${some}`;
  return `${needed}. ${forecast}: no answer will come, so buy nothing for it.`;
}

/**
 * `160 credits compare 134 more picks (26 of the credits are for cards you let pass)`: what a purchase brings; then which part
 * of it the command line makes.
 */
function purchaseText({ ids, picks, partners }: PicksPurchase, idsInCommand: number): string {
  const credits = pluralize(ids.length, 'credit');
  const compare = ids.length === 1 ? 'compares' : 'compare';
  const letPass = `${partners} of the credits ${partners === 1 ? 'is' : 'are'} for cards you let pass`;
  const forOthers = partners === 0 ? '' : ` (${letPass})`;
  const sentences = [`${credits} ${compare} ${pluralize(picks, 'more pick')}${forOthers}`];
  if (idsInCommand < ids.length) sentences.push(`The first ${idsInCommand}`);
  if (idsInCommand > CREDITS_A_DAY)
    sentences.push(`A day has ${CREDITS_A_DAY} credits: run it each day until all are bought`);
  return sentences.join('. ');
}
