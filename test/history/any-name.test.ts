/** Screener types may have any name, also one that every object has by nature. */
import { expect, it } from 'vitest';
import { startCron } from './cron.ts';
import { cardOf, DAY, NOW } from './support.ts';

const NAMES = ['__proto__', 'constructor', 'prototype'];

it('types named __proto__, constructor and prototype keep the medians that were paid for', async () => {
  const details = Array.from({ length: 400 }, (_, i) =>
    cardOf(i + 1, 800 - 2 * i, { source_bot_type: NAMES[i % NAMES.length] ?? '' }),
  ).reverse();
  const cron = await startCron({ details, start: NOW, dayCredits: 120, monthCredits: 700 });
  expect((await cron.export()).code).toBe(0);
  await cron.clock.sleep(DAY);
  expect((await cron.export()).code).toBe(0);
  const asked = cron.heard.filter(
    ({ operation, status }) => operation === 'stats' && status === 200,
  );
  expect(asked.map(({ query }) => query.screener_type).toSorted()).toEqual(NAMES);
  const ran = await cron.command('stats', '--from', cron.dir, '--by', 'type', '--json');
  const { items } = JSON.parse(ran.stdout);
  const types = Object.fromEntries(
    items.map(({ group, horizons }: { group: string; horizons: Record<string, object> }) => {
      return [`type ${group}`, horizons['24h']];
    }),
  );
  const withMedians = expect.objectContaining({
    vs_others_from: 'service',
    service_windows: 1,
    next_medians_at: expect.any(String),
  });
  expect(types).toEqual(Object.fromEntries(NAMES.map((name) => [`type ${name}`, withMedians])));
});
