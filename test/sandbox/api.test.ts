import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/api/operations.ts';
import { COST } from '../../src/sandbox/operations.ts';
import { worldOf } from '../support/resources.ts';
import { bench, detail, details, errorOf, KEY } from './support.ts';

const PATHS = ['/access', '/market-snapshot', '/screeners', '/signals', '/signals/1', '/signal-stats'];

describe('the key', () => {
  it.each([
    [{}, 'absent'],
    [{ authorization: 'Bearer another' }, 'wrong'],
    [{ authorization: KEY }, 'without the scheme'],
    [{ authorization: `Basic ${KEY}` }, 'of another scheme'],
    [{ authorization: `Bearer ${KEY}x` }, 'longer'],
  ] as [Record<string, string>, string][])('refuses every path with 401: %o (%s)', (headers) => {
    const { get, api } = bench();
    for (const path of [...PATHS, '/nothing']) {
      const answer = get(path, headers);
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toEqual({ hasError: true, response: null, errors: expect.any(String) });
    }
    expect(api.quota).toEqual({ month: 0, day: 0 });
    expect(api.requests.every((entry) => !entry.authorized)).toBe(true);
  });

  it('takes the scheme in any case, as HTTP says', () => {
    expect(bench().get('/access', { authorization: `bearer ${KEY}` }).status).toBe(200);
  });

  it('never appears in the log', () => {
    const { get, api } = bench();
    get('/access');
    expect(JSON.stringify(api.requests)).not.toContain(KEY);
  });
});

describe('paths and methods', () => {
  it.each(PATHS)('%s answers a GET with the Envelope', (path) => {
    const answer = bench({ world: worldOf(details(3)) }).get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(JSON.parse(answer.body)).toEqual({ hasError: false, response: expect.any(Object), errors: null });
  });

  it.each(['/nothing', '/signals/1/outcome', '/signals/', '', '/access/', '/constructor'])(
    '%s is NOT_FOUND',
    (path) => {
      const answer = bench({ world: worldOf(details(3)) }).get(path);
      expect(answer.status).toBe(404);
      expect(errorOf(answer)).toBe('NOT_FOUND');
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'HEAD'])('%s is refused, at no charge', (method) => {
    const { get, api } = bench();
    const answer = get('/signals', { authorization: `Bearer ${KEY}` }, method);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('GET');
    expect(api.quota.month).toBe(0);
  });
});

describe('a card', () => {
  it('that does not exist is NOT_FOUND, whatever the id', () => {
    const { get } = bench({ world: worldOf(details(3)) });
    const answers = ['4', '999999999', '9007199254740993', '9'.repeat(60)].map((id) => get(`/signals/${id}`));
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(errorOf(answers[0] as never)).toBe('NOT_FOUND');
  });

  it.each(['0', '-1', 'abc', '1.5', '1e3', '%31', '+1'])('id %s is an invalid argument', (id) => {
    const answer = bench({ world: worldOf(details(3)) }).get(`/signals/${id}`);
    expect(answer.status).toBe(422);
    expect(errorOf(answer)).toContain('id');
  });

  it('is served as it is, with fields the document does not know', () => {
    const own = detail(7, { novelty: { deep: [1] }, entry_context: { rsi: 31.5 } } as never);
    const { resource } = bench({ world: worldOf([own]) });
    expect(resource('/signals/7')).toEqual(own);
    const { outcome: _o, entry_context: _c, context_scope: _s, ...card } = own;
    expect(resource<{ items: unknown[] }>('/signals').items).toEqual([card]);
  });
});

describe('access', () => {
  it('shows credits as charged so far, and costs nothing', () => {
    const { get, resource } = bench({ monthCredits: 1000, perMinute: 15 });
    get('/signals');
    get('/signal-stats');
    get('/access');
    expect(resource('/access')).toMatchObject({
      plan: 'PRO',
      per_minute: 15,
      credits: { used: 6, limit: 1000, remaining: 994, resets_at: '2026-12-01T00:00:00Z' },
    });
  });

  it('agrees with the costs the client counts on', () => {
    const theirs = Object.fromEntries(Object.entries(OPERATIONS).map(([name, { cost }]) => [name, cost]));
    expect(theirs).toEqual(COST);
  });
});

it('a world can be replaced while it runs', () => {
  const { api, resource } = bench({ world: worldOf(details(3)) });
  api.setWorld(worldOf([detail(9)]));
  expect(resource<{ items: { id: number }[] }>('/signals').items.map((item) => item.id)).toEqual([9]);
});
