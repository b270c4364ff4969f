/** `--keep` beside others who spend from the same account, on one clock that only moves when told to. */

import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/base/units.ts';
import { guarded } from '../../src/credits/ask-access.ts';
import { ScreenerError } from '../../src/errors.ts';
import { randomOf } from '../support/history.ts';
import * as samples from '../support/samples.ts';
import { access, clientOf, ledgerHere } from './world.ts';

const KEEP = 300;
const FIRST = Date.UTC(2026, 10, 1);

const { clock, start } = ledgerHere(FIRST, process.env.SCREENER_HEAVY === '1' ? 0 : 500);

/** The service's own count, and what happens at each request it gets. */
class Service {
  left = 1000;
  below = 0;
  bought = 0;
  /** For how long what `/access` says is kept, milliseconds. */
  lag = 0;
  #kept = { at: 0, left: 0 };
  take(credits: number): void {
    this.left = Math.max(0, this.left - credits);
  }
  answer(target: string): unknown {
    if (target === '/access') {
      if (clock.now() - this.#kept.at >= this.lag)
        this.#kept = { at: clock.now(), left: this.left };
      return { ...samples.access(), ...access({ used: 1000 - this.#kept.left }) };
    }
    if (this.left <= KEEP) this.below += 1;
    this.bought += 1;
    this.take(1);
    return { ...samples.nthDetail(1), id: 1 };
  }
}

/** A command with --keep that buys up to so many cards, and ends at its reserve. */
async function buy(service: Service, cards: number, meanwhile: () => void): Promise<void> {
  const process = start({ keep: KEEP });
  const sending = clientOf(process, clock, async (target) => {
    await clock.sleep(100);
    const response = service.answer(target);
    meanwhile();
    return { response };
  });
  const client = guarded(sending, process.account);
  let done = false;
  const all = (async () => {
    for (let card = 0; card < cards; card += 1) await client.call('signal', { id: 1 });
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

test.each([1, 2])(
  '30 days beside a neighbour that takes 0 to 40 a day, whenever it likes (%i)',
  async (seed) => {
    const random = randomOf(seed);
    const service = new Service();
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
    expect(service.below, 'by how many credits the reserve was crossed').toBeLessThanOrEqual(3);
    // What is above the reserve was spent: it is no reason to buy nothing.
    expect(service.left, 'credits left').toBeLessThanOrEqual(KEEP);
    expect(service.bought, 'outcomes bought').toBeGreaterThan(100);
  },
);

test('where /access is up to an hour old, own requests never cross the reserve, and what is above it is spent', async () => {
  const service = new Service();
  service.lag = HOUR;
  for (let run = 0; run < 50; run += 1) {
    // Seven runs of 20 credits are within the day's 150.
    const day = Math.floor(run / 7);
    clock.set(FIRST + day * DAY + 6 * HOUR + (run % 7) * 10 * MINUTE);
    await buy(service, 20, () => {});
  }
  expect({ below: service.below, left: service.left }).toEqual({ below: 0, left: KEEP });
});
