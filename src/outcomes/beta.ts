/**
 * How far each symbol moves with BTC (its beta). What beta explains of a difference to BTC says nothing of the screener, and
 * is taken off.
 *
 * 1. The slope of a symbol is that of least squares, of its moves on BTC's, over the bought outcomes. Each type's mean is
 *    taken off both moves before.
 * 2. The slope of a symbol is pulled towards the slope of its types: the fewer the data, the further. Of its own slope the
 *    symbol keeps the share
 *
 *        τ² / (τ² + s² / S)
 *
 *    S: the sum of squares of BTC's moves in the symbol's outcomes. s²: the variance of the residuals of all outcomes.
 *    τ²: how much the true slopes of symbols vary, beyond what s² / S explains (DerSimonian & Laird 1986).
 * 3. The slopes of types are pulled towards the slope of all outcomes in the same way. If symbols were pulled there
 *    directly, what the symbols of a type have in common would be lost.
 */
import { mean, sum } from 'd3-array';
import type { HorizonName } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { dayNumber } from '../base/units.ts';
import { isMeasured, type Row } from './row.ts';

/** With fewer bought outcomes all symbols are taken to move as BTC does. */
const LEAST_FOR_BETAS = 100;

export interface Betas {
  /** What beta explains of a bought outcome's difference to BTC, percentage points; 0 if BTC's move is not known. */
  readonly explained: (card: Row) => number;
  /**
   * What betas explain of the mean difference to BTC of listed cards, bought or not, percentage points. BTC's move of a card
   * is taken to be its mean move in the bought outcomes of the card's day.
   */
  readonly explainedOf: (cards: readonly Row[]) => number;
  /** BTC's mean move over listed cards, percent. It is taken for each card as in `explainedOf`. */
  readonly btcOf: (cards: readonly Row[]) => number;
  /** The variance of the error of a type's slope; 0 if all symbols are taken to move as BTC does. */
  readonly slopeVariance: (type: string) => number;
  /** The mean slope of the symbols of listed cards: how many percent they move if BTC moves by one. */
  readonly slopeOf: (cards: readonly Row[]) => number;
}

/** The moves of a bought outcome. */
interface OutcomeMoves {
  readonly type: string;
  readonly symbol: string;
  /** UTC day, counted from 1970. */
  readonly day: number;
  /** Percent. */
  readonly move: number;
  /** BTC's move in the same time, percent. */
  readonly btc: number;
}

/**
 * @param cards the cards of all types, under any settings
 * @param btcSymbols the symbols that are BTC itself: they are left out
 */
export function betasOf(
  cards: readonly Row[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): Betas {
  const outcomes = movesIn(cards, horizon, btcSymbols);
  const { slopeOf, slopeVariance } = slopesOf(outcomes);
  const btcByDay = new Map<number, number>();
  for (const [day, ofDay] of groupBy(outcomes, ({ day }) => day))
    btcByDay.set(day, mean(ofDay, ({ btc }) => btc) ?? 0);
  const btcOn = ({ at }: Row) => btcByDay.get(dayNumber(at)) ?? 0;
  const explainedBy = (card: Row, btc: number) => (slopeOf(card) - 1) * btc;
  return {
    explained: (card) => explainedBy(card, card.measured?.[horizon].btc ?? 0),
    explainedOf: (listed) => mean(listed, (card) => explainedBy(card, btcOn(card))) ?? 0,
    btcOf: (listed) => mean(listed, btcOn) ?? 0,
    slopeVariance,
    slopeOf: (listed) => mean(listed, slopeOf) ?? 1,
  };
}

function movesIn(
  cards: readonly Row[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): OutcomeMoves[] {
  const outcomes: OutcomeMoves[] = [];
  for (const { type, symbol, at, measured } of cards) {
    const outcome = measured?.[horizon];
    if (outcome === undefined || !isMeasured(outcome) || btcSymbols.has(symbol)) continue;
    const { move, btc } = outcome;
    if (btc !== null) outcomes.push({ type, symbol, day: dayNumber(at), move, btc });
  }
  return outcomes;
}

interface Slopes {
  /** The slope of a card's symbol; of its type if no outcome of the symbol is bought. */
  readonly slopeOf: (card: Pick<Row, 'symbol' | 'type'>) => number;
  readonly slopeVariance: Betas['slopeVariance'];
}

/** All symbols move as BTC does. */
const NO_SLOPES: Slopes = { slopeOf: () => 1, slopeVariance: () => 0 };

function slopesOf(outcomes: readonly OutcomeMoves[]): Slopes {
  if (outcomes.length < LEAST_FOR_BETAS) return NO_SLOPES;
  const types = groupBy(outcomes, ({ type }) => type);
  const centred = [...types.values()].flatMap(withoutMeans);
  // Each type's mean takes one degree of freedom, and the slope of all one more: with none left the residuals have no variance.
  const degreesOfFreedom = centred.length - types.size - 1;
  if (squaresOf(centred) === 0 || degreesOfFreedom < 1) return NO_SLOPES;
  const slopeOfAll = slopeIn(centred);
  const residuals = centred.map(({ move, btc }) => move - slopeOfAll * btc);
  const residualVariance = sum(residuals, (residual) => residual ** 2) / degreesOfFreedom;
  const typeSlopes = slopesBy(centred, ({ type }) => type);
  const pulledByType = pulledTowards(typeSlopes, () => slopeOfAll, residualVariance);
  const slopeOfType = (type: string) => pulledByType.get(type) ?? slopeOfAll;
  const symbolSlopes = slopesBy(centred, ({ symbol }) => symbol);
  // A symbol may send cards of several types: each counts by the squares of BTC's moves in its outcomes.
  const slopeOfTypesOf = ({ moves, squares }: Slope) =>
    sum(moves, ({ type, btc }) => btc ** 2 * slopeOfType(type)) / squares;
  const pulledBySymbol = pulledTowards(symbolSlopes, slopeOfTypesOf, residualVariance);
  const squaresByType = new Map(typeSlopes.map(({ name, squares }) => [name, squares]));
  return {
    slopeOf: ({ symbol, type }) => pulledBySymbol.get(symbol) ?? slopeOfType(type),
    slopeVariance: (type) =>
      residualVariance / (squaresByType.get(type) ?? Number.POSITIVE_INFINITY),
  };
}

/** The slope of the outcomes of a symbol, or of a type. */
interface Slope {
  /** The symbol, or the type. */
  readonly name: string;
  readonly moves: readonly OutcomeMoves[];
  /** The sum of squares of BTC's moves: S. */
  readonly squares: number;
  readonly slope: number;
}

function slopesBy(
  outcomes: readonly OutcomeMoves[],
  nameOf: (outcome: OutcomeMoves) => string,
): Slope[] {
  return [...groupBy(outcomes, nameOf)]
    .map(([name, moves]) => ({ name, moves, squares: squaresOf(moves), slope: slopeIn(moves) }))
    .filter(({ squares }) => squares > 0);
}

/**
 * Pulls each slope towards the one that is expected of it (step 2 above).
 * @param residualVariance s²
 * @returns the pulled slopes, by name
 */
function pulledTowards(
  slopes: readonly Slope[],
  expectedOf: (slope: Slope) => number,
  residualVariance: number,
): ReadonlyMap<string, number> {
  const distances = slopes.map((slope) => slope.slope - expectedOf(slope));
  const allSquares = sum(slopes, ({ squares }) => squares);
  // DerSimonian & Laird: what the squared distances sum up to beyond the noise, for each unit of τ² in that sum.
  const sumOfDistances = sum(slopes, ({ squares }, i) => squares * (distances[i] ?? 0) ** 2);
  const sumOfNoise = residualVariance * (slopes.length - 1);
  const sumOfOneUnit = allSquares - sum(slopes, ({ squares }) => squares ** 2) / allSquares;
  const slopesVary = sumOfOneUnit > 0 && sumOfDistances > sumOfNoise;
  const trueVariance = slopesVary ? (sumOfDistances - sumOfNoise) / sumOfOneUnit : 0;
  const pulled = new Map<string, number>();
  for (const [i, slope] of slopes.entries()) {
    const noise = residualVariance / slope.squares;
    const weightOfOwnSlope = trueVariance === 0 ? 0 : trueVariance / (trueVariance + noise);
    pulled.set(slope.name, expectedOf(slope) + weightOfOwnSlope * (distances[i] ?? 0));
  }
  return pulled;
}

/** The moves less their means, of the symbol and of BTC. */
function withoutMeans(outcomes: readonly OutcomeMoves[]): OutcomeMoves[] {
  const meanMove = mean(outcomes, ({ move }) => move) ?? 0;
  const meanOfBtc = mean(outcomes, ({ btc }) => btc) ?? 0;
  return outcomes.map((outcome) => ({
    ...outcome,
    move: outcome.move - meanMove,
    btc: outcome.btc - meanOfBtc,
  }));
}

const squaresOf = (outcomes: readonly OutcomeMoves[]): number =>
  sum(outcomes, ({ btc }) => btc ** 2);

const slopeIn = (outcomes: readonly OutcomeMoves[]): number =>
  sum(outcomes, ({ move, btc }) => move * btc) / squaresOf(outcomes);
