/** Runs that may spend a credit or two: each part of an export gets its turn, and none takes them all for days. */
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/base/units.ts';
import { awkwardList } from '../support/awkward.ts';
import { type CronOptions, startCron } from './cron.ts';
import { cardOf, cardsFrom, NOW } from './support.ts';

it.each([
  { credits: 1, hours: 24, runs: 12, words: ['--no-screeners'], least: { list: 4, outcomes: 4 } },
  { credits: 1, hours: 24, runs: 12, words: [], least: { list: 3, outcomes: 3, settings: 3 } },
  { credits: 2, hours: 24, runs: 10, words: [], least: { list: 5, outcomes: 4, settings: 3 } },
  { credits: 3, hours: 24, runs: 8, words: [], least: { list: 5, outcomes: 4, settings: 3 } },
  { credits: 1, hours: 168, runs: 9, words: [], least: { list: 2, outcomes: 2, settings: 2 } },
  { credits: 1, hours: 1, runs: 15, words: [], least: { list: 1, outcomes: 5, settings: 1 } },
])(
  '--max-credits $credits, every $hours hours: $words',
  async ({ credits, hours, runs, words, least }) => {
    const details = cardsFrom(NOW - 20 * DAY, 20 * 90, 20);
    const cron = await startCron({ details, start: NOW });
    for (let run = 0; run < runs; run += 1) {
      const { code } = await cron.export('--no-stats', '--max-credits', String(credits), ...words);
      expect({ run, code }).toEqual({ run, code: 0 });
      await cron.clock.sleep(hours * HOUR);
    }
    const count = (name: string) => cron.heard.filter(({ operation }) => operation === name).length;
    const spent = {
      list: count('signals'),
      outcomes: count('signal'),
      settings: count('screeners'),
    };
    const enough = Object.entries(least).filter(
      ([part, times]) => spent[part as keyof typeof spent] >= times,
    );
    expect(Object.fromEntries(enough), JSON.stringify(spent)).toEqual(least);
  },
);

it.each<{ what: string; options: Omit<CronOptions, 'start'> }>([
  {
    what: 'comes in no order, and has no page that counts as read',
    options: {
      details: cardsFrom(NOW - 20 * DAY, 20 * 72, 72),
      list: awkwardList({ order: 'recorded' }),
    },
  },
  {
    what: 'ends with a card without a time: its newest part is a gap',
    options: {
      details: Array.from({ length: 30 }, (_, i) => cardOf(30 - i, 72 * i - 96)),
      instead: ({ operation }, real) => {
        if (operation !== 'signals') return undefined;
        const { body, ...response } = real();
        return { ...response, body: body.replace(/("id":29,.*?"created_at":)"[^"]*"/, '$1 5') };
      },
    },
  },
])('with one credit a day, outcomes get their turn where the list $what', async ({ options }) => {
  const cron = await startCron({ ...options, start: NOW });
  for (let run = 0; run < 8; run += 1) {
    await cron.export('--no-stats', '--no-screeners', '--max-credits', '1');
    await cron.clock.sleep(DAY);
  }
  const paid = cron.heard.filter(({ credits }) => credits > 0);
  expect(paid.filter(({ operation }) => operation === 'signal').length).toBeGreaterThan(2);
  expect(paid.filter(({ operation }) => operation === 'signals').length).toBeGreaterThan(2);
});
