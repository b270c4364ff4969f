/**
 * Which numbers at the trigger are tested, and what the tests say. The numbers of all types are one family of Holm's at
 * each horizon, because a reader looks at all of them at a time.
 */
import { blocksOf, type HorizonName } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { type Columns, columnsOf } from '../statistics/clusters.ts';
import { type Estimate, LEVEL, UNKNOWN } from '../statistics/estimate.ts';
import { type FamilyEstimate, judgeFamily } from '../statistics/holm.ts';
import { type NoTest, rankTest } from '../statistics/rank-test.ts';
import { betasOf } from './beta.ts';
import {
  type Difference,
  differencesOf,
  differencesToOthers,
  symbolsOfBtc,
  withoutBeta,
} from './differences.ts';
import {
  type Finding,
  type Found,
  foundOf,
  linesOfNumbers,
  type NumberFinding,
  numberId,
} from './findings.ts';
import { cardsPerDay } from './rate.ts';
import { numberAt, type Row } from './row.ts';

/** The level of all numbers of an account together. */
const NUMBERS_LEVEL = 0.05;

/** What numbers are tested on. Times are epoch milliseconds UTC. */
export interface NumbersEvidence {
  /** Of all types, bought or not, in any order. */
  readonly cards: readonly Row[];
  /** Those of them whose outcomes count. */
  readonly settled: readonly Row[];
  /** Present settings of a type since then: its older cards count as others only. */
  readonly settingsSince: ReadonlyMap<string, number>;
  /** The notebook, oldest first; empty for a question of one's own. */
  readonly findings: readonly Finding[];
  /** The end of the history. */
  readonly until: number;
}

/** A number at the trigger of a type's cards, or its size. */
interface NumberOfType {
  readonly type: string;
  /** Its name in `entry_context`. */
  readonly key: string;
  /** Whether its size without the sign is meant. */
  readonly absolute: boolean;
  /** Whether half of the bought cards have it: a number that is seldom given is not tested. */
  readonly isUsual: boolean;
  /** Whether a fifth or more of its values lie on each side of zero; its size has no sides. */
  readonly hasTwoSides: boolean;
  /** What the notebook has of it under present settings. */
  readonly found: Found<NumberFinding> | undefined;
}

/** A number of a type, and how it goes with what came after one horizon. */
export interface NumberTest extends NumberOfType {
  readonly horizon: HorizonName;
  /** Cards of present settings that have the number and a measured difference to BTC, by day. */
  readonly cards: readonly Difference[];
  /** The number of each of them. */
  readonly values: Float64Array;
  /** The same cards as the statistics take them. */
  readonly columns: Columns;
  /** Why there is no test; undefined if there is. */
  readonly noTest: NoTest | 'rarely_given' | undefined;
  /** The rank correlation, adjusted for all numbers of all types; without a test it is unknown. */
  readonly estimate: FamilyEstimate;
  /** Of the type under present settings, silent days counted. */
  readonly cardsPerDay: number;
  /** Differences to the other types' cards of the day, by card; to BTC if there is no other type. */
  readonly beside: ReadonlyMap<Row, Difference>;
}

/** The family of one horizon, type by type. */
export function numberTests(evidence: NumbersEvidence, horizon: HorizonName): NumberTest[] {
  const { cards, settled, settingsSince, findings, until } = evidence;
  const ofBtc = symbolsOfBtc(settled);
  const beside = besideOthers(settled, horizon, ofBtc);
  const settledOf = groupBy(settled, ({ type }) => type);
  const lines = linesOfNumbers(findings);
  const firstCard = cards.reduce((oldest, { at }) => Math.min(oldest, at), until);
  const ranked: UnjudgedNumber[] = [];
  for (const [type, cardsOfType] of groupBy(cards, (card) => card.type)) {
    const since = settingsSince.get(type);
    const isPresent = ({ at }: Row) => since === undefined || at >= since;
    const rate = cardsPerDay(cardsOfType.filter(isPresent), until, {
      since: Math.max(since ?? firstCard, firstCard),
    });
    const rows = (settledOf.get(type) ?? []).filter(isPresent);
    const differences = differencesOf(rows, horizon, ofBtc);
    const byDay = differences.toSorted((one, other) => one.day - other.day);
    const foundAs = (key: string, absolute: boolean) =>
      foundOf(lines.get(numberId({ type, number: key, absolute })), since);
    for (const number of numbersOf(type, rows, foundAs)) {
      const test = rankedBy(number, byDay, horizon);
      ranked.push({ ...number, horizon, beside, cardsPerDay: rate, ...test });
    }
  }
  const family = judgeFamily(
    ranked.map(({ rankCorrelation, ...number }) => ({ ...rankCorrelation, number })),
    NUMBERS_LEVEL,
  );
  return family.map(({ number, ...estimate }) => ({ ...number, estimate }));
}

/** A number with its own test, before it is adjusted for all others. */
type UnjudgedNumber = Omit<NumberTest, 'estimate'> & Pick<Ranked, 'rankCorrelation'>;

/**
 * Differences to the other types' cards of the day, less what betas explain, by card; to BTC if there is no other type.
 * @param cards of all types
 */
export function besideOthers(
  cards: readonly Row[],
  horizon: HorizonName,
  ofBtc: ReadonlySet<string>,
): ReadonlyMap<Row, Difference> {
  const betas = betasOf(cards, horizon, ofBtc);
  const differences = withoutBeta(differencesOf(cards, horizon, ofBtc), betas);
  const types = new Set(differences.map(({ card }) => card.type));
  const compared =
    types.size < 2 ? differences : differencesToOthers(differences, ({ type }) => type);
  return new Map(compared.map((difference) => [difference.card, difference]));
}

/** The least share of values on a side of zero for it to be a side. */
const LEAST_SIDE = 1 / 5;

/**
 * The numbers of a type, each also as its size where it has two sides, or where the notebook found it so.
 * @param rows of present settings
 */
function numbersOf(
  type: string,
  rows: readonly Row[],
  foundAs: (key: string, absolute: boolean) => Found<NumberFinding> | undefined,
): NumberOfType[] {
  const bought = rows.filter(({ isBought }) => isBought);
  const names = new Set(bought.flatMap(({ context }) => Object.keys(context ?? {})));
  const numbers: NumberOfType[] = [];
  for (const key of names) {
    const values = bought.map((card) => numberAt(card, key)).filter((value) => value !== undefined);
    if (values.length === 0) continue;
    const above = values.filter((value) => value > 0).length;
    const below = values.filter((value) => value < 0).length;
    const hasTwoSides = Math.min(above, below) >= LEAST_SIDE * values.length;
    const isUsual = values.length >= bought.length / 2;
    const found = foundAs(key, false);
    const foundAsSize = foundAs(key, true);
    numbers.push({ type, key, absolute: false, isUsual, hasTwoSides, found });
    if (hasTwoSides || isFound(foundAsSize?.last)) {
      const size = { absolute: true, hasTwoSides: false, found: foundAsSize };
      numbers.push({ type, key, isUsual, ...size });
    }
  }
  return numbers;
}

/** Higher numbers are better, or lower ones. */
export type Telling = 'higher' | 'lower';

/** A line that names a number as telling, with the cut that uses it. */
export type FoundNumber = NumberFinding & {
  readonly verdict: Telling;
  readonly cut: NonNullable<NumberFinding['cut']>;
};

/** Earlier programs wrote numbers without a cut, too: those are no findings. */
export function isFound(line: NumberFinding | undefined): line is FoundNumber {
  return line !== undefined && line.verdict !== 'unclear' && line.cut !== null;
}

/** Whether a number passes among all numbers of all types, and which of its values are better. */
export function passes({ estimate }: NumberTest): Telling | undefined {
  const { value, adjusted } = estimate;
  if (adjusted === undefined || adjusted.p >= NUMBERS_LEVEL) return undefined;
  return value > 0 ? 'higher' : 'lower';
}

/** Whether the test of the number alone still passes on the side on which it was found. */
export function stillTells({ estimate }: NumberTest, { verdict }: FoundNumber): boolean {
  const { value, p } = estimate;
  const side: Telling = value > 0 ? 'higher' : 'lower';
  return p !== null && p < LEVEL && side === verdict;
}

/** What the test of a number alone says. */
type Ranked = Pick<NumberTest, 'cards' | 'values' | 'columns' | 'noTest'> & {
  readonly rankCorrelation: Estimate;
};

/** @param differences of the type to BTC, by day */
function rankedBy(
  { key, absolute, isUsual }: NumberOfType,
  differences: readonly Difference[],
  horizon: HorizonName,
): Ranked {
  const cards: Difference[] = [];
  const numbers: number[] = [];
  for (const difference of differences) {
    const number = numberAt(difference.card, key);
    if (number === undefined) continue;
    cards.push(difference);
    numbers.push(absolute ? Math.abs(number) : number);
  }
  const columns = columnsOf(cards);
  const values = new Float64Array(numbers);
  const test = isUsual ? rankTest(columns, values, blocksOf(horizon)) : 'rarely_given';
  return typeof test === 'string'
    ? { cards, values, columns, noTest: test, rankCorrelation: UNKNOWN }
    : { cards, values, columns, noTest: undefined, rankCorrelation: test };
}
