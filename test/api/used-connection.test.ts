import { expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { TestClock, testContext } from '../support/context.ts';
import { createHome } from '../support/home.ts';
import { listing } from '../support/listing.ts';
import * as samples from '../support/samples.ts';
import { ApiServer, ok } from '../support/server.ts';

async function run(server: ApiServer, ...argv: string[]) {
  const { config, state, remove } = createHome();
  const clock = new TestClock();
  const context = testContext({ argv, clock, env: server.env, directories: { config, state } });
  try {
    const code = await main(context);
    // Half-second looks of the gate and spinners aside.
    return { code, context, waits: clock.sleeps.filter((millis) => millis >= 1_000) };
  } finally {
    await server.close();
    remove();
  }
}

test('a connection that the server closed after an answer is not a lost answer', async () => {
  const server = await ApiServer.start();
  const pages = listing(samples.cards(30));
  server.always('/signals', (asked) => (server.requests.length === 2 ? { cut: 'at once' } : pages(asked)));
  const { code, context, waits } = await run(server, 'signals', 'ls', '-n', '30', '--ndjson');
  expect(code).toBe(0);
  expect(context.stdout.text.trim().split('\n')).toHaveLength(30);
  // Sent again at once on a new connection; nothing is possibly charged.
  expect(waits).toEqual([]);
  expect(context.stderr.text).toContain('2 credits spent');
  expect(context.stderr.text).not.toContain('if failed requests count');
  expect(server.requests).toHaveLength(3);
});

test('on a new connection it may be: counted as possibly charged, and tried again later', async () => {
  const server = await ApiServer.start();
  server.always('/market-snapshot', ok(samples.snapshot())).next('/market-snapshot', { cut: 'at once' });
  const { code, context, waits } = await run(server, 'snapshot', '--json');
  expect(code).toBe(0);
  expect(waits.length).toBeGreaterThan(0);
  expect(context.stderr.text).toContain('up to 1 more');
});

test('statistics are not sent twice, whatever the connection', async () => {
  const server = await ApiServer.start();
  server.always('/access', ok(samples.access())).always('/signal-stats', { cut: 'at once' });
  const { code } = await run(server, 'stats', '--json');
  expect(code).toBe(8);
  expect(server.to('/signal-stats')).toHaveLength(1);
});
