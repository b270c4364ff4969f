/** When outcomes are bought: simulated over 60 days, second purchases included. */
import { describe, expect, it } from 'vitest';
import { dueAfter, isAgainWorthwhile, learn, MOST_BOUGHT, waitBeforeNext } from '../../src/history/export/lateness.ts';
import { emptyManifest } from '../../src/history/store/manifest.ts';
import { chance } from '../../src/sandbox/market/noise.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface World {
  /** Hours that outcomes come late. */
  readonly late: number;
  /** Share of the cards that never have an outcome. */
  readonly never: number;
  /** Hours between runs. */
  readonly every: number;
}

/** Runs of 60 days over 20 cards a day. */
function simulated({ late, never, every }: World) {
  const cards = Array.from({ length: 60 * 20 }, (_, id) => ({
    id,
    createdAt: id * (DAY / 20),
    there: chance(7, id) < never ? Number.POSITIVE_INFINITY : late * HOUR,
    times: 0,
    askedAt: 0,
    settled: false,
  }));
  // In no order of time, as the hash buys them.
  const order = [...cards].sort((a, b) => chance(8, a.id) - chance(8, b.id));
  let { lateness } = emptyManifest('x');
  let purchases = 0;
  for (let now = 10 * DAY; now < 60 * DAY; now += every * HOUR) {
    for (const card of order) {
      const again = card.times > 0;
      if (card.settled || card.times === MOST_BOUGHT || (again && !isAgainWorthwhile(lateness))) continue;
      const wait = waitBeforeNext({ times: card.times, at: '', failed: 0, not_found: false });
      if (now < card.createdAt + dueAfter(lateness) || now < card.askedAt + wait) continue;
      card.settled = now >= card.createdAt + DAY + card.there;
      card.times += 1;
      card.askedAt = now;
      purchases += 1;
      lateness = learn(lateness, { createdAt: card.createdAt, at: now, settled: card.settled, again });
    }
  }
  const settled = cards.filter((card) => card.settled);
  const possible = cards.filter(({ createdAt, there }) => createdAt + DAY + there < 60 * DAY - 8 * DAY).length;
  return {
    perOutcome: purchases / settled.length,
    missed: 1 - Math.min(1, settled.length / possible),
  };
}

describe('when outcomes are bought', () => {
  const cases = [0, 1, 6, 30, 60].flatMap((late) =>
    [0, 0.2].flatMap((never) => [1, 24].map((every) => ({ late, never, every }))),
  );

  it.each(cases)('is learnt from those that came: %o', (world) => {
    const { perOutcome, missed } = simulated(world);
    // One purchase an outcome, and one for each card that never has one.
    expect(perOutcome * (1 - world.never)).toBeLessThan(1.25);
    expect(missed).toBeLessThan(0.05);
  });

  it('never waits longer than six days, nor less than ten minutes', () => {
    const { lateness } = emptyManifest('x');
    expect(dueAfter(lateness)).toBe(DAY + 600_000);
    const late = learn(lateness, { createdAt: 0, at: 40 * DAY, settled: true, again: true });
    expect(dueAfter(late)).toBe(7 * DAY);
  });
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
