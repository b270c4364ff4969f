/** Quantiles, Student's t and differences of estimates, beside tables and sums by hand. */
import { describe, expect, it } from 'vitest';
import {
  differenceOfEstimates,
  estimateByT,
  standardError,
  UNKNOWN,
} from '../../src/statistics/estimate.ts';
import { clean, cleanOrNull, medianOf, quantile } from '../../src/statistics/quantile.ts';
import { cumulative, twoSidedQuantile, twoSidedTail } from '../../src/statistics/student-t.ts';

const INFINITE = Number.POSITIVE_INFINITY;

describe('a quantile', () => {
  it('lies between the values around its place', () => {
    expect({
      least: quantile([1, 2, 4, 8], 0),
      quarter: quantile([1, 2, 4, 8], 0.25),
      middle: quantile([1, 2, 4, 8], 0.5),
      most: quantile([1, 2, 4, 8], 1),
      single: quantile([3], 0.7),
      none: quantile([], 0.5),
      unsorted: medianOf([9, -3, 1]),
    }).toEqual({
      least: 1,
      quarter: 1.75,
      middle: 3,
      most: 8,
      single: 3,
      none: Number.NaN,
      unsorted: 1,
    });
  });

  it('has a value where some lie beyond all others', () => {
    expect({
      atAValue: quantile([1, 2, INFINITE], 0.5),
      beyond: quantile([1, INFINITE, INFINITE, INFINITE], 0.5),
      below: quantile([-INFINITE, -INFINITE, 1], 0.25),
      // Between infinity and another value there is no middle.
      beside: quantile([-INFINITE, 1], 0.5),
      above: quantile([1, INFINITE], 0.5),
    }).toEqual({
      atAValue: 2,
      beyond: INFINITE,
      below: -INFINITE,
      beside: -INFINITE,
      above: INFINITE,
    });
  });

  it('is given to twelve digits', () => {
    expect({
      sum: clean(0.1 + 0.2),
      null: cleanOrNull(Number.NaN),
      figure: cleanOrNull(0.1 + 0.2),
    }).toEqual({ sum: 0.3, null: null, figure: 0.3 });
  });
});

describe("Student's t", () => {
  // From the tables of any textbook.
  it.each([
    { df: 1, probability: 0.05, t: 12.7062 },
    { df: 2, probability: 0.05, t: 4.3027 },
    { df: 5, probability: 0.01, t: 4.0321 },
    { df: 10, probability: 0.05, t: 2.2281 },
    { df: 30, probability: 0.001, t: 3.646 },
    { df: 1e6, probability: 0.05, t: 1.96 },
  ])('at $df degrees of freedom exceeds $t with a chance of $probability', (row) => {
    const { df, probability, t } = row;
    expect({ df, t: twoSidedQuantile(probability, df) }).toEqual({ df, t: expect.closeTo(t, 3) });
    expect(twoSidedTail(twoSidedQuantile(probability, df), df)).toBeCloseTo(probability, 10);
  });

  it('has half of its chance on either side of 0', () => {
    const below = cumulative(-1.5, 8);
    expect({
      zero: cumulative(0, 8),
      sum: below + cumulative(1.5, 8),
      below: 2 * below,
      ends: [cumulative(-INFINITE, 8), cumulative(INFINITE, 8)],
    }).toEqual({ zero: 0.5, sum: 1, below: twoSidedTail(1.5, 8), ends: [0, 1] });
  });
});

describe('the difference of two estimates', () => {
  const before = estimateByT(1, 0.3, 10, { size: 40, span: 20, clusters: 12 });
  const after = estimateByT(2.5, 0.4, 20, { size: 60, span: 30, clusters: 15 });

  it('has both errors, and the degrees of freedom of both', () => {
    const difference = differenceOfEstimates(after, before);
    expect({ ...difference, error: standardError(difference) }).toMatchObject({
      value: 1.5,
      size: 100,
      span: 50,
      clusters: 12,
      error: expect.closeTo(0.5, 9),
      degreesOfFreedom: expect.closeTo(0.5 ** 4 / (0.3 ** 4 / 10 + 0.4 ** 4 / 20), 9),
      p: expect.closeTo(twoSidedTail(3, difference.degreesOfFreedom), 9),
    });
    expect(difference.interval(0.05)).toEqual({
      low: expect.closeTo(1.5 - 0.5 * twoSidedQuantile(0.05, difference.degreesOfFreedom), 9),
      high: expect.closeTo(1.5 + 0.5 * twoSidedQuantile(0.05, difference.degreesOfFreedom), 9),
    });
  });

  it('has no interval unless both have an error, and one of them more than 0', () => {
    const exact = estimateByT(2, 0, 10, before);
    const of = (first: typeof before, second: typeof before) => {
      const { value, p, interval } = differenceOfEstimates(first, second);
      return { value, p, interval: interval(0.05) };
    };
    expect({
      after: of({ ...UNKNOWN, value: 3 }, before),
      before: of(after, { ...UNKNOWN, value: 1 }),
      exact: of(exact, exact),
      oneExact: of(after, exact),
    }).toEqual({
      after: { value: 2, p: null, interval: null },
      before: { value: 1.5, p: null, interval: null },
      exact: { value: 0, p: null, interval: null },
      oneExact: {
        value: 0.5,
        p: expect.any(Number),
        interval: { low: expect.any(Number), high: expect.any(Number) },
      },
    });
  });
});
