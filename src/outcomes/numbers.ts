/**
 * Which numbers at the trigger are tested, and what the tests say. The tests of all types' numbers after one horizon are
 * adjusted together (Holm), because a reader looks at all of them at once.
 */
import { blockLengthsOf, type HorizonName } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { type Columns, columnsOf } from '../statistics/clusters.ts';
import { type Estimate, UNKNOWN } from '../statistics/estimate.ts';
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
  linesOfNumbers,
  type NotebookVerdict,
  type NumberFinding,
  numberId,
  presentVerdict,
} from './findings.ts';
import { type HistoryCard, numberAt } from './history-card.ts';
import { presentRate } from './rate.ts';

/** The chance that at least one number of an account passes its test, though no number is telling. */
export const NUMBERS_LEVEL = 0.05;

/** What numbers are tested on. Times are epoch milliseconds UTC. */
export interface NumbersEvidence {
  /** Cards of all types, bought or not, in any order. */
  readonly cards: readonly HistoryCard[];
  /** The cards whose outcomes count. Exports count only days on which all outcomes are due, pages every measured outcome. */
  readonly settled: readonly HistoryCard[];
  /** When each type's present settings began: its older cards serve only as other types' comparison. */
  readonly settingsSince: ReadonlyMap<string, number>;
  /**
   * Since when each type has been switched on under these settings without a break; undefined if that is `settingsSince` for
   * all types.
   */
  readonly inUseSince?: ReadonlyMap<string, number> | undefined;
  /** The notebook, oldest first; empty if the question is the user's own. */
  readonly findings: readonly Finding[];
  /** The end of the history. */
  readonly until: number;
}

/** A number that a type's cards have at their trigger, taken with its sign or without. */
interface NumberOfType {
  readonly type: string;
  /** Its name in `entry_context`. */
  readonly key: string;
  /** Whether its size without the sign is meant. */
  readonly absolute: boolean;
  /** Whether at least half of the bought cards have it. Otherwise it is not tested. */
  readonly isOftenGiven: boolean;
  /** Whether at least `LEAST_SIDE` of its values lie on each side of zero; false for a number without its sign. */
  readonly hasTwoSides: boolean;
  /** What the notebook says of it under the present settings; undefined if nothing. */
  readonly inNotebook: NotebookVerdict<NumberFinding> | undefined;
}

/** The cards that a number is tested on. */
interface TestedCards {
  /** The type's cards of present settings that have the number and a measured difference to BTC, oldest day first. */
  readonly cards: readonly Difference[];
  /** The number of each of these cards, in the same order. */
  readonly values: Float64Array;
  /** The same cards as the statistics take them. */
  readonly columns: Columns;
  /** Why there is no test; undefined if there is one. */
  readonly noTest: NoTest | 'rarely_given' | undefined;
}

/** Whether a number of a type's cards goes with their outcomes, after one horizon. */
export interface NumberTest extends NumberOfType, TestedCards {
  readonly horizon: HorizonName;
  /** The rank correlation, adjusted for all numbers of all types; without a test its value is NaN. */
  readonly estimate: FamilyEstimate;
  /** The type's cards a day under its present settings; days without a card count. */
  readonly cardsPerDay: number;
  /** For each card of any type, its difference to the other types' cards of its day (`differencesToOtherTypes`). */
  readonly differenceToOthers: ReadonlyMap<HistoryCard, Difference>;
}

/** A test of one number, and its rank correlation before that is adjusted for all other numbers. */
interface UnadjustedTest {
  readonly test: Omit<NumberTest, 'estimate'>;
  readonly rankCorrelation: Estimate;
}

/** The tests of all numbers of all types after one horizon, type by type. */
export function numberTests(evidence: NumbersEvidence, horizon: HorizonName): NumberTest[] {
  const { cards, settled, settingsSince, inUseSince = settingsSince, findings, until } = evidence;
  const btcSymbols = symbolsOfBtc(settled);
  const differenceToOthers = differencesToOtherTypes(settled, horizon, btcSymbols);
  const settledOf = groupBy(settled, ({ type }) => type);
  const lines = linesOfNumbers(findings);
  const firstCardAt = cards.reduce((oldest, { at }) => Math.min(oldest, at), until);
  const tests: UnadjustedTest[] = [];
  for (const [type, cardsOfType] of groupBy(cards, (card) => card.type)) {
    const since = settingsSince.get(type);
    const hasPresentSettings = ({ at }: HistoryCard) => since === undefined || at >= since;
    const rate = presentRate(cardsOfType, until, {
      historyBegins: firstCardAt,
      inUseSince: inUseSince.get(type),
    });
    const rows = (settledOf.get(type) ?? []).filter(hasPresentSettings);
    const differences = differencesOf(rows, horizon, btcSymbols);
    const oldestDayFirst = differences.toSorted((a, b) => a.day - b.day);
    const inNotebookOf = (key: string, absolute: boolean) =>
      presentVerdict(lines.get(numberId({ type, number: key, absolute })), since);
    for (const number of numbersOf(type, rows, inNotebookOf)) {
      const { tested, rankCorrelation } = rankTestOf(number, oldestDayFirst, horizon);
      const test = { ...number, ...tested, horizon, cardsPerDay: rate.perDay, differenceToOthers };
      tests.push({ test, rankCorrelation });
    }
  }
  const estimates = judgeFamily(
    tests.map(({ rankCorrelation }) => rankCorrelation),
    NUMBERS_LEVEL,
  );
  return tests.map(({ test }, i) => ({ ...test, estimate: estimates[i] as FamilyEstimate }));
}

/**
 * For each card: its difference to the other types' cards of its day, minus what the slope of its symbol explains (`Betas`). If
 * there is only one type: its difference to BTC, minus the same.
 * @param cards of all types
 */
function differencesToOtherTypes(
  cards: readonly HistoryCard[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): ReadonlyMap<HistoryCard, Difference> {
  const betas = betasOf(cards, horizon, btcSymbols);
  const toBtc = withoutBeta(differencesOf(cards, horizon, btcSymbols), betas);
  const types = new Set(toBtc.map(({ card }) => card.type));
  const differences = types.size < 2 ? toBtc : differencesToOthers(toBtc, ({ type }) => type);
  return new Map(differences.map((difference) => [difference.card, difference]));
}

/** A number has two sides if at least this share of its values lies on each side of zero. */
const LEAST_SIDE = 1 / 5;

/**
 * The numbers of a type. A number comes a second time, without its sign, if it has two sides, or if the notebook says that
 * it is telling without its sign.
 * @param rows the type's cards of present settings
 * @param inNotebookOf what the notebook says of a number
 */
function numbersOf(
  type: string,
  rows: readonly HistoryCard[],
  inNotebookOf: (key: string, absolute: boolean) => NotebookVerdict<NumberFinding> | undefined,
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
    const isOftenGiven = values.length >= bought.length / 2;
    numbers.push({
      type,
      key,
      absolute: false,
      isOftenGiven,
      hasTwoSides,
      inNotebook: inNotebookOf(key, false),
    });
    const withoutSign = inNotebookOf(key, true);
    if (!hasTwoSides && !isTelling(withoutSign?.line)) continue;
    numbers.push({
      type,
      key,
      absolute: true,
      isOftenGiven,
      hasTwoSides: false,
      inNotebook: withoutSign,
    });
  }
  return numbers;
}

/** Which values of a number go with better outcomes. */
export type BetterSide = 'higher' | 'lower';

/** A line that names a number as telling, with the cut that uses it. */
export type TellingFinding = NumberFinding & {
  readonly verdict: BetterSide;
  readonly cut: NonNullable<NumberFinding['cut']>;
};

/** Whether a line says that its number is telling. */
export function isTelling(line: NumberFinding | undefined): line is TellingFinding {
  return line !== undefined && line.verdict !== 'unclear' && line.cut !== null;
}

/** Which values of a number are better; undefined if its test, adjusted for all numbers of all types, does not pass. */
export function betterSideOf({ estimate }: NumberTest): BetterSide | undefined {
  const { value, adjusted } = estimate;
  if (adjusted === undefined || adjusted.p >= NUMBERS_LEVEL) return undefined;
  return value > 0 ? 'higher' : 'lower';
}

/** @param differences the type's differences to BTC, oldest day first */
function rankTestOf(
  { key, absolute, isOftenGiven }: NumberOfType,
  differences: readonly Difference[],
  horizon: HorizonName,
): { readonly tested: TestedCards; readonly rankCorrelation: Estimate } {
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
  const test = isOftenGiven ? rankTest(columns, values, blockLengthsOf(horizon)) : 'rarely_given';
  if (typeof test === 'string')
    return { tested: { cards, values, columns, noTest: test }, rankCorrelation: UNKNOWN };
  return { tested: { cards, values, columns, noTest: undefined }, rankCorrelation: test };
}
