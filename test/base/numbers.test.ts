/** Means and smallest values, of nothing, too. */
import { expect, it } from 'vitest';
import { mean, smallestOf } from '../../src/base/numbers.ts';

it('the mean of nothing is 0', () => {
  expect([mean([1, 2, 6]), mean([])]).toEqual([3, 0]);
});

it('the smallest is that of the values that are known', () => {
  expect([smallestOf([3, undefined, 2]), smallestOf([undefined]), smallestOf([])]).toEqual([
    2,
    undefined,
    undefined,
  ]);
});
