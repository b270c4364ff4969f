import { describe, expect, it } from 'vitest';
import { dueAfter, isAgainWorthwhile, learn } from '../../src/history/export/lateness.ts';
import { emptyManifest } from '../../src/history/store/manifest.ts';
import { chance } from '../../src/sandbox/market/noise.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Runs of 30 days over 20 cards a day, the first over ten days of them, each card's first purchase only.
 * @param late how late outcomes come; `never`: the share of cards that never have one
 */
function simulated({ late, never, every }: { late: number; never: number; every: number }) {
  const cards = Array.from({ length: 40 * 20 }, (_, i) => ({
    at: i * (DAY / 20),
    id: i,
    isNever: chance(7, i) < never,
    bought: false,
  }));
  // In no order of time, as the hash buys them.
  const order = [...cards].sort((a, b) => chance(8, a.id) - chance(8, b.id));
  let { lateness } = emptyManifest('x');
  let early = 0;
  for (let now = 10 * DAY; now < 40 * DAY; now += every) {
    for (const card of order) {
      if (card.bought || now < card.at + dueAfter(lateness)) continue;
      card.bought = true;
      const age = now - card.at;
      const isThere = age >= DAY + late;
      if (!isThere && !card.isNever) early += 1;
      lateness = learn(lateness, { age, settled: isThere && !card.isNever, again: false });
    }
  }
  const left = cards.filter(({ at, bought }) => !bought && at < 40 * DAY - every - DAY - 4 * late - 4 * HOUR).length;
  return { margin: lateness.margin / HOUR, early: early / cards.length, left };
}

describe('the margin after which outcomes are bought', () => {
  const cases = [0, 1, 6, 16].flatMap((late) =>
    [0, 0.03, 0.1, 0.2, 0.4].flatMap((never) =>
      [1, 24].map((every) => ({ late: late * HOUR, never, every: every * HOUR })),
    ),
  );

  it.each(cases)('is learnt, and not from cards that never have an outcome: %o', ({ late, never, every }) => {
    const { margin, early, left } = simulated({ late, never, every });
    expect(early).toBeLessThan(0.05);
    expect(left).toBeLessThan(5);
    expect(margin).toBeLessThan(Math.max(2, (2 * late) / HOUR));
  });

  it.each([0, 0.2])('follows a service that becomes slower, %d of whose outcomes never come', (never) => {
    let { lateness } = emptyManifest('x');
    for (let i = 0; i < 200; i++)
      lateness = learn(lateness, { age: DAY + HOUR, settled: chance(3, i) >= never, again: false });
    expect(lateness.margin).toBeLessThan(2 * HOUR);
    let early = 0;
    for (let i = 0; i < 200; i++) {
      const age = dueAfter(lateness);
      const isThere = age >= DAY + 12 * HOUR;
      if (!isThere) early += 1;
      lateness = learn(lateness, { age, settled: isThere && chance(4, i) >= never, again: false });
    }
    expect(early).toBeLessThan(30);
  });
});

it('second purchases are given up where none brings an outcome, and tried now and then', () => {
  let { lateness } = emptyManifest('x');
  const tried = { at_first: 0, later: 0, where_they_settle: 0 };
  for (let i = 0; i < 500; i++) {
    lateness = learn(lateness, { age: DAY + HOUR, settled: false, again: false });
    if (!isAgainWorthwhile(lateness)) continue;
    tried[i < 50 ? 'at_first' : 'later'] += 1;
    lateness = learn(lateness, { age: 2 * DAY, settled: false, again: true });
  }
  expect(tried.at_first).toBeLessThan(15);
  expect(tried.later).toBeGreaterThan(3);
  expect(tried.later).toBeLessThan(30);
  for (let i = 0; i < 100; i++) {
    if (!isAgainWorthwhile(lateness)) continue;
    tried.where_they_settle += 1;
    lateness = learn(lateness, { age: 2 * DAY, settled: i % 4 === 0, again: true });
  }
  expect(tried.where_they_settle).toBeLessThanOrEqual(100);
});
