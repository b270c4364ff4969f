import { expect, it } from 'vitest';
import { dueAfter } from '../../src/history/store/manifest.ts';
import { cardOf, HOUR, started, stored } from './support.ts';

it('an outcome is bought from the moment it is due, to the millisecond', async () => {
  const hours = dueAfter({ settled: [] }) / HOUR;
  const details = [cardOf(1, hours), cardOf(2, hours - 1 / 3_600_000)];
  const { dir } = await started(details);
  expect(stored(dir).map((card) => ({ id: card.id, isBought: 'outcome' in card }))).toEqual([
    { id: 1, isBought: true },
    { id: 2, isBought: false },
  ]);
});
