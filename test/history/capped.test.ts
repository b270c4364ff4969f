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
