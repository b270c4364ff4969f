import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { listing } from '../support/listing.ts';
import * as samples from '../support/samples.ts';
import { failure, ok } from '../support/server.ts';

const idsOf = (items: readonly samples.Json[]) => items.map(({ id }) => id);
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe.concurrent('pages', () => {
  it('--all over 60 cards gives 60 distinct cards, once each', async ({ server, screener }) => {
    server.always('/signals', listing(samples.cards(60)));
    const json = JSON.parse((await screener(['signals', 'ls', '--all', '--json'])).stdout);
    expect(json.items).toEqual(samples.cards(60));
    expect(json.next_cursor).toBeNull();
    expect(json.page_note).toBe('not in the document');
    const ndjson = await screener(['signals', 'ls', '--all', '--ndjson']);
    expect(lines(ndjson.stdout)).toEqual(samples.cards(60));
    const csv = await screener(['signals', 'ls', '--all', '--csv', '--fields', 'id']);
    expect(csv.stdout).toBe(`${['id', ...idsOf(samples.cards(60))].join('\r\n')}\r\n`);
    expect(server.credits).toBe(9);
    expect(csv.stderr).toMatch(/^3 credits spent[.;]/m);
    expect(csv.stderr).not.toContain('Next:');
  });

  it('-n 30 gives 30 and a cursor from which the 31st comes next', async ({ server, here }) => {
    server.always('/signals', listing(samples.cards(60)));
    const first = await here(['signals', 'ls', '-n', '30', '--json', '--symbol', 'BTCUSDT', '--since', '2026-01-01']);
    expect(first.code).toBe(0);
    server.reset();
    server.always('/signals', listing(samples.cards(60)));
    const head = await here(['signals', 'ls', '-n', '30', '--json']);
    const page = JSON.parse(head.stdout);
    expect(idsOf(page.items)).toEqual(idsOf(samples.cards(30)));
    expect(server.requests.map(({ query }) => query.limit)).toEqual(['25', '5']);
    const rest = await here(['signals', 'ls', '--all', '--json', '--cursor', page.next_cursor]);
    expect(idsOf(JSON.parse(rest.stdout).items)).toEqual(idsOf(samples.cards(60).slice(30)));
  });

  it('the line that says how to go on can be run as it stands', async ({ server, here }) => {
    server.always('/signals', listing(samples.cards(60)));
    const filters = ['--since', '30d', '--until', 'today', '--type', 'price', '-n', '3'];
    const first = await here(['signals', 'ls', '--ndjson', ...filters]);
    const next = /Go on with:\n +screener (.*)$/m.exec(first.stderr)?.[1] ?? '';
    expect(next).toMatch(/^signals ls --since 2026-\S+Z --until 2026-\S+Z --type price -n 3 --cursor \S+$/);
    const second = await here([...next.split(' '), '--ndjson']);
    expect(second.code).toBe(0);
    const all = samples.cards(60).filter((card) => card.source_bot_type === 'price');
    const until = Date.parse(server.requests[0]?.query.until ?? '');
    const expected = all.filter((card) => Date.parse(String(card.created_at)) <= until).slice(0, 6);
    expect(idsOf([...lines(first.stdout), ...lines(second.stdout)])).toEqual(idsOf(expected));
  });

  it('filters are the same on every page', async ({ server, here }) => {
    server.always('/signals', listing(samples.cards(120)));
    const args = [
      '--all',
      '--symbol',
      'btcusdt',
      '--since',
      '2026-01-01',
      '--until',
      '2026-12-31T12:00+02:00',
      '--csv',
    ];
    expect((await here(['signals', 'ls', ...args])).code).toBe(0);
    expect(server.requests).toHaveLength(2);
    for (const { query } of server.requests) {
      expect(query).toMatchObject({
        symbol: 'BTCUSDT',
        since: '2026-01-01T00:00:00Z',
        until: '2026-12-31T10:00:00Z',
        limit: '25',
      });
    }
  });

  it('a cursor that repeats ends with 9, and what came is printed', async ({ server, here }) => {
    const page = JSON.parse(String(listing(samples.cards(60))(fakeRequest()).body)).response;
    server.always('/signals', ok({ ...page, next_cursor: 'again' }));
    const ran = await here(['signals', 'ls', '--all', '--json']);
    expect(ran.code).toBe(9);
    // By the cursor, and once from the oldest card.
    expect(server.requests.map(({ query }) => query.until)).toEqual([
      undefined,
      undefined,
      samples.at(Date.parse(String(samples.card(24).created_at)) + 1000),
      samples.at(Date.parse(String(samples.card(24).created_at)) + 1000),
    ]);
    expect(JSON.parse(ran.stdout).items).toHaveLength(25);
  });

  for (const args of [['--all'], ['-n', '30']]) {
    it(`ls ${args.join(' ')}: ends after five useless pages, no card twice`, async ({ server, here }) => {
      const page = JSON.parse(String(listing(samples.cards(60))(fakeRequest()).body)).response;
      server.always('/signals', () => ok({ ...page, next_cursor: `c${server.requests.length}` }));
      const ran = await here(['signals', 'ls', ...args, '--ndjson']);
      expect(ran.code).toBe(9);
      expect(server.credits).toBe(6);
      expect(idsOf(lines(ran.stdout))).toEqual(idsOf(samples.cards(25)));
      expect(ran.stderr).not.toContain('--cursor');
      expect(ran.stderr).toContain(`--until ${samples.card(24).created_at}`);
    });
  }

  it('a refused cursor is not offered again: --until of the oldest card is', async ({ server, here }) => {
    const pages = listing(samples.cards(60));
    server.always('/signals', (request) =>
      request.query.cursor === undefined && request.query.until === undefined ? pages(request) : failure(422),
    );
    const ran = await here(['signals', 'ls', '--all', '--json']);
    expect(ran.code).toBe(6);
    expect(JSON.parse(ran.stdout).items).toHaveLength(25);
    expect(ran.stderr).not.toContain('--cursor');
    expect(ran.stderr).toContain(`signals ls --until ${samples.card(24).created_at} --all`);
  });

  it('--max-credits 2 prints 50 cards and the cursor, and 2 credits are gone', async ({ server, here }) => {
    server.always('/signals', listing(samples.cards(60)));
    const ran = await here(['signals', 'ls', '--all', '--json', '--max-credits', '2']);
    expect(ran.code).toBe(7);
    const page = JSON.parse(ran.stdout);
    expect(page.items).toHaveLength(50);
    expect(ran.stderr).toContain(page.next_cursor);
    expect(server.credits).toBe(2);
    expect(server.requests).toHaveLength(2);
  });

  it('a third page that fails costs nothing of the first two', async ({ server, home, here }) => {
    const pages = listing(samples.cards(60));
    server.always('/signals', (request) =>
      server.requests.length % 3 === 0 ? failure(503, 3600, 'down') : pages(request),
    );
    for (const format of ['json', 'ndjson', 'csv', 'table']) {
      const other = { ...home, state: `${home.folder}/${format}` };
      const ran = await here(['signals', 'ls', '--all', '-o', format, '--max-wait', '1s'], { home: other });
      expect(ran.code).toBe(8);
      if (format === 'json') {
        expect(idsOf(JSON.parse(ran.stdout).items)).toEqual(idsOf(samples.cards(50)));
        expect(ran.stderr).toContain(JSON.parse(ran.stdout).next_cursor);
      }
      if (format === 'ndjson') expect(lines(ran.stdout)).toEqual(samples.cards(50));
      if (format === 'csv') expect(ran.stdout.split('\r\n')).toHaveLength(52);
      if (format === 'table') expect(ran.stdout.trimEnd().split('\n').length).toBeGreaterThanOrEqual(51);
    }
    expect(server.requests).toHaveLength(12);
  });

  it('a page longer than asked for is kept whole, with a warning', async ({ server, here }) => {
    const page = JSON.parse(String(listing(samples.cards(60))(fakeRequest()).body)).response;
    server.always('/signals', ok(page));
    const ran = await here(['signals', 'ls', '-n', '5', '--json']);
    expect(JSON.parse(ran.stdout).items).toHaveLength(25);
    expect(ran.stderr).toMatch(/warning: The service sent 25 cards where 5 were asked for/);
  });

  it('signals show: what succeeded is printed, the code is the first failure', async ({ server, here }) => {
    server.always('/signals/{id}', ({ path }) => ok(samples.detail(9000 - Number(path.slice('/signals/'.length)))));
    server.always('/signals/8998', failure(404)).always('/signals/8996', failure(422));
    const ran = await here(['signals', 'show', '8999', '8998', '8997', '8996', '--json']);
    expect(ran.code).toBe(5);
    expect(idsOf(JSON.parse(ran.stdout))).toEqual([8999, 8997]);
    const { code, message, status } = JSON.parse(ran.stderr.trimEnd().split('\n').at(-1) ?? '').error;
    expect([code, status]).toEqual(['not_found', 404]);
    expect(message).toMatch(/no card 8998 .*Also missing: 8996 \(invalid_arguments\)\.$/);
    expect(server.requests).toHaveLength(4);
  });
});

function fakeRequest() {
  return { method: 'GET', path: '/signals', query: {}, headers: {}, at: 0, answeredAt: undefined, status: undefined };
}
