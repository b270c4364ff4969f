import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/base/units.ts';
import { forecastSentence } from '../../src/output/views/access.ts';
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
  /** A command: a free look, then so many credits, in requests of ten: a forecast counts credits alone. */
  async spend(credits: number): Promise<void> {
    const command = start();
    command.account.observe(this.access());
    for (let left = credits; left > 0; left -= 10) {
      const cost = Math.min(10, left);
      await send(command, clock, { status: 200 }, 0, request('/signals/{id}', cost));
      this.used += cost;
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

/** What is usually spent a day, as foreseen each morning (day of the month), where only a neighbour spends. */
async function usual(credits: (day: number) => number) {
  const service = new Service();
  const foreseen: Record<number, number | undefined> = {};
  for (let day = 1; day <= 28; day += 1) {
    clock.set(FIRST + (day - 1) * DAY + 6 * HOUR);
    const looking = start();
    await send(looking, clock, { status: 200 }, 0, request('/access', 0));
    looking.account.observe(service.access());
    foreseen[day] = looking.account.known().forecast?.perDay;
    service.used = Math.min(1000, service.used + credits(day));
  }
  return foreseen;
}

test('a neighbour who takes 60 a day from the 10th on is foreseen on the 12th', async () => {
  const foreseen = await usual((day) => (day >= 10 ? 60 : 0));
  expect(foreseen).toMatchObject({ 10: 0, 11: 0, 12: 60, 13: 60, 24: 60 });
});

test('one burst is no habit', async () => {
  const foreseen = await usual((day) => (day === 10 ? 150 : 4));
  expect(Object.values(foreseen).slice(3)).toEqual(Array(25).fill(4));
});

test('a neighbour who has stopped is foreseen to spend nothing on the second day without him', async () => {
  const foreseen = await usual((day) => (day < 10 ? 40 : 0));
  expect(foreseen).toMatchObject({ 10: 40, 12: 0, 13: 0, 23: 0 });
});

test.each([
  // 1 November 2026 is a Sunday.
  { who: 'only at weekends', spends: (day: number) => (day % 7 <= 1 ? 28 : 0), perDay: 8 },
  { who: 'only on workdays', spends: (day: number) => (day % 7 > 1 ? 21 : 0), perDay: 15 },
  { who: 'every second day', spends: (day: number) => (day % 2) * 20, perDay: 10 },
])('who spends $who is no change each time', async ({ spends, perDay }) => {
  const foreseen = await usual(spends);
  for (let day = 16; day <= 28; day += 1)
    expect({ day, credits: foreseen[day] }).toEqual({ day, credits: perDay });
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
