import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/base/units.ts';
import { randomOf } from '../support/history.ts';
import { buy, type Limiter, slidingWindow, tokenBucket } from './limiters.ts';
import { access, ledgerHere } from './world.ts';

const heavy = process.env.SCREENER_HEAVY === '1';
const here = ledgerHere(undefined, heavy ? 0 : 500);

const STRICT: [string, () => Limiter][] = [
  ['bursts of 1', () => tokenBucket(1, 15)],
  ['a sliding window of 5', () => slidingWindow(5)],
  ['a sliding window of 10 that counts refusals', () => slidingWindow(10, true)],
  ['bursts of 8', () => tokenBucket(8, 15)],
  ['bursts of 1, 6 a minute', () => tokenBucket(1, 6)],
];

const CARDS = heavy ? [[32], [12, 12, 12]] : [[16], [6, 6, 6]];

describe.each(STRICT.slice(0, heavy ? undefined : 3))(
  'a service stricter than it says: %s',
  (_, limiter) => {
    const ways = (['arrival', 'answer'] as const).flatMap((counted) =>
      [true, false].flatMap((says) => CARDS.map((cards) => ({ cards, counted, says }))),
    );
    test.each(ways.slice(0, heavy ? undefined : 2))(
      '$cards cards, counted at $counted, Retry-After: $says',
      async ({ cards, ...way }) => {
        const { credits, refusals, ...end } = await buy(here, cards, {
          limiter: limiter(),
          ...way,
        });
        expect(end.cards).toEqual(cards);
        expect(Math.max(...refusals), 'most refusals of a process').toBeLessThanOrEqual(6);
        expect(
          credits / cards.reduce((sum, each) => sum + each),
          'credits a card',
        ).toBeLessThanOrEqual(1.35);
        expect(end.mostInFlight, 'most requests in flight').toBeLessThanOrEqual(4);
      },
    );
  },
);

test('what passed in the minute before a refusal is the allowance for an hour, one request after the other', async () => {
  const { arrivals } = await buy(here, [20, 20], { limiter: slidingWindow(5) });
  const inAMinute = arrivals.map(
    (from) => arrivals.filter((at) => at >= from && at < from + MINUTE).length,
  );
  // The refused ones of the first minute, and nobody's later.
  expect(inAMinute[0], 'requests of the first minute').toBeGreaterThan(5);
  expect(Math.max(...inAMinute.slice(inAMinute[0]))).toBe(5);
});

test.each(['arrival', 'answer'] as const)(
  'a window of 15, counted at %s, is used to the full',
  async (counted) => {
    const { refusals, took } = await buy(here, [12, 12, 12], {
      limiter: slidingWindow(15),
      counted,
    });
    expect(refusals).toEqual([0, 0, 0]);
    // 15 requests at once, 15 a minute later, the rest another minute later.
    expect(took, 'milliseconds until all were bought').toBeLessThan(2 * 60_100 + 3_000);
  },
);

test.each(Array.from({ length: heavy ? 200 : 6 }, (_, seed) => seed))(
  'processes that come, are slow and die at random never exceed an allowance, nor wait for nothing (%i)',
  async (seed) => {
    const random = randomOf(seed);
    const perMinute = 1 + Math.floor(5 * random());
    here.start().account.observe(access({ per_minute: perMinute }));
    const cards = Array.from({ length: 6 }, () => 1 + Math.floor(6 * random()));
    const dying = cards.map((count) => (random() < 0.4 ? Math.floor(count * random()) : undefined));
    const [begin, slow] = [90_000, 20_000];
    const end = await buy(here, cards, {
      limiter: slidingWindow(perMinute),
      begins: () => begin * random(),
      latency: () => slow * random(),
      dies: (index) => dying[index],
    });
    expect(end.refusals).toEqual(cards.map(() => 0));
    cards.forEach((count, index) => {
      if (dying[index] === undefined)
        expect(end.cards[index], `cards of process ${index}`).toBe(count);
    });
    expect(end.took, 'milliseconds until all were bought').toBeLessThan(
      begin + Math.ceil(end.arrivals.length / perMinute) * (MINUTE + slow + 1_000),
    );
  },
);

/** Processes that each buy a few cards, one after the other, on a machine too busy to answer in order. */
const CROWDS = [
  { perMinute: 4, burst: 1, cards: [4, 4, 4, 4] },
  { perMinute: 4, burst: 3, cards: [4, 4, 4, 4] },
  { perMinute: 4, burst: 1, cards: Array<number>(10).fill(2) },
  { perMinute: 15, burst: 15, cards: Array<number>(10).fill(2) },
];

test.each(CROWDS)(
  'each process of $cards.length gets its cards from a service that allows $perMinute a minute, $burst at once',
  async ({ perMinute, burst, cards }) => {
    for (let round = 0; round < (heavy ? 20 : 1); round += 1) {
      const random = randomOf(round);
      here.restart();
      const end = await buy(here, cards, {
        limiter: tokenBucket(burst, perMinute),
        latency: () => 30 + 2_000 * random(),
        begins: () => 200 * random(),
        atOnce: 1,
      });
      expect({ round, cards: end.cards }).toEqual({ round, cards });
      expect(end.mostInFlight, `most requests in flight in round ${round}`).toBeLessThanOrEqual(4);
    }
  },
);
