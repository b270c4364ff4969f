import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredMedian, medianInterval, pValue } from '../../src/outcomes/clustered-median.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import { holm } from '../../src/outcomes/holm.ts';
import { twoSidedQuantile, twoSidedTail } from '../../src/outcomes/student-t.ts';
import { wilsonInterval } from '../../src/outcomes/wilson.ts';
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

  it('of clusters of one size are the textbook formula', () => {
    const values = Array.from({ length: 40 }, (_, i) => ({ value: Math.sin(i * 7.3), cluster: i % 8 }));
    const sample = medianOf(values);
    const sums = Array.from({ length: 8 }, (_, d) =>
      values
        .filter(({ cluster }) => cluster === d)
        .reduce((sum, one) => sum + Math.sign(sample.median - one.value) / 2, 0),
    );
    const variance = ((8 / 7) * sums.reduce((total, sum) => total + sum ** 2, 0)) / 40 ** 2;
    expect(sample.degreesOfFreedom).toBeCloseTo(7, 12);
    expect(sample.variance).toBeCloseTo(Math.max(variance, 0.25 / 40), 15);
    expect(sample.effectiveSample).toBeCloseTo(0.25 / sample.variance, 12);
  });

  it('need 6 clusters; one day that outweighs the others makes the interval wide, not sure', () => {
    const days = (count: number, first: number) =>
      Array.from({ length: count }, (_, d) => Array.from({ length: d === 0 ? first : 5 }, (_, i) => ({ d, i }))).flat();
    const sampleOf = (count: number, first: number) =>
      medianOf(days(count, first).map(({ d, i }) => ({ value: Math.sin(i * 12.9 + d * 78.2), cluster: d })));
    expect(medianInterval(sampleOf(5, 5), 0.05)).toBeNull();
    expect(pValue(sampleOf(5, 5), 0)).toBeNull();
    expect(medianInterval(sampleOf(6, 5), 0.05)).not.toBeNull();
    expect(sampleOf(12, 5).degreesOfFreedom).toBeCloseTo(11, 10);
    expect(sampleOf(12, 400).degreesOfFreedom).toBeLessThan(2);
  });

  it('the share above leaves out one half exactly where the median leaves out zero', () => {
    fc.assert(
      fc.property(samples, (values) => {
        const odd = values.map(({ value, cluster }, i) => ({ value: value + 0.1 + i / 1e4, cluster }));
        const sample = medianOf(odd);
        const interval = medianInterval(sample, 0.05);
        const above = odd.filter(({ value }) => value > 0).length / odd.length;
        if (interval === null || sample.effectiveSample === null || above === 0 || above === 1) return;
        const share = wilsonInterval(above, sample.effectiveSample, sample.degreesOfFreedom, 0.05);
        expect(share.low > 0.5 || share.high < 0.5).toBe(interval.low > 0 || interval.high < 0);
      }),
      { numRuns: 1000 },
    );
  });
});

it("Holm's adjustment, and levels whose intervals agree with it", () => {
  // Holm (1979), worked by hand: 0.01 * 4, 0.015 * 3, 0.03 * 2, 0.005 * 5; 0.2.
  expect(holm([0.01, 0.015, null, 0.03, 0.005, 0.2]).map((one) => one && Number(one.p.toFixed(10)))).toEqual([
    0.04,
    0.045,
    undefined,
    0.06,
    0.025,
    0.2,
  ]);
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { maxLength: 20 }), (values) => {
      for (const [i, { p = 0, level = 0 } = {}] of holm(values).entries()) {
        expect(p).toBeGreaterThanOrEqual(values[i] ?? 1);
        expect((values[i] ?? 1) < level).toBe(p < 0.05);
      }
    }),
  );
});

it("Student's t is that of the tables, and its quantile turns it back", () => {
  for (const [df, t] of [
    [1, 12.7062047361747],
    [2.7, 3.39214838317383],
    [5, 2.57058183563631],
    [29, 2.04522964213271],
    [364, 1.96650256879936],
  ] as const) {
    expect(twoSidedQuantile(0.05, df)).toBeCloseTo(t, 11);
    expect(twoSidedTail(t, df)).toBeCloseTo(0.05, 12);
  }
  fc.assert(
    fc.property(
      fc.double({ min: 1e-6, max: 0.999, noNaN: true }),
      fc.double({ min: 1, max: 4000, noNaN: true }),
      (p, df) => {
        expect(twoSidedTail(twoSidedQuantile(p, df), df) / p).toBeCloseTo(1, 9);
      },
    ),
  );
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

it('bounds the median where many are missing', () => {
  const cards = Array.from({ length: 10 }, (_, i) => {
    const one = cardOf(i + 1, 40 + i);
    const isMissing = i >= 7;
    return {
      ...one,
      outcome: { ...one.outcome, move_1h_pct: isMissing ? null : i, state_1h: isMissing ? 'missing' : 'available' },
    };
  });
  const of = (some: typeof cards) => figuresOf(rowsOf(some), { now: Date.now() }).groups[0]?.horizons['1h'];
  // Of 0 to 6 and three unknown: with these lowest the median lies between 1 and 2, with these highest between 4 and 5.
  expect(of(cards)?.missing_bounds).toEqual({ low: 1.5, high: 4.5 });
  expect(of(cards.slice(0, 7))?.missing_bounds).toBeNull();
  expect(of(cards.slice(6))?.missing_bounds).toEqual({ low: null, high: null });
});
