import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTransport } from '../../src/api/transport.ts';
import { DAY } from '../../src/base/units.ts';
import { ApiServer, KEY, NEVER, ok } from '../support/server.ts';

let server: ApiServer;

beforeAll(async () => {
  server = await ApiServer.start();
});
afterAll(() => server.close());

/** The status of an answer, by a transport of its own. */
async function statusOf(exchange: { timeout: number; signal: AbortSignal }): Promise<number> {
  const transport = createTransport({
    baseUrl: server.baseUrl,
    key: KEY,
    userAgent: 'test',
    env: {},
  });
  const { status } = await transport({ target: '/access', onLeaving: () => {}, ...exchange });
  return status;
}

it('waits for an answer also where the time limit is longer than any timer of Node', async () => {
  server.next('/access', { ...ok({}), delay: 50 });
  const { signal } = new AbortController();
  expect(await statusOf({ timeout: 25 * DAY, signal })).toBe(200);
});

it('ends in a timeout when no answer comes within the time limit', async () => {
  server.next('/access', { after: NEVER });
  const { signal } = new AbortController();
  await expect(statusOf({ timeout: 100, signal })).rejects.toMatchObject({
    message: 'no complete answer within 0.1 s',
    isTimeout: true,
  });
});

it('sends nothing once the program is to stop', async () => {
  const stopped = AbortSignal.abort(new Error('Ctrl-C'));
  const sentBefore = server.requests.length;
  await expect(statusOf({ timeout: 30_000, signal: stopped })).rejects.toThrow('Ctrl-C');
  expect(server.requests).toHaveLength(sentBefore);
});

it('leaves nothing that listens to the program when an exchange is over', async () => {
  const program = new AbortController();
  const status = await statusOf({ timeout: 30_000, signal: program.signal });
  const listeners = getEventListeners(program.signal, 'abort').length;
  expect({ status, listeners }).toEqual({ status: 200, listeners: 0 });
});
