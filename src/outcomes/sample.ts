import type { HorizonName } from '../api/contract/horizons.ts';
import { dayNumber } from '../runtime/units.ts';
import { type ClusteredMedian, clusteredMedian, shareAbove } from './clustered-median.ts';
import type { Clustered } from './clusters.ts';
import { type Difference, differenceOf } from './differences.ts';
import { lazily } from './figure.ts';
import { LEVEL } from './holm.ts';
import { medianOf } from './quantile.ts';
import { isMeasured, type Row } from './row.ts';
import { seriesOf } from './series.ts';

type Gathered = ReturnType<typeof gathered>;

/** @param ofBtc the symbols that are BTC itself (`symbolsOfBtc`): left out of every difference to BTC */
export function gathered(rows: readonly Row[], name: HorizonName, ofBtc: ReadonlySet<string>) {
  const counts = { pending: 0, other: 0, without: 0, ofBtc: 0 };
  const moves: Clustered[] = [];
  const missingMoves: Clustered[] = [];
  const differences: Difference[] = [];
  const missingDifferences: Clustered[] = [];
  for (const card of rows) {
    const { symbol, at, measured } = card;
    if (measured === undefined) {
      counts.without += 1;
      continue;
    }
    const one = measured[name];
    const day = dayNumber(at);
    if (isMeasured(one)) moves.push({ value: one.move, day, symbol });
    else if (one.state === 'available' || one.state === 'missing')
      missingMoves.push({ value: Number.NaN, day, symbol });
    else {
      counts[one.state === 'pending' ? 'pending' : 'other'] += 1;
      continue;
    }
    const value = differenceOf(one);
    if (ofBtc.has(symbol)) {
      if (value !== null) counts.ofBtc += 1;
    } else if (value === null) missingDifferences.push({ value: Number.NaN, day, symbol });
    else differences.push({ card, value, day, symbol });
  }
  return { counts, moves, missingMoves, differences, missingDifferences };
}

/** Days of a cluster of all cards together: a group of them is too small to tell. */
type Whole = ReturnType<typeof wholeOf>;

export function wholeOf(groups: readonly Gathered[], name: HorizonName) {
  const daysOf = (values: (of: Gathered) => readonly Clustered[]) =>
    clusteredMedian(groups.flatMap(values), name).clusterDays;
  return lazily({
    moves: () => daysOf(({ moves }) => moves),
    differences: () => daysOf(({ differences }) => differences),
  });
}

export type Sample = ReturnType<typeof sampleOf>;

/** @param whole of all groups; undefined if these are all cards */
export function sampleOf(
  { counts, moves, missingMoves, differences }: Gathered,
  name: HorizonName,
  median: ClusteredMedian,
  whole: Whole | undefined,
) {
  const series = lazily({ moves: () => seriesOf(moves, missingMoves, name, whole?.moves) });
  return lazily({
    size: () => moves.length,
    /** Cards without a move, by the reason. */
    states: () => ({ ...counts, missing: missingMoves.length }),
    /** NaN of no moves. */
    missingShare: () => missingMoves.length / (moves.length + missingMoves.length),
    symbols: () => new Set(moves.map(({ symbol }) => symbol)).size,
    moves: () => series.moves.median,
    medianSize: () => medianOf(moves.map(({ value }) => Math.abs(value))),
    /** Null if none is missing. */
    missingMoves: () => series.moves.estimateAt(undefined).bounds?.(LEVEL) ?? null,
    differences: () => median,
    shareAbove: () => shareAbove(differences, name, LEVEL, whole?.differences),
  });
}
