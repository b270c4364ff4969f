/** The same awkward service, whoever walks its list: `ls`, `watch` and the export read the same cards to the same end. */
import path from 'node:path';
import { describe, expect } from 'vitest';
import { stateOf, stored } from '../history/support.ts';
import { TestClock } from '../support/context.ts';
import { it, parseLines } from '../support/fixtures.ts';
import { listing } from '../support/listing.ts';
import * as samples from '../support/samples.ts';
import { type Answer, failure, ok, type Recorded } from '../support/server.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 30);
const ALL = samples.cards(60);
const idsOf = (cards: readonly samples.Json[]) => cards.map(({ id }) => Number(id)).sort((a, b) => a - b);

type List = (request: Recorded) => Answer;
type Page = samples.Json & { items: samples.Json[]; next_cursor: string | null };

const pageOf = (answer: Answer): Page => JSON.parse(String(answer.body)).response;
/** What a list answers, changed on its way out. */
const changed = (list: List, change: (page: Page, request: Recorded) => Page): List => {
  return (request) => {
    const answer = list(request);
    return answer.status === undefined ? ok(change(pageOf(answer), request)) : answer;
  };
};

/** A cursor that carries how many empty pages come before what it stands for. */
function withEmptyPages(count: number): List {
  const list = listing(ALL);
  return (request) => {
    const [, left = '0', real = ''] = /^e(\d)(.*)$/.exec(request.query.cursor ?? '') ?? [];
    if (Number(left) > 0) {
      const empty = pageOf(list({ ...request, query: without(request.query, 'cursor') }));
      return ok({ ...empty, items: [], next_cursor: `e${Number(left) - 1}${real}` });
    }
    const query = real === '' ? request.query : { ...request.query, cursor: real };
    return changed(list, (page) => ({
      ...page,
      next_cursor: page.next_cursor === null ? null : `e${count}${page.next_cursor}`,
    }))({ ...request, query });
  };
}

function without(query: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([other]) => other !== name));
}

const services: { name: string; list: () => List; ids: readonly number[]; code: 0 | 9; credits: number }[] = [
  { name: 'four empty pages between', list: () => withEmptyPages(4), ids: idsOf(ALL), code: 0, credits: 11 },
  {
    name: 'five empty pages between',
    list: () => withEmptyPages(5),
    ids: idsOf(ALL.slice(0, 25)),
    code: 9,
    credits: 6,
  },
  {
    name: 'the same page again and again, with another cursor each time',
    list: () => {
      let asked = 0;
      const first = pageOf(listing(ALL)(request({})));
      return () => ok({ ...first, next_cursor: `c${++asked}` });
    },
    ids: idsOf(ALL.slice(0, 25)),
    code: 9,
    credits: 6,
  },
  {
    name: 'the same page again and again, with the same cursor',
    list: () => () => ok({ ...pageOf(listing(ALL)(request({}))), next_cursor: 'again' }),
    ids: idsOf(ALL.slice(0, 25)),
    code: 9,
    credits: 4,
  },
  {
    name: 'a cursor that repeats, and is never obeyed',
    list: () => changed((asked) => listing(ALL)({ ...asked, query: without(asked.query, 'cursor') }), again),
    ids: idsOf(ALL),
    code: 0,
    credits: 5,
  },
  {
    name: 'every cursor refused',
    list: () => (asked) => (asked.query.cursor === undefined ? listing(ALL)(asked) : failure(422)),
    ids: idsOf(ALL),
    code: 0,
    credits: 3,
  },
  {
    name: 'a cursor that is longer than the document allows',
    list: () => changed(listing(ALL), (page) => (page.next_cursor ? { ...page, next_cursor: 'x'.repeat(221) } : page)),
    ids: idsOf(ALL),
    code: 0,
    credits: 3,
  },
  {
    name: 'any limit but 25 refused',
    list: () => (asked) => ((asked.query.limit ?? '25') === '25' ? listing(ALL)(asked) : failure(422)),
    ids: idsOf(ALL),
    code: 0,
    credits: 3,
  },
  {
    name: 'cards that come again on the next page',
    list: () => changed((asked) => listing(ALL)({ ...asked, query: { ...asked.query, limit: '19' } }), repeated),
    ids: idsOf(ALL),
    code: 0,
    credits: 4,
  },
];

/** Five cards of the first page on every page, and one that stands twice. */
const repeated = (page: Page): Page => ({
  ...page,
  items: [...ALL.slice(14, 19), ...page.items, ...page.items.slice(0, 1)],
});
const again = (page: Page): Page => (page.next_cursor === null ? page : { ...page, next_cursor: 'again' });

function request(query: Record<string, string>): Recorded {
  return { method: 'GET', path: '/signals', query, headers: {}, at: 0, answeredAt: undefined, status: undefined };
}

const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);
const printed = (text: string) => sorted(parseLines(text).map(({ id }) => id));

describe.each(services)('$name', ({ list, ids, code, credits }) => {
  const clock = () => new TestClock(NOW);

  it.for(['--all', '-n 60 --max-credits 60'])('ls %s', async (many, { server, here }) => {
    server.always('/signals', list());
    const ran = await here(['signals', 'ls', ...many.split(' '), '--ndjson'], { clock: clock() });
    expect([printed(ran.stdout), ran.code, server.credits]).toEqual([ids, code, credits]);
    // What leads nowhere is not offered again.
    const oldest = samples.card(24).created_at;
    if (code === 9) expect(ran.stderr).toMatch(new RegExp(`signals ls --until ${oldest}(?!.*--cursor)`));
  });

  it('watch', async ({ server, here }) => {
    server.always('/access', ok(samples.access())).always('/signals', list());
    const argv = ['signals', 'watch', '--since', '2026-11-01', '--every', '10m', '--ndjson'];
    const ran = await here(argv, { clock: clock(), interruptAt: (millis) => millis >= 60_000 });
    expect([printed(ran.stdout), ran.code]).toEqual([ids, code === 0 ? 130 : code]);
  });

  it('export', async ({ server, here, home }) => {
    server.always('/access', ok(samples.access())).always('/signals', list());
    const directory = path.join(home.folder, 'history');
    const only = ['--no-outcomes', '--no-screeners', '--no-stats', '--since', '2026-11-01'];
    const ran = await here(['signals', 'export', directory, ...only], { clock: clock() });
    expect([sorted(stored(directory).map(({ id }) => id)), ran.code]).toEqual([ids, code]);
    expect(stateOf(directory).complete).toBe(code === 0);
  });
});
