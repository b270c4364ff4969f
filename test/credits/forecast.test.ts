import { describe, expect, test } from 'vitest';
import { ScreenerError } from '../../src/errors.ts';
import { forecastSentence } from '../../src/output/views/access.ts';
import { DAY, HOUR, MINUTE } from '../../src/runtime/units.ts';
import { access, dice, ledgerHere, request, send } from './world.ts';

const FIRST = Date.UTC(2026, 10, 1);
const RESET = Date.UTC(2026, 11, 1);

const { clock, start } = ledgerHere(FIRST);

/** The service's own count. */
class Service {
  used = 0;
  access() {
    return access({ used: this.used, per_minute: 1_000_000 });
  }
  /** A command: a free look, then so many credits as the gate lets it spend. */
  async spend(credits: number, keep = 0, fills = false): Promise<number> {
    const one = start({ keep });
    if (fills) one.account.markAsFirstExport();
    one.account.observe(this.access());
    let spent = 0;
    try {
      for (; spent < credits; spent += 1) {
        await send(one, clock, { status: 200 }, 0, request('/signals/{id}', 1));
        this.used += 1;
      }
    } catch (error) {
      if (!(error instanceof ScreenerError && error.code === 'budget_reached')) throw error;
    }
    return spent;
  }
}

interface Month {
  readonly foreseen: { readonly left: number; readonly event: number }[];
  readonly left: number;
  /** The day on which cron had to stop, or all was gone; 31 where neither came. */
  readonly event: number;
  readonly leftAfterCron: number[];
}

/** A month of a trader who spends as he likes, another machine, and a cron job that keeps a reserve. */
async function month(perDay: { cron: number; trader: number; elsewhere: number }, keep: number): Promise<Month> {
  const service = new Service();
  const random = dice(7);
  const foreseen: Month['foreseen'] = [];
  const leftAfterCron: number[] = [];
  let event = 31;
  for (let day = 1; day <= 30; day += 1) {
    clock.set(FIRST + (day - 1) * DAY + 6 * HOUR);
    const spent = await service.spend(perDay.cron, keep);
    if (spent > 0) leftAfterCron.push(1000 - service.used);
    if (spent < perDay.cron) event = Math.min(event, day);
    service.used = Math.min(1000, service.used + perDay.elsewhere);
    clock.set(FIRST + (day - 1) * DAY + 18 * HOUR);
    await service.spend(Math.min(1000 - service.used, Math.round(perDay.trader * (0.5 + random()))));
    const looking = start();
    looking.account.observe(service.access());
    const forecast = looking.account.forecast();
    const at = forecast?.keptFrom ?? forecast?.goneAt ?? RESET;
    foreseen.push({ left: forecast?.leftAtReset ?? 0, event: Math.min(31, Math.floor((at - FIRST) / DAY) + 1) });
  }
  return { foreseen, left: 1000 - service.used, event, leftAfterCron };
}

describe('a month', () => {
  test.each([
    ['a trader, a cron job and --keep 300', { cron: 35, trader: 10, elsewhere: 0 }, 300],
    ['with another machine', { cron: 25, trader: 8, elsewhere: 5 }, 300],
    ['that suffices', { cron: 20, trader: 6, elsewhere: 0 }, 300],
  ])(
    '%s: cron never crosses the reserve, and from day 5 on the forecast is right within 10 %%',
    async (_, rates, keep) => {
      const { foreseen, left, event, leftAfterCron } = await month(rates, keep);
      expect(Math.min(...leftAfterCron)).toBeGreaterThanOrEqual(keep);
      for (const [index, { left: expected, event: day }] of foreseen.entries()) {
        if (index + 1 < 5) continue;
        expect(Math.abs(expected - left), `credits left, foreseen on day ${index + 1}`).toBeLessThanOrEqual(100);
        if (index + 1 < event)
          expect(Math.abs(day - event), `day, foreseen on day ${index + 1}`).toBeLessThanOrEqual(3);
      }
    },
  );
});

test('the sentence says what lasts', async () => {
  const service = new Service();
  for (let day = 1; day <= 8; day += 1) {
    clock.set(FIRST + (day - 1) * DAY + 12 * HOUR);
    await service.spend(100);
  }
  clock.set(FIRST + 8 * DAY + MINUTE);
  const { account } = start();
  account.observe(service.access());
  const forecast = account.forecast();
  expect(forecast && forecastSentence(forecast)).toBe('at 100 a day gone on 10 Nov; 9 a day would last');
  expect(forecastSentence({ ...(forecast as never as object), goneAt: undefined, perDay: 6 } as never)).toBe(
    "at 6 a day the month's credits last until the reset",
  );
});

test('the day on which a first export filled a history is no habit', async () => {
  const service = new Service();
  clock.set(FIRST + 12 * HOUR);
  await service.spend(140, 0, true);
  await service.spend(6);
  clock.set(FIRST + DAY + MINUTE);
  const { account } = start();
  account.observe(service.access());
  expect(account.forecast()).toMatchObject({ perDay: 6, goneAt: undefined });
});
