import * as v from 'valibot';
import { expect, it } from 'vitest';
import { Envelope } from '../../src/api/contract/resources.ts';
import { OPERATIONS as PROGRAM } from '../../src/api/operations.ts';
import { OPERATIONS } from '../support/operations.ts';
import { worldOf } from '../support/sandbox.ts';
import { bench, detail, details, errorOf, KEY, marketWorld, walkAll } from './support.ts';

const PATHS = OPERATIONS.map(({ path }) => path.replace('{id}', '1'));
const world = worldOf(details(3));

it.each([{}, { authorization: 'Bearer another' }, { authorization: KEY }, { authorization: `Basic ${KEY}` }])(
  'every path is refused with 401 for %o, before anything else',
  (headers) => {
    const { get, api } = bench();
    for (const path of [...PATHS, '/nothing']) expect(get(path, headers as Record<string, string>).status).toBe(401);
    expect(get('/signals', { authorization: `Bearer ${KEY}` }, 'POST').status).toBe(405);
    expect(api.quota.month).toBe(0);
  },
);

it.each([
  ['/nothing', 404],
  ['/signals/1/outcome', 404],
  ['/signals/', 404],
  ['', 404],
  ['/signals/4', 404],
  [`/signals/${'9'.repeat(60)}`, 404],
  ['/signals/0', 422],
  ['/signals/abc', 422],
  ['/signals/1.5', 422],
])('%s is %i', (path, status) => {
  const answer = bench({ world }).get(path);
  expect([answer.status, errorOf(answer)]).toEqual([
    status,
    status === 404 ? 'NOT_FOUND' : expect.stringMatching('id'),
  ]);
});

it('a card is served as it is, with fields the document does not know', () => {
  const own = detail(7, { novelty: { deep: [1] }, entry_context: { rsi: 31.5 } } as never);
  const { resource } = bench({ world: worldOf([own]) });
  expect(resource('/signals/7')).toEqual(own);
  const { outcome: _o, entry_context: _c, context_scope: _s, ...card } = own;
  expect(resource<{ items: unknown[] }>('/signals').items).toEqual([card]);
});

it.each([marketWorld(), marketWorld(77)])('every answer is one the document allows, of errors too', (of) => {
  const here = bench({ world: of });
  const [id] = walkAll(here, 'limit=25');
  for (const { schema, path } of Object.values(PROGRAM)) {
    expect(() => v.parse(schema, here.resource(path.replace('{id}', String(id)))), path).not.toThrow();
  }
  for (const path of ['/nothing', '/signals?limit=0']) v.parse(Envelope, JSON.parse(here.get(path).body));
});
