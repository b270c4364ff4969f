/**
 * How far each symbol moves with BTC: what it explains of a difference to BTC says nothing of the screener.
 *
 * β of a symbol is the least-squares slope of its moves on BTC's over the bought outcomes, each type's mean taken off both.
 * It is drawn towards the slope of its types by τ² / (τ² + s²/S): S the sum of squares of BTC's moves there, s² the variance
 * of the residuals of all, τ² that of the symbols' slopes beyond s²/S (DerSimonian & Laird 1986). The slopes of types are
 * drawn towards that of all likewise: what the symbols of a type have in common would be lost if they were drawn to all.
 */
import { mean, sum } from 'd3-array';
import type { HorizonName } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { dayNumber } from '../base/units.ts';
import { isMeasured, type Row } from './row.ts';

/** With fewer bought outcomes all slopes are taken to be 1. */
const LEAST_OUTCOMES = 100;

export interface Betas {
  /** What beta explains of a bought outcome's difference to BTC, percentage points; 0 if BTC's move is not known. */
  readonly explained: (card: Row) => number;
  /**
   * What betas explain of the mean difference of listed cards, bought or not, percentage points: by BTC's mean move in the
   * bought outcomes of their days.
   */
  readonly explainedOf: (cards: readonly Row[]) => number;
  /** The mean, over listed cards, of BTC's mean move in the bought outcomes of their days, percent. */
  readonly btcOf: (cards: readonly Row[]) => number;
  /** The variance of the slope that the symbols of a type have in common; 0 if all slopes are taken to be 1. */
  readonly slopeVariance: (type: string) => number;
  /** How much the symbols of listed cards move with BTC: the mean of their slopes. */
  readonly slopeOf: (cards: readonly Row[]) => number;
}

/** The moves of a bought outcome. */
interface Moves {
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
): Moves[] {
  const outcomes: Moves[] = [];
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

/** If too little is bought, all symbols are taken to move as BTC does. */
const NO_SLOPES: Slopes = { slopeOf: () => 1, slopeVariance: () => 0 };

function slopesOf(outcomes: readonly Moves[]): Slopes {
  if (outcomes.length < LEAST_OUTCOMES) return NO_SLOPES;
  const types = groupBy(outcomes, ({ type }) => type);
  const centred = [...types.values()].flatMap(withoutMeans);
  // Each type's mean takes one outcome, and the pooled slope one more: with none left the residuals have no variance.
  const degreesOfFreedom = centred.length - types.size - 1;
  if (squaresOf(centred) === 0 || degreesOfFreedom < 1) return NO_SLOPES;
  const pooled = slopeIn(centred);
  const residual = sum(centred, ({ move, btc }) => (move - pooled * btc) ** 2) / degreesOfFreedom;
  const ofTypes = slopesBy(centred, ({ type }) => type);
  const slopeOfType = drawn(ofTypes, () => pooled, residual);
  const typeSlope = (type: string) => slopeOfType.get(type) ?? pooled;
  const ofSymbols = slopesBy(centred, ({ symbol }) => symbol);
  const slopeOfItsTypes = ({ moves, squares }: Slope) =>
    sum(moves, ({ type, btc }) => btc ** 2 * typeSlope(type)) / squares;
  const slopeOfSymbol = drawn(ofSymbols, slopeOfItsTypes, residual);
  const squaresOfType = new Map(ofTypes.map(({ name, squares }) => [name, squares]));
  return {
    slopeOf: ({ symbol, type }) => slopeOfSymbol.get(symbol) ?? typeSlope(type),
    slopeVariance: (type) => residual / (squaresOfType.get(type) ?? Number.POSITIVE_INFINITY),
  };
}

/** The slope of some outcomes, a symbol's or a type's. */
interface Slope {
  readonly name: string;
  readonly moves: readonly Moves[];
  /** Sum of squares of BTC's moves. */
  readonly squares: number;
  readonly slope: number;
}

function slopesBy(outcomes: readonly Moves[], nameOf: (outcome: Moves) => string): Slope[] {
  return [...groupBy(outcomes, nameOf)]
    .map(([name, moves]) => ({ name, moves, squares: squaresOf(moves), slope: slopeIn(moves) }))
    .filter(({ squares }) => squares > 0);
}

/**
 * Draws each slope towards what is expected of it.
 * @param residual the variance of the residuals of all outcomes
 */
function drawn(
  slopes: readonly Slope[],
  expected: (slope: Slope) => number,
  residual: number,
): ReadonlyMap<string, number> {
  const distances = slopes.map((slope) => slope.slope - expected(slope));
  const all = sum(slopes, ({ squares }) => squares);
  const excess =
    sum(slopes, ({ squares }, i) => squares * (distances[i] ?? 0) ** 2) -
    residual * (slopes.length - 1);
  const scale = all - sum(slopes, ({ squares }) => squares ** 2) / all;
  const between = scale > 0 ? Math.max(0, excess / scale) : 0;
  return new Map(
    slopes.map((slope, i) => {
      const kept = between === 0 ? 0 : between / (between + residual / slope.squares);
      return [slope.name, expected(slope) + kept * (distances[i] ?? 0)];
    }),
  );
}

function withoutMeans(outcomes: readonly Moves[]): Moves[] {
  const meanMove = mean(outcomes, ({ move }) => move) ?? 0;
  const meanOfBtc = mean(outcomes, ({ btc }) => btc) ?? 0;
  return outcomes.map((moves) => ({
    ...moves,
    move: moves.move - meanMove,
    btc: moves.btc - meanOfBtc,
  }));
}

const squaresOf = (outcomes: readonly Moves[]): number => sum(outcomes, ({ btc }) => btc ** 2);

const slopeIn = (outcomes: readonly Moves[]): number =>
  sum(outcomes, ({ move, btc }) => move * btc) / squaresOf(outcomes);
