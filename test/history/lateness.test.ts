import { describe, expect, it } from 'vitest';
import { emptyManifest } from '../../src/history/export-manifest.ts';
import { dueAfter, learn } from '../../src/history/lateness.ts';
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
  // In no order of time, as `spread` buys them.
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
      lateness = learn(lateness, { age, settled: isThere && !card.isNever });
    }
  }
  const left = cards.filter(({ at, bought }) => !bought && at < 40 * DAY - every - DAY - 4 * late - 4 * HOUR).length;
  return { margin: lateness.margin / HOUR, early: early / cards.length, left };
}

describe('the margin after which outcomes are bought', () => {
  const cases = [0, 1, 6, 16].flatMap((late) =>
    (late > 1 ? [0, 0.03, 0.1] : [0, 0.03, 0.1, 0.2]).flatMap((never) =>
      [1, 24].map((every) => ({ late: late * HOUR, never, every: every * HOUR })),
    ),
  );

  it.each(cases)('is learnt, and not from cards that never have an outcome: %o', ({ late, never, every }) => {
    const { margin, early, left } = simulated({ late, never, every });
    expect(early).toBeLessThan(0.05);
    expect(left).toBeLessThan(5);
    expect(margin).toBeLessThan(Math.max(4, (4 * late) / HOUR));
  });

  it('follows a service that becomes slower', () => {
    let { lateness } = emptyManifest('x');
    for (let i = 0; i < 200; i++) lateness = learn(lateness, { age: DAY + HOUR, settled: true });
    let early = 0;
    for (let i = 0; i < 200; i++) {
      const age = dueAfter(lateness);
      const settled = age >= DAY + 12 * HOUR;
      if (!settled) early += 1;
      lateness = learn(lateness, { age, settled });
    }
    expect(early).toBeLessThan(25);
  });
});
