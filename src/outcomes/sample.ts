/** One horizon of a group of cards, as far as it needs no other group: what the figures are made of. */
import { dayNumber } from '../runtime/units.ts';
import { clusteredMedian, pValue } from './clustered-median.ts';
import { clusterDaysOf } from './clusters.ts';
import { isMeasured, type Row } from './row.ts';
import type { HorizonName } from './types.ts';

export type Sample = ReturnType<typeof sampleOf>;

export function sampleOf(rows: readonly Row[], name: HorizonName) {
  const states = { pending: 0, missing: 0, other: 0 };
  const symbols = new Set<string>();
  const moves: number[] = [];
  const moveDays: number[] = [];
  const differences: number[] = [];
  const differenceDays: number[] = [];
  let without = 0;
  let ties = 0;
  let above = 0;
  for (const { symbol, at, measured } of rows) {
    if (measured === undefined) {
      without += 1;
      continue;
    }
    const one = measured[name];
    if (!isMeasured(one)) {
      const { state } = one;
      if (state === 'available' || state === 'missing') states.missing += 1;
      else if (state === 'pending') states.pending += 1;
      else states.other += 1;
      continue;
    }
    const { move, btc } = one;
    symbols.add(symbol);
    moves.push(move);
    moveDays.push(dayNumber(at));
    if (btc === null) continue;
    differences.push(move - btc);
    differenceDays.push(dayNumber(at));
    if (move === btc) ties += 1;
    else if (move > btc) above += 1;
  }
  const days = new Set(moveDays).size;
  const clusterDays = clusterDaysOf(name, days);
  const ofDifferences = clusteredMedian(differences, differenceDays, clusterDays);
  return {
    /** Measured moves. */
    size: moves.length,
    states,
    /** Cards without an outcome. */
    without,
    symbols: symbols.size,
    /** UTC days, and how many of them make a cluster. */
    days,
    clusterDays,
    moves: clusteredMedian(moves, moveDays, clusterDays),
    /** The moves less BTC's. */
    differences: ofDifferences,
    /** Moves that equal BTC's, and that are above it. */
    ties,
    above,
    /** Of a median difference of zero. */
    p: pValue(ofDifferences, 0),
  };
}
