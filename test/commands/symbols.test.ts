import { expect } from 'vitest';
import { TestClock } from '../support/context.ts';
import { it } from '../support/fixtures.ts';

it.for([
  { words: ['symbols'], same: ['stats', '--local', '--by', 'symbol'] },
  { words: ['symbols', 'btcusdt'], same: ['stats', '--local', '--by', 'type', '--symbol', 'BTCUSDT'] },
])('$words gives the figures of $same', async ({ words, same }, { server, here }) => {
  const clock = new TestClock();
  const [symbols, stats] = await Promise.all(
    [words, same].map((args) => here(['--demo', ...args, '--json'], { clock })),
  );
  expect(symbols).toMatchObject({ code: 0, stdout: stats?.stdout });
  expect(JSON.parse(symbols?.stdout ?? '').items.length).toBeGreaterThan(3);
  expect(server.requests).toEqual([]);
});
