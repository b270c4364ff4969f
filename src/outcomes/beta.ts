/**
 * How far each symbol moves with BTC: what it explains of a difference to BTC says nothing of the screener.
 *
 * β of a symbol is the least-squares slope of its moves on BTC's over the bought outcomes, each type's mean taken off both.
 * It is drawn towards the slope of all by τ² / (τ² + s²/S): S the sum of squares of BTC's moves there, s² the variance of
 * the residuals of all, τ² that of the symbols' slopes beyond s²/S (DerSimonian & Laird 1986).
 */
import { mean, sum } from 'd3-array';
import type { HorizonName } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { dayNumber } from '../runtime/units.ts';
import { isMeasured, type Row } from './row.ts';

/** Bought outcomes from which on slopes are told. */
const LEAST_OUTCOMES = 100;

export interface Betas {
  /** Percentage points of a bought outcome's difference to BTC; 0 where BTC's move is not known. */
  readonly explained: (card: Row) => number;
  /** Percentage points: the mean over listed cards, bought or not, by BTC's mean move on the bought cards of their days. */
  readonly explainedOf: (cards: readonly Row[]) => number;
  /** How much the symbols of listed cards move with BTC: the mean of their slopes. */
  readonly slopeOf: (cards: readonly Row[]) => number;
}

/** A bought outcome. */
interface Moves {
  readonly type: string;
  readonly symbol: string;
  /** UTC day, counted from 1970. */
  readonly day: number;
  /** Percent. */
  readonly move: number;
  readonly btc: number;
}

/** @param cards of all types, under any settings @param ofBtc the symbols that are BTC itself: they are left out */
export function betasOf(
  cards: readonly Row[],
  horizon: HorizonName,
  ofBtc: ReadonlySet<string>,
): Betas {
  const outcomes = movesIn(cards, horizon, ofBtc);
  const slopeOfSymbol = slopesOf(outcomes);
  const btcOn = new Map<number, number>();
  for (const [day, ofDay] of groupBy(outcomes, (one) => one.day))
    btcOn.set(day, mean(ofDay, ({ btc }) => btc) ?? 0);
  const explainedBy = (symbol: string, btc: number) => (slopeOfSymbol(symbol) - 1) * btc;
  return {
    explained: ({ symbol, measured }) => explainedBy(symbol, measured?.[horizon].btc ?? 0),
    explainedOf: (listed) =>
      mean(listed, ({ symbol, at }) => explainedBy(symbol, btcOn.get(dayNumber(at)) ?? 0)) ?? 0,
    slopeOf: (listed) => mean(listed, ({ symbol }) => slopeOfSymbol(symbol)) ?? 1,
  };
}

function movesIn(cards: readonly Row[], horizon: HorizonName, ofBtc: ReadonlySet<string>): Moves[] {
  const outcomes: Moves[] = [];
  for (const { type, symbol, at, measured } of cards) {
    const outcome = measured?.[horizon];
    if (outcome === undefined || !isMeasured(outcome) || ofBtc.has(symbol)) continue;
    const { move, btc } = outcome;
    if (btc !== null) outcomes.push({ type, symbol, day: dayNumber(at), move, btc });
  }
  return outcomes;
}

/** @returns the slope of each symbol: 1 if too little is bought, that of all for a symbol of which nothing is */
function slopesOf(outcomes: readonly Moves[]): (symbol: string) => number {
  if (outcomes.length < LEAST_OUTCOMES) return () => 1;
  const types = groupBy(outcomes, ({ type }) => type);
  const centred = [...types.values()].flatMap(withoutMeans);
  const ofSymbols = [...groupBy(centred, ({ symbol }) => symbol)]
    .map(([symbol, own]) => ({ symbol, squares: squaresOf(own), slope: slopeIn(own) }))
    .filter(({ squares }) => squares > 0);
  const all = sum(ofSymbols, ({ squares }) => squares);
  if (all === 0) return () => 1;
  const pooled = slopeIn(centred);
  const residual =
    sum(centred, ({ move, btc }) => (move - pooled * btc) ** 2) / (centred.length - types.size - 1);
  const excess =
    sum(ofSymbols, ({ squares, slope }) => squares * (slope - pooled) ** 2) -
    residual * (ofSymbols.length - 1);
  const scale = all - sum(ofSymbols, ({ squares }) => squares ** 2) / all;
  const between = scale > 0 ? Math.max(0, excess / scale) : 0;
  const drawn = new Map(
    ofSymbols.map(({ symbol, squares, slope }) => {
      const kept = between === 0 ? 0 : between / (between + residual / squares);
      return [symbol, pooled + kept * (slope - pooled)];
    }),
  );
  return (symbol) => drawn.get(symbol) ?? pooled;
}

function withoutMeans(outcomes: readonly Moves[]): Moves[] {
  const ofMoves = mean(outcomes, ({ move }) => move) ?? 0;
  const ofBtc = mean(outcomes, ({ btc }) => btc) ?? 0;
  return outcomes.map((one) => ({ ...one, move: one.move - ofMoves, btc: one.btc - ofBtc }));
}

const squaresOf = (outcomes: readonly Moves[]): number => sum(outcomes, ({ btc }) => btc ** 2);

const slopeIn = (outcomes: readonly Moves[]): number =>
  sum(outcomes, ({ move, btc }) => move * btc) / squaresOf(outcomes);
