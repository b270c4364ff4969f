import { expect, it } from 'vitest';
import { failure } from '../../src/sandbox/response.ts';
import { startCron } from './cron.ts';
import { cardsFrom, DAY, HOUR } from './support.ts';

const START = Date.UTC(2026, 10, 20, 6, 5);

it.each([
  { title: 'answered', isRefused: false },
  { title: 'refused', isRefused: true },
])('settings are asked for once a UTC day: $title', async ({ isRefused }) => {
  const cron = await startCron({
    details: cardsFrom(START - DAY, 8, 4),
    start: START,
    instead: ({ operation }) => (isRefused && operation === 'screeners' ? failure(404) : undefined),
  });
  const isAskedIn = async () => {
    const { requests } = await cron.export('--no-outcomes', '--no-stats');
    return requests.some(({ operation }) => operation === 'screeners');
  };
  const morning = await isAskedIn();
  await cron.clock.sleep(8 * HOUR);
  const evening = await isAskedIn();
  await cron.clock.sleep(16 * HOUR);
  const nextDay = await isAskedIn();
  expect({ morning, evening, nextDay }).toEqual({ morning: true, evening: false, nextDay: true });
});
