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

/**
 * @param ofBtc the symbols that are BTC itself (`symbolsOfBtc`): left out of every difference to BTC
 * @param differences of these rows
 */
export function gathered(
  rows: readonly Row[],
  name: HorizonName,
  ofBtc: ReadonlySet<string>,
  differences: readonly Difference[],
) {
  const counts = { pending: 0, other: 0, without: 0, ofBtc: 0 };
  const measured: Row[] = [];
  const missingMoves: Clustered[] = [];
  const missingDifferences: Clustered[] = [];
  for (const card of rows) {
    const one = card.measured?.[name];
    if (one === undefined) {
      counts.without += 1;
      continue;
    }
    const lost = { value: Number.NaN, day: dayNumber(card.at), symbol: card.symbol };
    if (isMeasured(one)) measured.push(card);
    else if (one.state === 'available' || one.state === 'missing') missingMoves.push(lost);
    else {
      counts[one.state === 'pending' ? 'pending' : 'other'] += 1;
      continue;
    }
    const isOfBtc = ofBtc.has(card.symbol);
    if (differenceOf(one) === null && !isOfBtc) missingDifferences.push(lost);
    else if (differenceOf(one) !== null && isOfBtc) counts.ofBtc += 1;
  }
  const moveOf = (card: Row) => ({
    value: card.measured?.[name].move ?? Number.NaN,
    day: dayNumber(card.at),
    symbol: card.symbol,
  });
  const lists = lazily({ moves: () => measured.map(moveOf) });
  return { counts, size: measured.length, lists, missingMoves, differences, missingDifferences };
}

/** Days of a cluster of all cards together: a group of them is too small to tell. */
type Whole = ReturnType<typeof wholeOf>;

export function wholeOf(groups: readonly Gathered[], name: HorizonName) {
  const daysOf = (values: (of: Gathered) => readonly Clustered[]) =>
    clusteredMedian(groups.flatMap(values), name).clusterDays;
  return lazily({
    moves: () => daysOf(({ lists }) => lists.moves),
    differences: () => daysOf(({ differences }) => differences),
  });
}

export type Sample = ReturnType<typeof sampleOf>;

/** @param whole of all groups; undefined if these are all cards */
export function sampleOf(
  { counts, size, lists, missingMoves, differences }: Gathered,
  name: HorizonName,
  median: ClusteredMedian,
  whole: Whole | undefined,
) {
  const series = lazily({ moves: () => seriesOf(lists.moves, missingMoves, name, whole?.moves) });
  return lazily({
    size: () => size,
    states: () => ({ ...counts, missing: missingMoves.length }),
    missingShare: () => missingMoves.length / (size + missingMoves.length),
    symbols: () => new Set(lists.moves.map(({ symbol }) => symbol)).size,
    moves: () => series.moves.median,
    medianSize: () => medianOf(lists.moves.map(({ value }) => Math.abs(value))),
    missingMoves: () => series.moves.estimateAt(undefined).bounds?.(LEVEL) ?? null,
    differences: () => median,
    shareAbove: () => shareAbove(differences, name, LEVEL, whole?.differences),
  });
}
