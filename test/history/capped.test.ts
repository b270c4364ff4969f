/** An account with more new cards than a small limit of the user can list: it gets outcomes all the same. */
import { expect, it } from 'vitest';
import { startCron } from './cron.ts';
import { cardsFrom, DAY, NOW } from './support.ts';

it.each([
  { limit: 2, least: { pages: 1, outcomes: 1 } },
  { limit: 12, least: { pages: 6, outcomes: 5 } },
])(
  '--max-credits $limit: the list leaves half to outcomes, on each day',
  async ({ limit, least }) => {
    const details = cardsFrom(NOW - 6 * DAY, 9 * 200, 200).reverse();
    const cron = await startCron({ details, start: NOW });
    for (const day of [1, 2, 3]) {
      const { code, requests } = await cron.export(
        '--max-credits',
        String(limit),
        '--no-stats',
        '--no-screeners',
      );
      const pages = requests.filter(({ operation }) => operation === 'signals').length;
      const outcomes = requests.filter(({ operation }) => operation === 'signal').length;
      // Nothing is known of due outcomes before the first pages.
      const isKnown = day > 1;
      expect({
        day,
        code,
        pages: pages >= least.pages,
        outcomes: !isKnown || outcomes >= least.outcomes,
      }).toEqual({ day, code: 0, pages: true, outcomes: true });
      await cron.clock.sleep(DAY);
    }
  },
);

it('--max-credits 20: older cards leave half to outcomes, on each day', async () => {
  const details = cardsFrom(NOW - 90 * DAY, 95 * 20, 20).reverse();
  const cron = await startCron({ details, start: NOW });
  // All of the last 30 days are listed.
  await cron.export('--max-credits', '50', '--no-stats', '--no-screeners');
  for (const day of [2, 3, 4]) {
    await cron.clock.sleep(DAY);
    const { code, requests } = await cron.export(
      '--max-credits',
      '20',
      '--no-stats',
      '--no-screeners',
    );
    const pages = requests.filter(({ operation }) => operation === 'signals').length;
    const outcomes = requests.filter(({ operation }) => operation === 'signal').length;
    expect({ day, code, pages: pages >= 9, outcomes: outcomes >= 9 }).toEqual({
      day,
      code: 0,
      pages: true,
      outcomes: true,
    });
  }
  const oldest = Math.min(...cron.cards().map(({ created_at }) => Date.parse(created_at)));
  expect(oldest).toBeLessThan(NOW - 40 * DAY);
});
