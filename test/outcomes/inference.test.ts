import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clusteredMedian } from '../../src/statistics/clustered-median.ts';

/** Values with ties, in clusters of any size. */
const samples = fc.array(
  fc.record({ value: fc.integer({ min: -12, max: 12 }).map((n) => n / 4), cluster: fc.integer({ min: 0, max: 14 }) }),
  { minLength: 1, maxLength: 120 },
);

/** The p of their median being 0. */
const medianOf = (values: readonly { value: number; cluster: number }[], less = 0) =>
  clusteredMedian(
    values.map(({ value, cluster: day }) => ({ value: value - less, day, symbol: 'AUSDT' })),
    '1h',
  );

it('an interval and its p value never contradict each other, at any level and for any value', () => {
  fc.assert(
    fc.property(
      samples,
      fc.integer({ min: -13, max: 13 }).map((n) => n / 4),
      fc.constantFrom(0.2, 0.05, 0.01, 0.05 / 16),
      (values, value, level) => {
        const interval = medianOf(values).interval(level);
        const { p } = medianOf(values, value);
        if (p === null) expect(interval).toBeNull();
        else if (interval === null) expect(p).toBeGreaterThan(level);
        else expect([value, p <= level]).toEqual([value, value < interval.low || value > interval.high]);
      },
    ),
    { numRuns: 2000 },
  );
});
