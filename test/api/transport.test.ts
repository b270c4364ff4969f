import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTransport } from '../../src/api/transport.ts';
import { ApiServer, KEY } from '../support/server.ts';

let server: ApiServer;

beforeAll(async () => {
  server = await ApiServer.start();
});
afterAll(() => server.close());

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
