import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTransport } from '../../src/api/transport.ts';
import { DAY } from '../../src/base/units.ts';
import { ApiServer, KEY, ok } from '../support/server.ts';

let server: ApiServer;

beforeAll(async () => {
  server = await ApiServer.start();
});
afterAll(() => server.close());

it('waits for an answer also where the time limit is longer than any timer of Node', async () => {
  server.next('/access', { ...ok({}), delay: 50 });
  const transport = createTransport({
    baseUrl: server.baseUrl,
    key: KEY,
    userAgent: 'test',
    env: {},
  });
  const { status } = await transport({
    target: '/access',
    timeout: 25 * DAY,
    signal: new AbortController().signal,
    onLeaving: () => {},
  });
  expect(status).toBe(200);
});

it('leaves nothing that listens to the program when an exchange is over', async () => {
  const program = new AbortController();
  const transport = createTransport({
    baseUrl: server.baseUrl,
    key: KEY,
    userAgent: 'test',
    env: {},
  });
  const { status } = await transport({
    target: '/access',
    timeout: 30_000,
    signal: program.signal,
    onLeaving: () => {},
  });
  const listeners = getEventListeners(program.signal, 'abort').length;
  expect({ status, listeners }).toEqual({ status: 200, listeners: 0 });
});
