/** `--keep` beside others who spend from the same account, on one clock that only moves when told to. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { guardingReserve } from '../../src/credits/reserve.ts';
import { ScreenerError } from '../../src/errors.ts';
import { DAY, HOUR, MINUTE } from '../../src/runtime/units.ts';
import * as samples from '../support/samples.ts';
import { FakeClock, startProcess } from './world.ts';

const KEEP = 300;
const FIRST = Date.UTC(2026, 10, 1);

let directory: string;
let clock: FakeClock;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'screener-neighbours-'));
  clock = new FakeClock(FIRST);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The service's own count, and what happens at each request it gets. */
class Service {
  left: number;
  below = 0;
  bought = 0;
  asked = 0;
  constructor(left: number) {
    this.left = left;
  }
  take(credits: number): void {
    this.left = Math.max(0, this.left - credits);
  }
  answer(target: string): unknown {
    this.asked += 1;
    if (target === '/access') {
      const credits = { used: 1000 - this.left, limit: 1000, remaining: this.left, resets_at: '2026-12-01T00:00:00Z' };
      return { ...samples.access(), credits };
    }
    if (this.left <= KEEP) this.below += 1;
    this.bought += 1;
    this.take(1);
    return samples.detail(1);
  }
}

/** A command with --keep that buys up to so many cards, so many at once, and ends at its reserve. */
async function buy(service: Service, cards: number, meanwhile: () => void, atOnce = 1): Promise<void> {
  const { account, stop } = startProcess(clock, directory, { keep: KEEP });
  const get = async (target: string) => {
    await clock.sleep(100);
    const response = service.answer(target);
    const body = Buffer.from(JSON.stringify({ hasError: false, response, errors: null }));
    meanwhile();
    return { status: 200, headers: new Map<string, string>(), body };
  };
  const sending = createClient({
    transport: { get },
    conceal: (text) => text,
    gate: account.gate,
    timeout: 30_000,
    clock,
    signal: stop.signal,
    listener: { unlisted: () => {}, exchanged: () => {}, clockIsOff: () => {} },
  });
  const client = guardingReserve(sending, account);
  let done = false;
  const all = (async () => {
    for (let n = 0; n < cards; n += atOnce) {
      await Promise.all(Array.from({ length: Math.min(atOnce, cards - n) }, () => client.call('signal', { id: 1 })));
    }
  })()
    .catch((error: unknown) => {
      if (!(error instanceof ScreenerError && error.code === 'budget_reached')) throw error;
    })
    .finally(() => {
      done = true;
    });
  while (!done) await clock.advance(MINUTE);
  await all;
}

test('a neighbour that takes 100 right after the first /access brings one own credit below the reserve', async () => {
  const service = new Service(395);
  let taken = false;
  await buy(service, 100, () => {
    if (!taken) service.take(100);
    taken = true;
  });
  // The one that left before anybody could know.
  expect(service.below).toBe(1);
  expect(service.bought).toBe(1);
});

/** 0 <= x < 1, the same in every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test.each([1, 2, 3])('30 days beside a neighbour that takes 0 to 40 a day, whenever it likes (%i)', async (seed) => {
  const random = dice(seed);
  const service = new Service(1000);
  for (let day = 0; day < 30; day += 1) {
    clock.set(FIRST + day * DAY + 6 * HOUR);
    let credits = Math.floor(random() * 41);
    const take = (share: number) => {
      if (random() > share) return;
      const some = Math.min(credits, 1 + Math.floor(random() * 20));
      credits -= some;
      service.take(some);
    };
    take(0.5);
    // In the midst of the command's requests, too.
    await buy(service, 30, () => take(0.05));
    service.take(credits);
  }
  expect(service.below).toBeLessThanOrEqual(3);
  // What is above the reserve was spent: it is no reason to buy nothing.
  expect(service.left).toBeLessThanOrEqual(KEEP);
  expect(service.bought).toBeGreaterThan(100);
});

test('near the reserve no request under way is counted twice: what is asked for at once is all bought', async () => {
  const service = new Service(KEEP + 8);
  await buy(service, 8, () => {}, 4);
  expect([service.bought, service.left, service.below]).toEqual([8, KEEP, 0]);
});
