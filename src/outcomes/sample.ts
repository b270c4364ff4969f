/** One horizon of a group of cards, as far as it needs no other group: what the figures are made of. */
import { dayNumber } from '../runtime/units.ts';
import { type Clustered, clusteredMedian, clusteredMedianSize, intervalWithMissing } from './clustered-median.ts';
import { differenceOf } from './differences.ts';
import { LEVEL } from './holm.ts';
import { isMeasured, type Row } from './row.ts';
import type { HorizonName } from './types.ts';

/** What was measured, and what not. */
function gathered(rows: readonly Row[], name: HorizonName, ofBtc: ReadonlySet<string>) {
  const counts = { pending: 0, other: 0, without: 0, ofBtc: 0 };
  const moves: Clustered[] = [];
  const missingMoves: Clustered[] = [];
  const differences: Clustered[] = [];
  const missingDifferences: Clustered[] = [];
  for (const { symbol, at, measured } of rows) {
    if (measured === undefined) {
      counts.without += 1;
      continue;
    }
    const one = measured[name];
    const day = dayNumber(at);
    const isMissing = !isMeasured(one);
    if (isMissing && one.state !== 'available' && one.state !== 'missing') {
      counts[one.state === 'pending' ? 'pending' : 'other'] += 1;
      continue;
    }
    if (isMissing) missingMoves.push({ value: Number.NaN, day, symbol });
    else moves.push({ value: one.move, day, symbol });
    const value = differenceOf(one);
    if (ofBtc.has(symbol)) {
      if (value !== null) counts.ofBtc += 1;
    } else if (value === null) missingDifferences.push({ value: Number.NaN, day, symbol });
    else differences.push({ value, day, symbol });
  }
  return { counts, moves, missingMoves, differences, missingDifferences };
}

/**
 * How many days make a cluster of all cards together: a group of them is too small to tell (`clusteredMedian`).
 * @param ofBtc the symbols that are BTC itself (`symbolsOfBtc`): left out of every difference to BTC
 */
export function wholeOf(rows: readonly Row[], name: HorizonName, ofBtc: ReadonlySet<string>): Whole {
  const { moves, differences } = gathered(rows, name, ofBtc);
  return {
    moves: clusteredMedian(moves, name).clusterDays,
    differences: clusteredMedian(differences, name).clusterDays,
  };
}

export type Whole = Readonly<Record<'moves' | 'differences', number>>;

export type Sample = ReturnType<typeof sampleOf>;

/** @param whole of the cards that these are a group of */
export function sampleOf(rows: readonly Row[], name: HorizonName, ofBtc: ReadonlySet<string>, whole?: Whole) {
  const { counts, moves, missingMoves, differences, missingDifferences } = gathered(rows, name, ofBtc);
  const withMissing = (known: readonly Clustered[], missing: readonly Clustered[], days: number | undefined) =>
    missing.length === 0 ? null : intervalWithMissing(known, missing, name, LEVEL, days);
  return {
    /** Measured moves. */
    size: moves.length,
    /** Cards by what there is instead of a move; `without` an outcome. */
    states: { ...counts, missing: missingMoves.length },
    symbols: new Set(moves.map(({ symbol }) => symbol)).size,
    moves: clusteredMedian(moves, name, whole?.moves),
    /** How far they went, in either direction. */
    sizes: clusteredMedianSize(moves, name, whole?.moves),
    /** Of the median move, wherever the missing ones are; null where none is missing. */
    missingMoves: withMissing(moves, missingMoves, whole?.moves),
    /** Measured differences that are zero because the card is BTC's own. */
    cardsOfBtc: counts.ofBtc,
    /** The moves less BTC's, and the interval of their median wherever the missing ones are. */
    differences: clusteredMedian(differences, name, whole?.differences),
    missingDifferences: withMissing(differences, missingDifferences, whole?.differences),
    /** Moves that equal BTC's, and that are above it. */
    ties: differences.filter(({ value }) => value === 0).length,
    above: differences.filter(({ value }) => value > 0).length,
  };
}
