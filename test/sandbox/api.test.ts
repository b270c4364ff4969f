import { describe, expect, it } from 'vitest';
import { Envelope } from '../../src/api/contract/resources.ts';
import { OPERATIONS as PROGRAM } from '../../src/api/operations.ts';
import { OPERATIONS } from '../support/operations.ts';
import { worldOf } from '../support/resources.ts';
import { bench, detail, details, errorOf, KEY, marketWorld, passes, walkAll } from './support.ts';

const PATHS = OPERATIONS.map(({ path }) => path.replace('{id}', '1'));
const world = worldOf(details(3));

it.each([{}, { authorization: 'Bearer another' }, { authorization: KEY }, { authorization: `Basic ${KEY}` }])(
  'every path is refused with 401 for %o, before anything else',
  (headers) => {
    const { get, api } = bench();
    for (const path of [...PATHS, '/nothing']) expect(get(path, headers as Record<string, string>).status).toBe(401);
    expect(api.quota.month).toBe(0);
  },
);

describe('paths and methods', () => {
  it.each(['/nothing', '/signals/1/outcome', '/signals/', '', '/access/', '/constructor'])(
    '%s is NOT_FOUND',
    (path) => {
      const answer = bench({ world }).get(path);
      expect({ status: answer.status, error: errorOf(answer) }).toEqual({ status: 404, error: 'NOT_FOUND' });
    },
  );

  it.each(['POST', 'HEAD'])('%s is refused, at no charge', (method) => {
    const { get, api } = bench();
    const answer = get('/signals', { authorization: `Bearer ${KEY}` }, method);
    expect({ status: answer.status, allow: answer.headers.allow, month: api.quota.month }).toEqual({
      status: 405,
      allow: 'GET',
      month: 0,
    });
  });
});

describe('a card', () => {
  it('that does not exist is NOT_FOUND, whatever the id', () => {
    const { get } = bench({ world });
    const answers = ['4', '9007199254740993', '9'.repeat(60)].map((id) => get(`/signals/${id}`));
    expect(answers.map(({ status, body }) => [status, JSON.parse(body).errors])).toEqual(
      answers.map(() => [404, 'NOT_FOUND']),
    );
  });

  it.each(['0', '-1', 'abc', '1.5', '1e3', '%31'])('id %s is an invalid argument', (id) => {
    const answer = bench({ world }).get(`/signals/${id}`);
    expect({ status: answer.status, error: errorOf(answer) }).toEqual({
      status: 422,
      error: expect.stringContaining('id'),
    });
  });

  it('is served as it is, with fields the document does not know', () => {
    const own = detail(7, { novelty: { deep: [1] }, entry_context: { rsi: 31.5 } } as never);
    const { resource } = bench({ world: worldOf([own]) });
    expect(resource('/signals/7')).toEqual(own);
    const { outcome: _o, entry_context: _c, context_scope: _s, ...card } = own;
    expect(resource<{ items: unknown[] }>('/signals').items).toEqual([card]);
  });
});

it('access shows credits as charged so far, and costs nothing', () => {
  const { get, resource } = bench({ monthCredits: 1000, allowances: { per_minute: 15 } });
  for (const path of ['/signals', '/signal-stats', '/access']) get(path);
  expect(resource('/access')).toMatchObject({
    plan: 'PRO',
    per_minute: 15,
    credits: { used: 6, limit: 1000, remaining: 994, resets_at: '2026-12-01T00:00:00Z' },
  });
});

it.each([marketWorld(), marketWorld(77), worldOf([])])(
  'every answer is one the document allows, of errors too',
  (of) => {
    const here = bench({ world: of });
    const [id] = walkAll(here, 'limit=25');
    for (const { schema, path } of Object.values(PROGRAM)) {
      if (id !== undefined || !path.includes('{id}'))
        expect(passes(schema, here.resource(path.replace('{id}', String(id)))), path).toBe('passes');
    }
    for (const path of ['/nothing', '/signals?limit=0'])
      expect(passes(Envelope, JSON.parse(here.get(path).body))).toBe('passes');
  },
);
