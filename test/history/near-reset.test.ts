/** The last days before the credits are reset, when the day's credits bind rather than the month's. */
import { expect, it } from 'vitest';
import { startCron } from './cron.ts';
import { cardsFrom, DAY } from './support.ts';

it('two days before the reset an export can spend the credits of two days, not the 850 that are left', async () => {
  const start = Date.UTC(2026, 10, 29, 8);
  const details = cardsFrom(start - 6 * DAY, 600, 100);
  const cron = await startCron({ details, start, dayCredits: 150, monthCredits: 1000 });
  await cron.export();
  expect(cron.heard.reduce((sum, { credits }) => sum + credits, 0)).toBe(150);
  const plan = JSON.parse((await cron.command('signals', 'export', '--plan', '--json')).stdout);
  const { outcomes_a_day, credits_left, outlook } = plan;
  expect({ credits_left, to_buy: plan.counts.to_buy, bought: plan.counts.bought }).toEqual({
    credits_left: 850,
    to_buy: 375,
    bought: 125,
  });
  expect(outcomes_a_day, 'null says: the credits suffice for all').not.toBeNull();
  expect(outcomes_a_day * 2, 'outcomes of both days').toBeLessThanOrEqual(125 + 150);
  expect(outlook.bought_by_reset, 'outcomes from now on').toBeLessThanOrEqual(150);
  expect(outlook.credits_a_day).toBeLessThanOrEqual(150);
});
