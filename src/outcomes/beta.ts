/**
 * How far each symbol moves with BTC: its slope, which the market calls beta. A symbol with the slope 1.4 rises by 2.8 % where
 * BTC rises by 2 %. These 0.8 percentage points say nothing of the screener, and are subtracted from the symbol's difference
 * to BTC.
 *
 * 1. The slope of a symbol is that of least squares, of its moves on BTC's moves, over the bought outcomes. Each type's mean
 *    is subtracted from both moves first.
 * 2. The slope of a symbol is then pulled towards the slope of its types. A symbol with few data is pulled far. It keeps this
 *    share of its distance from the slope of its types:
 *
 *        τ² / (τ² + s² / S)
 *
 *    S: the sum of squares of BTC's moves in the symbol's outcomes. s²: the variance of the residuals of all outcomes. τ²: the
 *    variance of the symbols' true distances, beyond the noise s² / S (DerSimonian & Laird 1986). With τ² = 0.04, s² = 9 and S
 *    = 150 it keeps 0.04 / (0.04 + 0.06) = 0.4: a slope of 2 whose type has 1.2 becomes 1.2 + 0.4 × 0.8 = 1.52.
 * 3. The slopes of types are pulled towards the slope of all outcomes in the same way. If symbols were pulled there directly,
 *    what the symbols of a type have in common would be lost.
 * 4. A type's slope that keeps the share k of its distance is wrong by k of the noise, and by 1 − k of the true distance. Its
 *    error has the variance
 *
 *        k² s² / S + (1 − k)² τ²
 *
 *    but not more than s² / S, the variance of a slope that is not pulled. A type without bought outcomes keeps nothing, and
 *    its error has the variance τ². With few outcomes τ² often comes out as 0, though types do differ: for the error it is at
 *    least `LEAST_VARIANCE`.
 */
import { mean, sum } from 'd3-array';
import type { HorizonName } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { dayNumber } from '../base/units.ts';
import { type HistoryCard, isMeasured } from './history-card.ts';

/** With fewer bought outcomes slopes would be noise: all symbols are then taken to move as BTC does. */
const LEAST_FOR_BETAS = 100;

/**
 * The least variance of the types' true slopes: their standard deviation is 0.25. Simulated with 60 bought outcomes, types
 * whose slopes vary by 0.3, and a BTC that rises by 0.8 % a day: if slopes are taken to be exact, 3 to 7 % of the 99.7 %
 * intervals miss; with this variance 0.5 % do.
 */
const LEAST_VARIANCE = 0.25 ** 2;

export interface Betas {
  /**
   * The part of a bought outcome's difference to BTC that the slope of its symbol explains, percentage points; 0 if BTC's move
   * is not known.
   */
  readonly explained: (card: HistoryCard) => number;
  /**
   * The part of the mean difference to BTC that slopes explain, over cards that may be bought or not, percentage points. For
   * each card BTC is taken to have moved by its mean move in the bought outcomes of the card's day; by 0 if there are none.
   */
  readonly explainedOf: (cards: readonly HistoryCard[]) => number;
  /** BTC's mean move over cards that may be bought or not, percent. BTC's move for each card is that of `explainedOf`. */
  readonly btcOf: (cards: readonly HistoryCard[]) => number;
  /** The variance of the error of a type's slope (step 4 above). */
  readonly slopeVariance: (type: string) => number;
  /** The mean slope of the symbols of cards: how many percent they move if BTC moves by one. */
  readonly slopeOf: (cards: readonly HistoryCard[]) => number;
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
  cards: readonly HistoryCard[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): Betas {
  const outcomes = movesIn(cards, horizon, btcSymbols);
  const { slopeOf, slopeVariance } = slopesOf(outcomes);
  const btcByDay = new Map<number, number>();
  for (const [day, ofDay] of groupBy(outcomes, ({ day }) => day))
    btcByDay.set(day, mean(ofDay, ({ btc }) => btc) ?? 0);
  const btcOn = ({ at }: HistoryCard) => btcByDay.get(dayNumber(at)) ?? 0;
  const explainedBy = (card: HistoryCard, btc: number) => (slopeOf(card) - 1) * btc;
  return {
    explained: (card) => explainedBy(card, card.outcomes?.[horizon].btc ?? 0),
    explainedOf: (someCards) => mean(someCards, (card) => explainedBy(card, btcOn(card))) ?? 0,
    btcOf: (someCards) => mean(someCards, btcOn) ?? 0,
    slopeVariance,
    slopeOf: (someCards) => mean(someCards, slopeOf) ?? 1,
  };
}

function movesIn(
  cards: readonly HistoryCard[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): OutcomeMoves[] {
  const moves: OutcomeMoves[] = [];
  for (const { type, symbol, at, outcomes } of cards) {
    const outcome = outcomes?.[horizon];
    if (outcome === undefined || !isMeasured(outcome) || btcSymbols.has(symbol)) continue;
    const { move, btc } = outcome;
    if (btc !== null) moves.push({ type, symbol, day: dayNumber(at), move, btc });
  }
  return moves;
}

/** The slope of each symbol, and how exact those of types are. */
interface Slopes {
  /** The slope of a card's symbol; the slope of its type if no outcome of the symbol is bought. */
  readonly slopeOf: (card: Pick<HistoryCard, 'symbol' | 'type'>) => number;
  readonly slopeVariance: Betas['slopeVariance'];
}

/** All symbols are taken to move as BTC does. */
const NO_SLOPES: Slopes = { slopeOf: () => 1, slopeVariance: () => LEAST_VARIANCE };

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
  const pulledTypes = pulledTowards(typeSlopes, () => slopeOfAll, residualVariance);
  const slopeOfType = (type: string) => pulledTypes.slopes.get(type)?.slope ?? slopeOfAll;
  const symbolSlopes = slopesBy(centred, ({ symbol }) => symbol);
  // A symbol may send cards of several types: each counts by the squares of BTC's moves in its outcomes.
  const slopeOfTypesOf = ({ moves, squares }: NamedSlope) =>
    sum(moves, ({ type, btc }) => btc ** 2 * slopeOfType(type)) / squares;
  const pulledSymbols = pulledTowards(symbolSlopes, slopeOfTypesOf, residualVariance);
  const varianceOfTypes = Math.max(pulledTypes.trueVariance, LEAST_VARIANCE);
  return {
    slopeOf: ({ symbol, type }) => pulledSymbols.slopes.get(symbol)?.slope ?? slopeOfType(type),
    slopeVariance: (type) => varianceOfError(pulledTypes.slopes.get(type), varianceOfTypes),
  };
}

/**
 * The variance of the error of a type's slope (step 4 above).
 * @param pulled undefined if no outcome of the type is bought
 * @param trueVariance τ²
 */
function varianceOfError(pulled: PulledSlope | undefined, trueVariance: number): number {
  if (pulled === undefined) return trueVariance;
  const { fractionKept, noise } = pulled;
  return Math.min(noise, fractionKept ** 2 * noise + (1 - fractionKept) ** 2 * trueVariance);
}

/** The slope of the outcomes of a symbol, or of a type. */
interface NamedSlope {
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
): NamedSlope[] {
  return [...groupBy(outcomes, nameOf)]
    .map(([name, moves]) => ({ name, moves, squares: squaresOf(moves), slope: slopeIn(moves) }))
    .filter(({ squares }) => squares > 0);
}

interface PulledSlope {
  readonly slope: number;
  /** How much of its distance from the expected slope it keeps, a fraction. */
  readonly fractionKept: number;
  /** The variance of its noise: s² / S. */
  readonly noise: number;
}

interface PulledSlopes {
  /** By the name of the symbol or type. */
  readonly slopes: ReadonlyMap<string, PulledSlope>;
  /** The variance of the true distances: τ². */
  readonly trueVariance: number;
}

/**
 * Pulls each slope towards the one that is expected of it (step 2 above).
 * @param residualVariance s²
 */
function pulledTowards(
  slopes: readonly NamedSlope[],
  expectedOf: (slope: NamedSlope) => number,
  residualVariance: number,
): PulledSlopes {
  const distances = slopes.map((named) => named.slope - expectedOf(named));
  const allSquares = sum(slopes, ({ squares }) => squares);
  // DerSimonian & Laird: τ² = (Σ S d² − s² (k − 1)) / (Σ S − Σ S² / Σ S), for k slopes at the distances d.
  const sumOfDistances = sum(slopes, ({ squares }, i) => squares * (distances[i] ?? 0) ** 2);
  const sumOfNoise = residualVariance * (slopes.length - 1);
  const denominator = allSquares - sum(slopes, ({ squares }) => squares ** 2) / allSquares;
  const slopesVary = denominator > 0 && sumOfDistances > sumOfNoise;
  const trueVariance = slopesVary ? (sumOfDistances - sumOfNoise) / denominator : 0;
  const pulled = new Map<string, PulledSlope>();
  for (const [i, named] of slopes.entries()) {
    const noise = residualVariance / named.squares;
    const fractionKept = trueVariance === 0 ? 0 : trueVariance / (trueVariance + noise);
    const slope = expectedOf(named) + fractionKept * (distances[i] ?? 0);
    pulled.set(named.name, { slope, fractionKept, noise });
  }
  return { slopes: pulled, trueVariance };
}

/** The moves minus their means, of the symbol and of BTC. */
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
