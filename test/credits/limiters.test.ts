import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordAccepted, recordRefused } from '../../src/credits/refused-pace.ts';
import {
  asksForASecond,
  type Bought,
  buy,
  fixedMinutes,
  type Limiter,
  type ServiceOptions,
  slidingWindow,
  tokenBucket,
} from './limiters.ts';

const heavy = process.env.SCREENER_HEAVY === '1';

async function bought(cards: readonly number[], options: ServiceOptions): Promise<Bought> {
  const directory = mkdtempSync(path.join(tmpdir(), 'screener-limiters-'));
  try {
    return await buy(directory, cards, options);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const STRICT: [string, () => Limiter][] = [
  ['bursts of 1', () => tokenBucket(1, 15)],
  ['bursts of 3', () => tokenBucket(3, 15)],
  ['a sliding window of 10', () => slidingWindow(10)],
  ['bursts of 8', () => tokenBucket(8, 15)],
  ['bursts of 1, 6 a minute', () => tokenBucket(1, 6)],
  ['10 in a fixed minute', () => fixedMinutes(10)],
  ['5 in a fixed minute', () => fixedMinutes(5)],
  ['a sliding window of 5', () => slidingWindow(5)],
  ['a sliding window of 3', () => slidingWindow(3)],
  ['a sliding window of 1', () => slidingWindow(1)],
  ['a sliding window of 10 that counts refusals', () => slidingWindow(10, true)],
  ['a sliding window of 5 that counts refusals', () => slidingWindow(5, true)],
  [
    'a sliding window of 3 that counts refusals, and always asks for a second',
    () => asksForASecond(slidingWindow(3, true)),
  ],
  ['5 in a fixed minute, and always asks for a second', () => asksForASecond(fixedMinutes(5))],
  ['a sliding window of 10, and always asks for a second', () => asksForASecond(slidingWindow(10))],
];

describe.each(heavy ? STRICT : [0, 1, 10].flatMap((i) => STRICT.slice(i, i + 1)))(
  'a service stricter than it says: %s',
  (_, limiter) => {
    const ways = [
      { cards: [32], counted: 'arrival', says: true },
      { cards: [11, 11, 11], counted: 'arrival', says: true },
      ...(['arrival', 'answer'] as const).flatMap((counted) =>
        [true, false].flatMap((says) => [
          { cards: [32], counted, says },
          { cards: [12, 12, 12], counted, says },
        ]),
      ),
    ] as const;
    test.each(ways.slice(0, heavy ? undefined : 2))(
      '$cards cards, counted at $counted, Retry-After: $says',
      async (way) => {
        const { cards, counted, says } = way;
        const { credits, refusals, ...end } = await bought(cards, {
          limiter: limiter(),
          counted,
          says,
          chargesRefusals: true,
        });
        expect(end.cards).toEqual(cards);
        expect(Math.max(...refusals)).toBeLessThanOrEqual(6);
        expect(credits / cards.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(1.35);
        expect(end.mostInFlight).toBeLessThanOrEqual(4);
      },
    );
  },
);

test('after a refusal waiters of several processes go one at a time, spaced', async () => {
  const { arrivals } = await bought([2, 2, 2], { limiter: tokenBucket(1, 15) });
  const spaced = arrivals.slice(4);
  const gaps = spaced.slice(1).map((at, index) => at - (spaced[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_000);
});

test.each(['arrival', 'answer'] as const)(
  'an ordinary window of 15, counted at %s, is used to the full',
  async (counted) => {
    const { refusals, took } = await bought([12, 12, 12], { limiter: slidingWindow(15), counted });
    expect(refusals).toEqual([0, 0, 0]);
    // 15 requests at once, 15 a minute later, the rest another minute later.
    expect(took).toBeLessThan(2 * 60_100 + 3_000);
  },
);

describe('the pace after a refusal', () => {
  const T0 = Date.UTC(2026, 10, 20, 12);
  const limits = () => ({ refusedPace: null, allowances: {} }) as Parameters<typeof recordRefused>[0];

  test('comes back to what /access promised, step by step, as answers succeed', () => {
    const one = limits();
    recordRefused(one, T0, T0 + 100, { millis: 32_000, said: true });
    const paces: number[] = [];
    let answers = 0;
    for (let at = T0 + 32_000; one.refusedPace !== null; at += 4_000) {
      recordAccepted(one, at, at + 100);
      answers += 1;
      if (one.refusedPace !== null) paces.push(one.refusedPace.burst * 100_000 + one.refusedPace.spacing);
    }
    expect([...new Set(paces)]).toEqual([116_000, 108_000, 104_000, 204_000, 404_000, 804_000, 1_604_000]);
    expect(answers).toBe(3 + 5 * 15);
  });

  test('is tried eight times as rarely once a faster one was refused', () => {
    const one = limits();
    recordRefused(one, T0, T0 + 100, { millis: 4_000, said: true });
    for (let n = 1; n <= 15; n += 1) recordAccepted(one, T0 + n * 4_000, T0 + n * 4_000 + 100);
    expect(one.refusedPace).toMatchObject({ burst: 2 });
    recordRefused(one, T0 + 70_000, T0 + 70_100, { millis: 4_000, said: true });
    expect(one.refusedPace).toMatchObject({ burst: 1, spacing: 4_000, needed: 120 });
  });
});
