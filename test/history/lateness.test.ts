/** When outcomes are bought: the bounds of the wait, and second purchases. */
import { expect, it } from 'vitest';
import { dueAfter, isAgainWorthwhile, learn } from '../../src/history/export/lateness.ts';
import { emptyManifest } from '../../src/history/store/manifest.ts';

const DAY = 86_400_000;

it('never waits longer than six days, nor less than ten minutes', () => {
  const { lateness } = emptyManifest('x');
  expect(dueAfter(lateness)).toBe(DAY + 600_000);
  const late = learn(lateness, { createdAt: 0, at: 40 * DAY, settled: true, again: true });
  expect(dueAfter(late)).toBe(7 * DAY);
});

it('second purchases are given up if fewer than one in ten bring an outcome, and tried again a month later', () => {
  let { lateness } = emptyManifest('x');
  const bought: number[] = [];
  for (let day = 0; day < 100; day += 1) {
    const at = day * DAY;
    for (let card = 0; card < 4; card += 1) {
      lateness = learn(lateness, { createdAt: at - DAY, at, settled: true, again: false });
      if (!isAgainWorthwhile(lateness)) continue;
      lateness = learn(lateness, { createdAt: at - 2 * DAY, at, settled: false, again: true });
      bought.push(day);
    }
  }
  const months = [0, 1, 2].map((month) => bought.filter((day) => Math.floor(day / 33) === month).length);
  expect(bought.length).toBeLessThan(100);
  expect(Math.min(...months)).toBeGreaterThan(0);
});
