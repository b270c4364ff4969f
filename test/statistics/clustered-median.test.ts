/** Medians with their intervals, and what missing values leave of them. */
import { describe, expect, it } from 'vitest';
import { clusteredMedian, shareAbove } from '../../src/statistics/clustered-median.ts';
import type { Clustered } from '../../src/statistics/clusters.ts';
import { normalOf, randomOf } from '../support/history.ts';

/** Each day is a block. */
const LENGTHS = { ofFewDays: 1, ofManyDays: 1 };

/** A card a day of one symbol, so that the variance is that of independent values. */
function cardsOf(count: number): Clustered[] {
  const normal = normalOf(randomOf(2));
  return Array.from({ length: count }, (_, i) => ({
    value: normal(),
    day: 20_000 + i,
    symbol: 'AUSDT',
  }));
}

const intervalOf = (cards: readonly Clustered[], level: number) =>
  clusteredMedian(cards, LENGTHS).interval(level);

describe('missing values', () => {
  const cards = cardsOf(60);
  /** Every fifth card has this value. */
  const withValue = (value: number) =>
    cards.map((card, i) => (i % 5 === 0 ? { ...card, value } : card));

  it('may all lie at one end or the other: so far the bounds of the median reach', () => {
    const bounds = clusteredMedian(withValue(Number.NaN), LENGTHS).bounds;
    // So many are missing that only one end is near the median: a test of one side suffices.
    expect({
      at95: bounds?.(0.05),
      at997: bounds?.(0.003),
    }).toEqual({
      at95: {
        low: intervalOf(withValue(-1000), 0.1)?.low,
        high: intervalOf(withValue(1000), 0.1)?.high,
      },
      at997: {
        low: intervalOf(withValue(-1000), 0.006)?.low,
        high: intervalOf(withValue(1000), 0.006)?.high,
      },
    });
  });

  it('leave the figures of the others as they are', () => {
    const withMissing = clusteredMedian(withValue(Number.NaN), LENGTHS);
    const without = clusteredMedian(
      cards.filter((_, i) => i % 5 !== 0),
      LENGTHS,
    );
    expect({
      value: withMissing.value,
      size: withMissing.size,
      interval: withMissing.interval(0.05),
      bounds: without.bounds,
    }).toEqual({
      value: without.value,
      size: 48,
      interval: without.interval(0.05),
      bounds: undefined,
    });
  });

  it('leave no end where half of all are missing', () => {
    const half = cards.map((card, i) => (i % 2 === 0 ? { ...card, value: Number.NaN } : card));
    expect(clusteredMedian(half, LENGTHS).bounds?.(0.05)).toEqual({ low: null, high: null });
  });

  it('have no bounds below six days', () => {
    const few = withValue(Number.NaN).slice(0, 5);
    const enough = withValue(Number.NaN).slice(0, 6);
    expect({
      few: clusteredMedian(few, LENGTHS).bounds?.(0.05),
      enough: clusteredMedian(enough, LENGTHS).bounds?.(0.9),
    }).toEqual({ few: null, enough: { low: expect.any(Number), high: expect.any(Number) } });
  });
});

it('varies as its days do, where all cards of a day are alike', () => {
  const cards = Array.from({ length: 13 * 4 }, (_, i): Clustered => {
    const day = Math.floor(i / 4);
    return { value: day, day: 20_000 + day, symbol: 'AUSDT' };
  });
  const { value, variance, clusters } = clusteredMedian(cards, LENGTHS);
  // Four scores of 1/2 a day on either side of the middle one, whose scores are 0; each day is a thirteenth.
  const ofScores = (12 * (4 / 2) ** 2) / (1 - 1 / 13);
  expect({ value, variance, clusters }).toEqual({
    value: 6,
    variance: expect.closeTo(ofScores / 52 ** 2, 12),
    clusters: 13,
  });
});

it('varies as its symbols do, where all cards of a symbol are alike, from eight symbols on', () => {
  const cardsOfSymbols = (count: number) =>
    Array.from({ length: 13 * count }, (_, i): Clustered => {
      const symbol = i % count;
      return { value: symbol, day: 20_000 + Math.floor(i / count), symbol: `S${symbol}` };
    });
  const { variance } = clusteredMedian(cardsOfSymbols(8), LENGTHS);
  // Of days nothing is left: as many scores of 1/2 as of -1/2. Each symbol is an eighth, each card a cell of its own.
  const ofSymbols = (8 * (13 / 2) ** 2) / (1 - 1 / 8);
  const ofCells = (104 * (1 / 2) ** 2) / (1 - 1 / 104);
  expect({
    eight: variance,
    six: clusteredMedian(cardsOfSymbols(6), LENGTHS).variance,
  }).toEqual({
    eight: expect.closeTo((ofSymbols - ofCells) / 104 ** 2, 12),
    // As if all cards were independent.
    six: expect.closeTo(0.25 / 78, 12),
  });
});

describe('a median of few days', () => {
  it('has an interval from six days on, which is the whole range', () => {
    const cards = cardsOf(6);
    const values = cards.map(({ value }) => value).toSorted((a, b) => a - b);
    expect({
      five: intervalOf(cards.slice(0, 5), 0.05),
      six: intervalOf(cards, 0.05),
      sixAtAStricterLevel: intervalOf(cards, 0.03),
    }).toEqual({
      five: null,
      six: { low: values[0], high: values[5] },
      // All six lie on one side of the median with a chance of 2 · (1/2)^6 = .03125.
      sixAtAStricterLevel: null,
    });
  });

  it('has a p of 0 from six days on', () => {
    const cards = cardsOf(6).map((card) => ({ ...card, value: 5 + card.value }));
    expect({
      five: clusteredMedian(cards.slice(0, 5), LENGTHS).p,
      six: clusteredMedian(cards, LENGTHS).p,
    }).toEqual({ five: null, six: expect.closeTo(2 * 0.5 ** 6, 12) });
  });
});

it('a share above zero leaves out zeros, and stays between 0 and 1', () => {
  const cards = cardsOf(40).map((card, i) => ({ ...card, value: i < 3 ? -1 : i < 8 ? 0 : 1 }));
  const mixed = cardsOf(6).map((card, i) => ({ ...card, value: i % 2 === 0 ? 1 : -1 }));
  const { share, interval } = shareAbove(cards, LENGTHS);
  expect({ share, interval }).toEqual({
    share: 32 / 35,
    interval: { low: expect.any(Number), high: 1 },
  });
  expect({
    allAbove: shareAbove(
      cards.map((card) => ({ ...card, value: 1 })),
      LENGTHS,
    ),
    fiveDays: shareAbove(mixed.slice(0, 5), LENGTHS).interval,
    sixDays: shareAbove(mixed, LENGTHS).interval,
  }).toEqual({
    allAbove: { share: 1, interval: null },
    fiveDays: null,
    sixDays: { low: expect.any(Number), high: expect.any(Number) },
  });
});
