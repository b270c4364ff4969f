/** Holm's adjustment, worked out by hand. */
import { describe, expect, it } from 'vitest';
import { type Estimate, estimateByT, UNKNOWN } from '../../src/statistics/estimate.ts';
import { judgeFamily, smallestShown } from '../../src/statistics/holm.ts';

const estimateOf = (p: number | null): Estimate => ({ ...UNKNOWN, p });

describe('of several tests, each p', () => {
  const adjustedOf = (ps: readonly (number | null)[]) =>
    judgeFamily(ps.map(estimateOf), 0.05).map(({ p, adjusted }) => ({ p, adjusted }));

  it('counts as often as tests are left, and is no smaller than that of an earlier test', () => {
    expect(adjustedOf([0.04, null, 0.01, 0.03])).toEqual([
      { p: 0.04, adjusted: { p: 0.06, level: 0.05 / 2 } },
      { p: null, adjusted: undefined },
      { p: 0.01, adjusted: { p: 0.03, level: 0.05 / 3 } },
      { p: 0.03, adjusted: { p: 0.06, level: 0.05 / 2 } },
    ]);
  });

  it('has a level of its own as long as all before it pass', () => {
    expect(adjustedOf([0.001, 0.002, 0.003])).toEqual([
      { p: 0.001, adjusted: { p: 0.003, level: 0.05 / 3 } },
      { p: 0.002, adjusted: { p: 0.004, level: 0.05 / 2 } },
      { p: 0.003, adjusted: { p: 0.004, level: 0.05 } },
    ]);
  });

  it('fails at the level itself, and is never above 1', () => {
    expect(adjustedOf([0.6, 0.025])).toEqual([
      { p: 0.6, adjusted: { p: 0.6, level: 0.05 / 2 } },
      { p: 0.025, adjusted: { p: 0.05, level: 0.05 / 2 } },
    ]);
    expect(adjustedOf([0.9, 0.7])).toEqual([
      { p: 0.9, adjusted: { p: 1, level: 0.05 / 2 } },
      { p: 0.7, adjusted: { p: 1, level: 0.05 / 2 } },
    ]);
  });
});

it('an effect shows in four of five cases from the quantile of the level and of a power of 80 % on', () => {
  const size = { size: 90, span: 30, clusters: 15 };
  const estimate = { ...estimateByT(1, 0.5, 1e6, size), adjusted: { p: 0.05, level: 0.05 } };
  expect({
    alone: smallestShown(estimate),
    untested: smallestShown({ ...estimate, adjusted: undefined }),
    withoutInterval: smallestShown({ ...estimate, interval: () => null }),
  }).toEqual({
    // 1.96 and 0.84 standard errors.
    alone: expect.closeTo((1.96 + 0.84) * 0.5, 3),
    untested: null,
    withoutInterval: null,
  });
});
