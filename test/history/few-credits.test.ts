/** Runs that may spend a credit or two: each part of an export gets its turn, and none takes them all for days. */
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/base/units.ts';
import { startCron } from './cron.ts';
import { cardsFrom, NOW } from './support.ts';

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
