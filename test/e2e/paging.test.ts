import path from 'node:path';
import { describe, expect } from 'vitest';
import { errorLine, it, parseLines } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, failure, listing, ok } from '../support/server.ts';

const idsOf = (items: readonly samples.Json[]) => items.map(({ id }) => id);

/** Has the service list 60 cards, one a page whatever is asked for. */
function listOneByOne(server: ApiServer): void {
  const list = listing(samples.cards(60));
  server.always('/signals', (request) =>
    list({ ...request, query: { ...request.query, limit: '1' } }),
  );
}

describe.concurrent('pages', () => {
  it('--all over 60 cards gives 60 distinct cards, once each', async ({ server, here }) => {
    const json = JSON.parse((await here(['signals', 'ls', '--all', '--json'])).stdout);
    expect(json.items).toEqual(samples.cards(60));
    expect(json.next_cursor).toBeNull();
    expect(json.page_note).toBe('not in the document');
    const ndjson = await here(['signals', 'ls', '--all', '--ndjson']);
    expect(parseLines(ndjson.stdout)).toEqual(samples.cards(60));
    const csv = await here(['signals', 'ls', '--all', '--csv', '--fields', 'id']);
    expect(csv.stdout).toBe(`${['id', ...idsOf(samples.cards(60))].join('\r\n')}\r\n`);
    expect(server.credits).toBe(9);
    expect(csv.stderr).toMatch(/^3 credits spent[.;]/m);
    expect(csv.stderr).not.toContain('Next:');
  });

  it('the line that says how to go on can be run as it stands', async ({ server, here }) => {
    const filters = ['--since', '30d', '--until', 'today', '--type', 'price', '-n', '3'];
    const first = await here(['signals', 'ls', '--ndjson', ...filters]);
    const next = /Go on with:\n +screener (.*)$/m.exec(first.stderr)?.[1] ?? '';
    expect(next).toMatch(
      /^signals ls --since 2026-\S+Z --until 2026-\S+Z --type price -n 3 --cursor \S+$/,
    );
    const second = await here([...next.split(' '), '--ndjson']);
    expect(second.code, second.stderr).toBe(0);
    const all = samples.cards(60).filter((card) => card.source_bot_type === 'price');
    const until = Date.parse(server.requests[0]?.query.until ?? '');
    const expected = all.filter((card) => Date.parse(String(card.created_at)) <= until).slice(0, 6);
    expect(idsOf([...parseLines(first.stdout), ...parseLines(second.stdout)])).toEqual(
      idsOf(expected),
    );
  });

  it('a refused cursor is not offered again: --until of the oldest card is', async ({
    server,
    here,
  }) => {
    const pages = listing(samples.cards(60));
    server.always('/signals', (request) =>
      request.query.cursor === undefined && request.query.until === undefined
        ? pages(request)
        : failure(422),
    );
    const ran = await here(['signals', 'ls', '--all', '--json']);
    expect(ran.code, ran.stderr).toBe(6);
    expect(JSON.parse(ran.stdout).items).toHaveLength(25);
    expect(ran.stderr).not.toContain('--cursor');
    expect(ran.stderr).toMatch(/signals ls --until 2026-11-19T18:00Z --all/);
  });

  it('that a limit ends says how many cards came, and whether any was asked for', async ({
    server,
    here,
  }) => {
    listOneByOne(server);
    const messageAt = async (...words: string[]) =>
      errorLine((await here(['signals', 'ls', '-n', '25', '--json', ...words])).stderr).message;
    expect(await messageAt('--max-credits', '1')).toMatch(/ 1 card is printed; there are more\.$/);
    expect(await messageAt('--max-credits', '0')).toBe(
      '--max-credits 0 is reached. Nothing billable was sent.',
    );
    const empty = { ...samples.page([]), next_cursor: 'more' };
    server.always('/signals', ok(empty));
    expect(await messageAt('--max-credits', '1')).toMatch(/ No card has come so far\.$/);
  });

  it('a full page of a longer list costs what was quoted', async ({ server, here }) => {
    server.holds(samples.cards(60));
    const { code, stderr } = await here(['signals', 'ls', '-n', '25']);
    expect({ code, credits: server.credits }).toEqual({ code: 0, credits: 1 });
    expect(stderr).toContain('Go on with:');
    expect(stderr).not.toContain('costs more than quoted');
  });

  it('a page that the credits cut short is not called one of the service', async ({
    server,
    here,
  }) => {
    server.holds(samples.cards(60));
    const words = ['signals', 'ls', '-n', '5', '--outcomes', '--max-credits', '2'];
    const ran = await here(words);
    expect(ran.stderr).toContain('--max-credits 2 is reached. 1 card is printed;');
    expect(ran.stderr).not.toContain('costs more than quoted');
  });

  it('short pages take a list five pages beyond its quote, not further', async ({
    server,
    here,
  }) => {
    listOneByOne(server);
    const ran = await here(['signals', 'ls', '-n', '25', '--json']);
    expect({ code: ran.code, credits: server.credits }).toEqual({ code: 7, credits: 6 });
    expect(idsOf(JSON.parse(ran.stdout).items)).toEqual(idsOf(samples.cards(6)));
    expect(ran.stderr.match(/brought 1 card only: the list costs more than quoted/g)).toHaveLength(
      1,
    );
    const { message, hint } = errorLine(ran.stderr);
    expect(message).toBe(
      'The pages are short: 6 of them instead of 1. 6 cards are printed; there are more.',
    );
    expect(hint).toContain('signals ls -n 19 --cursor');
    const paid = await here(['signals', 'ls', '-n', '25', '--ndjson', '--max-credits', '30']);
    expect({ code: paid.code, cards: parseLines(paid.stdout).length }).toEqual({
      code: 0,
      cards: 25,
    });
  });

  it('signals show: what succeeded is printed, the code is the first failure', async ({
    server,
    here,
  }) => {
    for (const id of [8998, 8995]) server.always(`/signals/${id}`, failure(404));
    server.always('/signals/8996', failure(422));
    const ran = await here(['signals', 'show', '8999', '8998', '8997', '8996', '8995', '--json']);
    expect(ran.code, ran.stderr).toBe(5);
    expect(idsOf(JSON.parse(ran.stdout))).toEqual([8999, 8997]);
    const { code, message, status } = JSON.parse(
      ran.stderr.trimEnd().split('\n').at(-1) ?? '',
    ).error;
    expect({ code, status }).toEqual({ code: 'not_found', status: 404 });
    expect(message).toMatch(
      /no card 8998 .*Also missing: 8996: The service rejected .* Also missing: 8995\.$/,
    );
    expect(server.requests).toHaveLength(5);
  });

  it('five pages in a row without a new card are where a list is given up', async ({
    server,
    here,
  }) => {
    let cursor = 0;
    server.always('/signals', () => {
      cursor += 1;
      return ok(samples.page(samples.cards(25), `c${cursor}`));
    });
    const ran = await here(['signals', 'ls', '--all', '--ndjson']);
    expect(idsOf(parseLines(ran.stdout))).toEqual(idsOf(samples.cards(25)));
    expect({ code: ran.code, requests: server.to('/signals').length }).toEqual({
      code: 9,
      requests: 1 + 5,
    });
    // Nothing says that older cards alone are missing: a service may give the oldest first.
    expect(errorLine(ran.stderr)).toMatchObject({
      message: expect.stringMatching(/^The service gave page after page without/),
      hint: 'Cards may be missing from it. Try again later.',
    });
  });

  it('a cursor of more than 220 characters loses no page, and goes nowhere', async ({
    server,
    here,
  }) => {
    const page = { ...samples.page(samples.cards(25)), next_cursor: 'x'.repeat(5_000_000) };
    server.always('/signals', ok(page));
    const ran = await here(['signals', 'ls', '--all', '--ndjson']);
    expect(ran.code, ran.stderr.slice(0, 2000)).toBe(9);
    expect(parseLines(ran.stdout)).toHaveLength(25);
    expect(ran.stderr).toMatch(/response\.next_cursor: longer than 220 characters/);
    expect(ran.stderr.length, 'characters on standard error').toBeLessThan(2_000);
    expect(server.to('/signals')).toHaveLength(1);
  });

  describe.each([
    { where: 'at its end', cards: 60, requests: 3 },
    { where: 'at its end, behind a full page', cards: 50, requests: 3 },
    { where: 'everywhere', cards: 60, requests: 3 },
  ])('an empty next_cursor $where', ({ where, cards, requests }) => {
    const serve = (server: ApiServer) => {
      const list = listing(samples.cards(cards));
      server.holds(samples.cards(cards)).always('/signals', async (request) => {
        const answer = await list(request);
        // The stand-in refuses an empty cursor.
        if (answer.status !== undefined) return answer;
        const page = JSON.parse(String(answer.body)).response;
        const isGiven = page.next_cursor !== null && where !== 'everywhere';
        return ok({ ...page, next_cursor: isGiven ? page.next_cursor : '' });
      });
    };

    it('loses no card of a list, prints none twice and sends no empty cursor', async ({
      server,
      here,
    }) => {
      serve(server);
      const ran = await here(['signals', 'ls', '--all', '--ndjson']);
      expect(ran.code, ran.stderr).toBe(0);
      expect(idsOf(parseLines(ran.stdout))).toEqual(idsOf(samples.cards(cards)));
      expect(server.requests.filter(({ query }) => query.cursor === '')).toEqual([]);
      expect(server.to('/signals')).toHaveLength(requests);
    });

    it('loses none of an export, which is complete', async ({ server, here, home }) => {
      serve(server);
      const folder = path.join(home.folder, 'kept');
      const options = ['--no-outcomes', '--no-screeners', '--no-stats', '--since', '2026-11-01'];
      const ran = await here(['signals', 'export', folder, ...options, '--json']);
      expect(ran.code, ran.stderr).toBe(0);
      expect(JSON.parse(ran.stdout)).toMatchObject({ complete: true, cards_total: cards });
      const again = await here(['signals', 'export', folder, ...options, '--json']);
      expect(JSON.parse(again.stdout)).toMatchObject({ complete: true, new_cards: 0 });
    });
  });

  it('an empty next_cursor that leads nowhere is said, and loses no page', async ({
    server,
    here,
  }) => {
    const one = '2026-11-20T10:00:00Z';
    const cards = samples.cards(25).map((card) => ({ ...card, created_at: one }));
    server.always('/signals', ok(samples.page(cards, '')));
    const ran = await here(['signals', 'ls', '--all', '--ndjson']);
    expect(ran.code, ran.stderr).toBe(9);
    expect(parseLines(ran.stdout)).toHaveLength(25);
    expect(ran.stderr).toMatch(/response\.next_cursor: empty/);
    expect(server.to('/signals')).toHaveLength(2);
  });
});
