import { describe, expect, it } from 'vitest';
import { startSandbox, worldOf } from '../support/sandbox.ts';
import { bench, details } from './support.ts';

const world = worldOf(details(60));

describe('a fault', () => {
  it.each([
    ['signals:2:503', [200, 503, 200]],
    ['signals:2+:503', [200, 503, 503]],
    ['signals:*:503', [503, 503, 503]],
    ['stats:*:503', [200, 200, 200]],
  ])('%s meets the requests it names', (fault, statuses) => {
    const { get } = bench({ world, faults: [fault] });
    expect([1, 2, 3].map(() => get('/signals').status)).toEqual(statuses);
  });

  it('is an Envelope, uncharged, with Retry-After if told so, or no JSON', () => {
    const { get, api } = bench({
      world,
      faults: ['signals:1:503:retry-after=3', 'signals:2:garbage'],
    });
    const { status, headers, body } = get('/signals');
    expect({ status, retryAfter: headers['retry-after'], month: api.quota.month }).toEqual({
      status: 503,
      retryAfter: '3',
      month: 0,
    });
    expect(JSON.parse(body)).toEqual({
      hasError: true,
      response: null,
      errors: expect.any(String),
    });
    expect(get('/signals')).toMatchObject({ status: 200, body: 'this is not JSON' });
    expect(get('/signals').headers).not.toHaveProperty('retry-after');
  });

  it('waits before it answers only if told so', () => {
    const { get } = bench({ world, faults: ['signals:1:200:delay=1500'] });
    expect([1, 2].map(() => get('/signals').delay)).toEqual([1500, 0]);
  });
});

it.each(['hang', '200:delay=60000'])(
  'closing a socket does not wait for %s, and frees the port',
  async (word) => {
    const { baseUrl, requests, close, key } = await startSandbox({
      world,
      faults: [`signals:1:${word}`],
    });
    const lost = fetch(`${baseUrl}/signals`, { headers: { authorization: `Bearer ${key}` } }).catch(
      () => 'lost',
    );
    await expect.poll(() => requests.length).toBe(1);
    const port = Number(new URL(baseUrl).port);
    await expect(startSandbox({ port })).rejects.toMatchObject({
      code: 'usage',
      message: `Port ${port} is in use.`,
    });
    await close();
    expect(await lost).toBe('lost');
    await (await startSandbox({ port })).close();
  },
);

it('an answer that is told to wait is sent after its time', async () => {
  const { baseUrl, close, key } = await startSandbox({ world, faults: ['signals:1:200:delay=1'] });
  const answer = await fetch(`${baseUrl}/signals`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(10_000),
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ hasError: false });
  await close();
});
