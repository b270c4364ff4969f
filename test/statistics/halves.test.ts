/** A rank correlation within days, in the unit of the outcomes. */
import { expect, it } from 'vitest';
import { blockLengthsOf } from '../../src/api/contract/horizons.ts';
import { columnsOf } from '../../src/statistics/clusters.ts';
import { halvesApart } from '../../src/statistics/halves.ts';
import { rankTest } from '../../src/statistics/rank-test.ts';
import { randomOf } from '../support/history.ts';

/** Percentage points. */
const SPREAD = 3.5;
const APART = 2;

it.each([2, 4, 12])('tells how far apart halves are, from days of %i cards', (cardsADay) => {
  const random = randomOf(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const cards = Array.from({ length: 12_000 }, (_, i) => {
    const number = random() - 1 / 2;
    const value = SPREAD * normal() + (number > 0 ? APART / 2 : -APART / 2);
    return { number, value, day: Math.floor(i / cardsADay), symbol: `S${i % 40}` };
  });
  const numbers = Float64Array.from(cards, ({ number }) => number);
  const test = rankTest(columnsOf(cards), numbers, blockLengthsOf('1h'));
  if (typeof test === 'string') throw new Error(test);
  const values = cards.map(({ value }) => value);
  const apart = halvesApart(test.value, values, 12_000 / cardsADay);
  expect(apart, 'percentage points apart').toBeGreaterThan(0.85 * APART);
  expect(apart, 'percentage points apart').toBeLessThan(1.15 * APART);
  // The other way round they are as far apart.
  expect(halvesApart(-test.value, values, 12_000 / cardsADay)).toBe(apart);
});
