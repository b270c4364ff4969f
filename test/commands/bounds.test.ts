/** Where commands draw a line: budgets of 0, cards of an hour, the last card asked for, incomplete lines, new cards. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/base/units.ts';
import { errorLine, it, parseLines } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { ok } from '../support/server.ts';

/** Cards of these ages in milliseconds, the newest first, with ids from 9000 down. */
const cardsOf = (...ages: number[]): samples.Json[] =>
  ages.map((age, n) => {
    return { ...samples.nthCard(n), id: 9000 - n, created_at: samples.at(NOW - age) };
  });

describe.concurrent('a budget of 0', () => {
  it.for([
    { words: ['--max-credits', '0'], code: 7, paths: [] },
    { words: ['--keep', '0'], code: 0, paths: ['/access', '/market-snapshot'] },
  ])('is a budget: $words', async ({ words, code, paths }, { here, server }) => {
    const ran = await here(['snapshot', '--json', ...words]);
    const requests = server.requests.map((request) => request.path);
    expect({ words, code: ran.code, requests }).toEqual({
      words,
      code,
      requests: code === 0 ? expect.arrayContaining(paths.slice(1)) : paths,
    });
    if (code !== 0) expect(errorLine(ran.stderr)).toMatchObject({ code: 'budget_reached' });
  });
});

describe.concurrent('a plan', () => {
  it.for([
    { budget: 2, stopsAt: 'daily' },
    { budget: 3, stopsAt: null },
  ])(
    'of 3 credits and more with $budget left stops at $stopsAt',
    async ({ budget, stopsAt }, { here, server }) => {
      const words = ['signals', 'show', '9000', '8999', '8998', '--plan', '--json'];
      const ran = await here(words, { env: { SCREENER_DAILY: String(budget) } });
      expect({
        code: ran.code,
        stopsAt: JSON.parse(ran.stdout).stops_at,
        paid: server.credits,
      }).toEqual({ code: 0, stopsAt, paid: 0 });
    },
  );
});

describe.concurrent('a quote on a terminal', () => {
  it.for([
    { cards: 10, code: 0, credits: 10, isAsked: false },
    { cards: 11, code: 7, credits: 0, isAsked: true },
  ])('of $cards credits', async ({ cards, code, credits, isAsked }, { here, server }) => {
    const ids = Array.from({ length: cards }, (_, n) => String(9000 - n));
    const words = ['signals', 'show', ...ids];
    const ran = await here(words, { tty: 100, isTyped: true, stdin: 'n\r' });
    const question = `This may cost up to ${cards} credits. Go on? [y/N] `;
    expect({
      code: ran.code,
      isPrinted: ran.stdout !== '',
      credits: server.credits,
      isAsked: ran.stderr.includes(question),
    }).toEqual({ code, isPrinted: code === 0, credits, isAsked });
  });
});

describe.concurrent('screeners', () => {
  it('keeps the settings in the history there is', async ({ here, home }) => {
    await here(['signals', 'export', '--quiet', '--no-outcomes', '--no-screeners', '--no-stats']);
    await here(['screeners', '--quiet']);
    const file = path.join(home.folder, 'data', 'history', 'screeners.ndjson');
    const looks = parseLines(readFileSync(file, 'utf8'));
    expect(looks.map(({ screeners }) => screeners.items.length)).toEqual([2]);
  });
});

describe.concurrent('signals ls --outcomes', () => {
  it('buys from an hour on: a younger card has no outcome', async ({ here, server }) => {
    server.holds(cardsOf(MINUTE, HOUR - 1000, HOUR, 2 * HOUR));
    const { code, stderr } = await here(['signals', 'ls', '--outcomes', '--ndjson']);
    const bought = server.to('/signals/{id}').map((request) => request.path);
    expect({ code, bought }).toEqual({ code: 0, bought: ['/signals/8998', '/signals/8997'] });
    expect(stderr).toContain(
      '2 cards from the last hour: too young for an outcome, none bought.\n',
    );
  });

  it('says nothing of young cards where there are none', async ({ here, server }) => {
    server.holds(cardsOf(HOUR, 2 * HOUR));
    const { stderr } = await here(['signals', 'ls', '--outcomes', '--ndjson']);
    expect(stderr).not.toContain('from the last hour');
  });
});

describe.concurrent('a list that begins later than it was asked to', () => {
  const asked = '2026-11-20T12:00:00Z';
  const warned = (since: string) =>
    `warning: The service lists cards from ${since} on, not from ${asked}: older ones are missing here.\n`;

  it.for([
    { words: [], since: '2026-11-20T12:01:01Z', warning: '' },
    { words: ['--since', asked], since: asked, warning: '' },
    { words: ['--since', asked], since: '2026-11-20T12:01:00Z', warning: '' },
    {
      words: ['--since', asked],
      since: '2026-11-20T12:01:01Z',
      warning: warned('2026-11-20T12:01:01Z'),
    },
  ])('$words, from $since on', async ({ words, since, warning }, { here, server }) => {
    const page = { ...samples.page(cardsOf(HOUR)), since, until: samples.at(NOW) };
    server.always('/signals', ok(page));
    const { code, stdout, stderr } = await here(['signals', 'ls', '--json', ...words]);
    expect({
      code,
      ids: JSON.parse(stdout).items.map(({ id }: samples.Json) => id),
      stderr,
      requests: server.requests.map((request) => request.path),
      credits: server.credits,
    }).toEqual({
      code: 0,
      ids: [9000],
      stderr: `${warning}1 credit spent; 149 left today.\n`,
      requests: ['/signals'],
      credits: 1,
    });
  });
});

describe.concurrent('signals ls --local', () => {
  it.for([1, 2, 3])(
    '-n %i ends at the last card that is asked for',
    async (limit, { home, here }) => {
      // Of three months: a history is read month by month.
      const cards = cardsOf(HOUR, 40 * DAY, 80 * DAY);
      const from = writeCards(path.join(home.folder, 'history'), cards);
      const words = ['signals', 'ls', '--from', from, '-n', String(limit)];
      const ids = async (...more: string[]) =>
        parseLines((await here([...words, '--ndjson', ...more])).stdout).map(({ id }) => id);
      expect(await ids()).toEqual([9000, 8999, 8998].slice(0, limit));
      expect(await ids('--sort', '-created_at')).toEqual([8998, 8999, 9000].slice(0, limit));
    },
  );

  it('leaves lines out of the table that lack fields of a card, and says so', async ({
    home,
    here,
  }) => {
    const [whole = {}, bare = {}] = cardsOf(HOUR, 2 * HOUR);
    const { url: _, ...part } = bare as samples.Json & { url?: string };
    const from = writeCards(path.join(home.folder, 'history'), [whole, part]);
    const table = await here(['signals', 'ls', '--from', from]);
    const sentence = "Some lines lack a card's fields: the table leaves them out.";
    expect({
      rows: table.stdout.match(/USDT/g)?.length,
      isSaid: table.stderr.includes(sentence),
    }).toEqual({ rows: 1, isSaid: true });
    const json = await here(['signals', 'ls', '--from', from, '--json']);
    expect({ cards: JSON.parse(json.stdout).items.length, stderr: json.stderr }).toEqual({
      cards: 2,
      stderr: '',
    });
  });
});

describe.concurrent('a line to go on with', () => {
  it.for([
    { since: 'all', says: '--since all' },
    { since: '2026-10-21T18:00:00Z', says: '--since 2026-10-21T18:00Z' },
    { since: '2026-10-21T18:00:30Z', says: '--since 2026-10-21T18:00:30Z' },
  ])('asks for the same cards: $says', async ({ since, says }, { here }) => {
    const { stderr } = await here(['signals', 'ls', '-n', '2', '--since', since, '--ndjson']);
    const [, line = ''] = /\n {2}(screener signals ls .*)\n/.exec(stderr) ?? [];
    expect(line).toMatch(new RegExp(` ${says} -n 2 --cursor \\S+$`));
  });
});

describe.concurrent('signals watch', () => {
  it('rings for new cards only', async ({ here, server }) => {
    const bells = async (cards: samples.Json[]) => {
      server.holds(cards);
      const words = ['signals', 'watch', '--since', '1d', '--bell', '--max-credits', '2'];
      const { stderr } = await here(words, { tty: 100 });
      return stderr.split('\u0007').length - 1;
    };
    expect({ some: await bells(cardsOf(HOUR, 2 * HOUR)), none: await bells([]) }).toEqual({
      some: 1,
      none: 0,
    });
  });
});

describe.concurrent('the last 180 days', () => {
  const BEGIN = 180 * DAY;

  it.for([
    { what: 'a card a minute older', ages: [DAY, BEGIN, BEGIN + MINUTE], isSaid: true },
    { what: 'a card of the month before', ages: [DAY, BEGIN + 40 * DAY], isSaid: true },
    { what: 'no older card', ages: [DAY, BEGIN], isSaid: false },
  ])('are said to be so if there is $what', async ({ ages, isSaid }, { here, home }) => {
    const from = writeCards(path.join(home.folder, 'history'), cardsOf(...ages));
    for (const words of [['stats'], ['stats', '--by', 'type'], ['screeners'], ['today']]) {
      const { stdout } = await here([...words, '--from', from]);
      const note = 'These are the last 180 days; --since all takes every card.';
      expect({ words, isSaid: stdout.replace(/\s+/g, ' ').includes(note) }).toEqual({
        words,
        isSaid,
      });
    }
  });
});
