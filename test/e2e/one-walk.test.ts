/** The same awkward service, whoever walks its list: `ls`, `watch` and the export read the same cards to the same end. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { interruptedError } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import { TestClock, testContext } from '../support/context.ts';
import { it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { listing } from '../support/listing.ts';
import * as samples from '../support/samples.ts';
import { type Answer, type ApiServer, failure, ok, type Recorded } from '../support/server.ts';

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

const services: { name: string; list: () => List; ids: readonly number[]; code: 0 | 9 }[] = [
  { name: 'four empty pages between', list: () => withEmptyPages(4), ids: idsOf(ALL), code: 0 },
  { name: 'five empty pages between', list: () => withEmptyPages(5), ids: idsOf(ALL.slice(0, 25)), code: 9 },
  {
    name: 'the same page again and again, with another cursor each time',
    list: () => {
      let asked = 0;
      const first = pageOf(listing(ALL)(request({})));
      return () => ok({ ...first, next_cursor: `c${++asked}` });
    },
    ids: idsOf(ALL.slice(0, 25)),
    code: 9,
  },
  {
    name: 'a cursor that repeats, and is never obeyed',
    list: () => changed((asked) => listing(ALL)({ ...asked, query: without(asked.query, 'cursor') }), again),
    ids: idsOf(ALL),
    code: 0,
  },
  {
    name: 'every cursor refused',
    list: () => (asked) => (asked.query.cursor === undefined ? listing(ALL)(asked) : failure(422)),
    ids: idsOf(ALL),
    code: 0,
  },
  {
    name: 'a cursor that is longer than the document allows',
    list: () => changed(listing(ALL), (page) => (page.next_cursor ? { ...page, next_cursor: 'x'.repeat(221) } : page)),
    ids: idsOf(ALL),
    code: 0,
  },
  {
    name: 'any limit but 25 refused',
    list: () => (asked) => ((asked.query.limit ?? '25') === '25' ? listing(ALL)(asked) : failure(422)),
    ids: idsOf(ALL),
    code: 0,
  },
  {
    name: 'cards that come again on the next page',
    list: () => changed((asked) => listing(ALL)({ ...asked, query: { ...asked.query, limit: '19' } }), repeated),
    ids: idsOf(ALL),
    code: 0,
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

interface Ran {
  readonly code: number;
  readonly ids: readonly number[];
  readonly stderr: string;
}

/** @param stop whether Ctrl-C comes at the first wait: a watch has had its look by then */
async function run(server: ApiServer, home: Home, argv: readonly string[], stop = false): Promise<Ran> {
  const clock = new TestClock(NOW);
  const controller = new AbortController();
  const context = testContext({
    argv,
    env: server.env,
    clock: {
      now: () => clock.now(),
      sleep: async (millis, signal) => {
        if (stop && millis >= 60_000) controller.abort(interruptedError());
        return clock.sleep(millis, signal);
      },
    },
    signal: controller.signal,
    directories: { config: home.config, state: home.state, data: path.join(home.folder, 'data') },
  });
  const code = await main(context);
  const lines = context.stdout.text.split('\n').filter((line) => line !== '');
  return { code, ids: lines.map((line) => JSON.parse(line).id), stderr: context.stderr.text };
}

function stored(directory: string): number[] {
  const files = readdirSync(directory).filter((name) => name.startsWith('signals-'));
  const lines = files.flatMap((name) => readFileSync(path.join(directory, name), 'utf8').trimEnd().split('\n'));
  return lines.map((line) => JSON.parse(line).id);
}

const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

describe.each(services)('$name', ({ list, ids, code }) => {
  it('ls --all', async ({ server, home }) => {
    server.always('/signals', list());
    const ran = await run(server, home, ['signals', 'ls', '--all', '--ndjson']);
    expect([sorted(ran.ids), ran.code]).toEqual([ids, code]);
  });

  it('ls -n 60: the last page asks for fewer', async ({ server, home }) => {
    server.always('/signals', list());
    const ran = await run(server, home, ['signals', 'ls', '-n', '60', '--ndjson']);
    expect([sorted(ran.ids), ran.code]).toEqual([ids, code]);
  });

  it('watch', async ({ server, home }) => {
    server.always('/access', ok(samples.access())).always('/signals', list());
    const argv = ['signals', 'watch', '--since', '2026-11-01', '--every', '10m', '--ndjson'];
    const ran = await run(server, home, argv, true);
    expect([sorted(ran.ids), ran.code]).toEqual([ids, code === 0 ? 130 : code]);
  });

  it('export', async ({ server, home }) => {
    server.always('/access', ok(samples.access())).always('/signals', list());
    const directory = path.join(home.folder, 'history');
    const ran = await run(server, home, [
      'signals',
      'export',
      directory,
      '--no-outcomes',
      '--no-screeners',
      '--no-stats',
      '--since',
      '2026-11-01',
    ]);
    expect([sorted(stored(directory)), ran.code]).toEqual([ids, code]);
    const { complete } = JSON.parse(readFileSync(path.join(directory, 'export.json'), 'utf8'));
    expect(complete).toBe(code === 0);
  });
});
