import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredMedian, medianInterval, pValue } from '../../src/outcomes/clustered-median.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import { cardOf } from '../history/support.ts';
import { rowsOf } from './support.ts';

/** Values with ties, in clusters of any size. */
const samples = fc.array(
  fc.record({ value: fc.integer({ min: -12, max: 12 }).map((n) => n / 4), cluster: fc.integer({ min: 0, max: 14 }) }),
  { minLength: 1, maxLength: 120 },
);

const medianOf = (values: readonly { value: number; cluster: number }[]) =>
  clusteredMedian(
    values.map(({ value, cluster }) => ({ value, day: cluster, symbol: 'AUSDT' })),
    '1h',
  );

describe('an interval and its p value', () => {
  it('never contradict each other, at any level and for any value', () => {
    fc.assert(
      fc.property(
        samples,
        fc.integer({ min: -13, max: 13 }).map((n) => n / 4),
        fc.constantFrom(0.2, 0.05, 0.01, 0.05 / 16),
        (values, value, level) => {
          const sample = medianOf(values);
          const interval = medianInterval(sample, level);
          const p = pValue(sample, value);
          if (p === null) expect(interval).toBeNull();
          else if (interval === null) expect(p).toBeGreaterThan(level);
          else expect([value, p <= level]).toEqual([value, value < interval.low || value > interval.high]);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('blocks of days', () => {
  const clustersOf = (days: number) => {
    const cards = Array.from({ length: days }, (_, i) => cardOf(i + 1, 30 + i * 24));
    const [group] = figuresOf(rowsOf(cards), { now: Date.now() }).groups;
    return [group?.horizons['1h'], group?.horizons['24h']].map((one) => [one?.clusters, one?.cluster_days]);
  };

  it('are single days for 1 h, two for 24 h, three from 36 days on', () => {
    expect(clustersOf(30)[0]).toEqual([30, 1]);
    expect(clustersOf(35)[1]?.[1]).toBe(2);
    expect([17, 18]).toContain(clustersOf(35)[1]?.[0]);
    expect(clustersOf(36)[1]?.[1]).toBe(3);
    expect([12, 13]).toContain(clustersOf(36)[1]?.[0]);
  });
});
