/** Clusters of values, their variance, and its degrees of freedom: beside the matrices of Bell & McCaffrey. */
import { describe, expect, it } from 'vitest';
import {
  blockDays,
  type Clustered,
  clusterShares,
  columnsOf,
  degreesOfFreedom,
  sumsBy,
  varianceOver,
} from '../../src/statistics/clusters.ts';

const cards: readonly Clustered[] = [
  { value: 4, day: 13, symbol: 'B' },
  { value: 1, day: 10, symbol: 'A' },
  { value: 2, day: 10, symbol: 'B' },
  { value: 3, day: 11, symbol: 'A' },
  { value: 5, day: 13, symbol: 'C' },
  { value: 6, day: 13, symbol: 'B' },
];

it('values stand in the order of their days, in blocks of days, by symbol, and in the cells of both', () => {
  const { values, days, symbols, blocks, cells } = columnsOf(cards);
  expect({
    values: [...values],
    days: [...days],
    symbols: [...symbols.clusterOf],
    daysOfTwo: [...blocks(2).clusterOf],
    single: [...blocks(1).clusterOf],
    sizes: [...blocks(2).sizes],
    cells: [...cells(2).clusterOf],
    sums: [...sumsBy(symbols, values)],
    shares: [...clusterShares(symbols)],
  }).toEqual({
    values: [1, 2, 3, 4, 5, 6],
    days: [10, 10, 11, 13, 13, 13],
    symbols: [0, 1, 0, 1, 2, 1],
    // Blocks begin at even days: 10 and 11, then 13 with the 12th.
    daysOfTwo: [0, 0, 0, 1, 1, 1],
    single: [0, 0, 1, 2, 2, 2],
    sizes: [3, 3],
    cells: [0, 1, 0, 2, 3, 2],
    sums: [1 + 3, 2 + 4 + 6, 5],
    shares: [2 / 6, 3 / 6, 1 / 6],
  });
});

describe('the variance over clusters', () => {
  const shares = [0.1, 0.2, 0.3, 0.4];

  it('weighs each the more, the larger its share', () => {
    expect(varianceOver(Float64Array.of(1, -2, 3, 0), Float64Array.from(shares))).toBeCloseTo(
      1 / 0.9 + 4 / 0.8 + 9 / 0.7,
      12,
    );
  });

  it.each([
    { name: 'as much noise as values', noise: shares },
    { name: 'noise of its own', noise: [0.5, 0.1, 0.2, 0.2] },
  ])('has the degrees of freedom of its matrix, with $name', ({ noise }) => {
    const u = shares.map((share) => share / (1 - share));
    const k = shares.reduce((sum, share, c) => sum + share * (u[c] ?? 0), 0);
    let trace = 0;
    let squares = 0;
    for (const [c, v] of noise.entries()) {
      for (const [d, w] of noise.entries()) {
        const onDiagonal = c === d ? 1 / (1 - (shares[c] ?? 0)) : 0;
        const g = k - (u[c] ?? 0) - (u[d] ?? 0) + onDiagonal;
        if (c === d) trace += g * v;
        squares += g ** 2 * v * w;
      }
    }
    expect(degreesOfFreedom(Float64Array.from(shares), Float64Array.from(noise))).toBeCloseTo(
      trace ** 2 / squares,
      10,
    );
  });
});

describe('the days of a block', () => {
  const LENGTHS = { ofFewDays: 1, ofManyDays: 2 };
  /** @param count of days @param moveOf of each day */
  const daysOf = (count: number, moveOf: (day: number) => number, whole?: number) => {
    const columns = columnsOf(
      Array.from({ length: count }, (_, day) => ({ value: moveOf(day), day, symbol: 'A' })),
    );
    return blockDays(columns, LENGTHS, (short) => sumsBy(short, columns.values), whole);
  };
  /** The next day is of the other sign: no serial correlation. */
  const alternating = (day: number) => (Math.floor(day / 2) % 2 === 0 ? 1 : -1) * (day % 2 || -1);
  /** Long waves. */
  const wave = (day: number) => Math.sin(day / 6);

  it('are few where days do not go together, and as many as leave twelve blocks where they do', () => {
    expect({
      thirtyFive: daysOf(35, alternating),
      thirtySix: daysOf(36, alternating),
      wave: daysOf(60, wave),
      shortWave: daysOf(23, wave),
    }).toEqual({
      thirtyFive: { days: 35, usualBlockDays: 1, clusterDays: 1 },
      thirtySix: { days: 36, usualBlockDays: 2, clusterDays: 2 },
      wave: { days: 60, usualBlockDays: 2, clusterDays: 5 },
      shortWave: { days: 23, usualBlockDays: 1, clusterDays: 1 },
    });
  });

  it('are no fewer than those of the whole, if twelve blocks are left', () => {
    expect({
      enough: daysOf(36, alternating, 3),
      tooFew: daysOf(36, alternating, 7),
    }).toEqual({
      enough: { days: 36, usualBlockDays: 2, clusterDays: 3 },
      tooFew: { days: 36, usualBlockDays: 2, clusterDays: 3 },
    });
  });
});
