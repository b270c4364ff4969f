import { expect, test } from 'vitest';
import { forecastSentence } from '../../src/output/views/access.ts';
import { DAY, HOUR, MINUTE } from '../../src/runtime/units.ts';
import { randomOf } from '../support/history.ts';
import { access, ledgerHere, request, send } from './world.ts';

const FIRST = Date.UTC(2026, 10, 1);
const RESET = Date.UTC(2026, 11, 1);

const { clock, start } = ledgerHere(FIRST);

/** The service's own count. */
class Service {
  used = 0;
  access() {
    return access({ used: this.used, per_minute: 1_000_000 });
  }
  /** A command: a free look, then so many credits. */
  async spend(credits: number): Promise<void> {
    const one = start();
    one.account.observe(this.access());
    for (let n = 0; n < credits; n += 1) {
      await send(one, clock, { status: 200 }, 0, request('/signals/{id}', 1));
      this.used += 1;
    }
  }
}

/** A month of a trader, another machine and a cron job: what was foreseen each day, and what came of it. */
async function month(perDay: { cron: number; trader: number; elsewhere: number }) {
  const service = new Service();
  const random = randomOf(7);
  const foreseen: { left: number; gone: number }[] = [];
  let gone = 31;
  for (let day = 1; day <= 30; day += 1) {
    clock.set(FIRST + (day - 1) * DAY + 6 * HOUR);
    await service.spend(Math.min(1000 - service.used, perDay.cron));
    service.used = Math.min(1000, service.used + perDay.elsewhere);
    clock.set(FIRST + (day - 1) * DAY + 18 * HOUR);
    await service.spend(
      Math.min(1000 - service.used, Math.round(perDay.trader * (0.5 + random()))),
    );
    if (service.used >= 1000) gone = Math.min(gone, day);
    const looking = start();
    looking.account.observe(service.access());
    const { goneAt = RESET, leftAtReset = 0 } = looking.account.known().forecast ?? {};
    foreseen.push({
      left: leftAtReset,
      gone: Math.min(31, Math.floor((goneAt - FIRST) / DAY) + 1),
    });
  }
  return { foreseen, left: 1000 - service.used, gone };
}

test.each([
  ['a trader and a cron job', { cron: 35, trader: 10, elsewhere: 0 }],
  ['with another machine', { cron: 25, trader: 8, elsewhere: 5 }],
  ['that suffices', { cron: 20, trader: 6, elsewhere: 0 }],
])('a month, %s: from day 5 on the forecast is right within 10 %%', async (_, rates) => {
  const { foreseen, left, gone } = await month(rates);
  for (const [index, one] of foreseen.entries()) {
    if (index + 1 < 5) continue;
    expect(
      Math.abs(one.left - left),
      `credits left, foreseen on day ${index + 1}`,
    ).toBeLessThanOrEqual(100);
    if (index + 1 < gone)
      expect(Math.abs(one.gone - gone), `day, foreseen on day ${index + 1}`).toBeLessThanOrEqual(3);
  }
});

test('the sentence says what lasts', async () => {
  const service = new Service();
  for (let day = 1; day <= 8; day += 1) {
    clock.set(FIRST + (day - 1) * DAY + 12 * HOUR);
    await service.spend(100);
  }
  const said = (day: number) => {
    clock.set(FIRST + day * DAY + MINUTE);
    const { account } = start();
    account.observe(service.access());
    const { forecast } = account.known();
    return forecast && forecastSentence(forecast);
  };
  expect(said(8)).toBe('at the usual 100 a day the credits are gone on 10 Nov; 9 a day would last');
  await service.spend(140);
  expect(said(9)).toContain('are gone on 10 Nov');
  await service.spend(60);
  expect(said(10)).toBe('the credits are gone until the reset');
});
