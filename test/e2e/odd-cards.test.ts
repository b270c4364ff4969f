/** One card that does not match the document costs that card: the others of its page are printed, and kept. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { errorLine, it, parseLines } from '../support/fixtures.ts';
import { nthCard } from '../support/samples.ts';
import { type Answer, failure, ok } from '../support/server.ts';

const LARGE = '12345678901234567890';

/** An odd card, as JSON that JavaScript could not write, and how the error names it. */
const ODD = {
  'an id beyond 2^53': {
    json: JSON.stringify(nthCard(2)).replace('"id":8998', `"id":${LARGE}`),
    says: `Card ${LARGE} does not match the API document: id: a number too large to be kept exactly.`,
  },
  'a value in USD beyond 2^53': {
    json: withField('fact_oi_usd', LARGE),
    says: 'Card 8998 does not match the API document: fact_oi_usd: a number too large to be kept exactly.',
  },
  'a missing field beside a large integer of no document': {
    json: withField('more', LARGE).replace('"repeat_count":2', '"repeat_count":null'),
    says: 'Card 8998 does not match the API document: repeat_count: expected number, got null.',
  },
  'a number that no program can keep': {
    json: withField('more', '1e999'),
    says: 'Card 8998 does not match the API document: it holds a number too large to be kept.',
  },
  'lists within lists': {
    json: withField('more', '['.repeat(9_000) + ']'.repeat(9_000)),
    says: 'Card 8998 does not match the API document: it is nested more than 64 levels deep.',
  },
  // Ends of calendars: what programs send that have no time.
  'created in the year 1': {
    json: withField('created_at', '"0001-01-01T00:00:00Z"'),
    says: 'Card 8998 does not match the API document: created_at: 0001-01-01T00:00:00Z is too long ago.',
  },
  'created in 1970': {
    json: withField('created_at', '"1970-01-01T00:00:00Z"'),
    says: 'Card 8998 does not match the API document: created_at: 1970-01-01T00:00:00Z is too long ago.',
  },
  'created in the year 9999': {
    json: withField('created_at', '"9999-12-31T23:59:59Z"'),
    says: 'Card 8998 does not match the API document: created_at: 9999-12-31T23:59:59Z is in the future.',
  },
  'no card at all': {
    json: LARGE,
    says: 'A card without an id does not match the API document: a number too large to be kept exactly.',
  },
};

function withField(name: string, json: string): string {
  const { [name]: _, ...card } = nthCard(2);
  return JSON.stringify(card).replace(/}$/, `,${JSON.stringify(name)}:${json}}`);
}

/** A page of the odd card between two good ones. */
function pageWith(json: string): Answer {
  const page = {
    scope: 'own_recorded_notifications',
    items: [nthCard(1), 'ODD', nthCard(3)],
    next_cursor: null,
    since: '2026-10-21T18:00:00Z',
    until: '2026-11-27T18:00:00Z',
  };
  return { body: String(ok(page).body).replace('"ODD"', json) };
}

const GOOD = [8999, 8997];
const idsOf = (cards: readonly { readonly id: number }[]) => cards.map(({ id }) => id);

describe.each(Object.entries(ODD))('%s', (_, { json, says }) => {
  it.for(['json', 'ndjson', 'csv', 'table'])(
    'signals ls -o %s',
    async (format, { server, here }) => {
      server.always('/signals', pageWith(json));
      const ran = await here(['signals', 'ls', '-o', format]);
      const printed = GOOD.filter((id) => ran.stdout.includes(String(id)));
      expect({ code: ran.code, printed, odd: ran.stdout.includes('8998') }).toEqual({
        code: 9,
        printed: GOOD,
        odd: false,
      });
      if (format === 'table') expect(ran.stderr.replace(/\n/g, ' ')).toContain(says);
      else expect(errorLine(ran.stderr)).toMatchObject({ code: 'bad_answer', message: says });
      expect(server.credits).toBe(1);
    },
  );

  it('signals watch goes on', async ({ server, here }) => {
    server.always('/signals', pageWith(json));
    const argv = ['signals', 'watch', '--since', '2026-11-15', '--every', '10m', '--ndjson'];
    const ran = await here(argv, { interruptAt: (millis) => millis >= 300_000 });
    expect({ code: ran.code, ids: idsOf(parseLines(ran.stdout)) }).toEqual({
      code: 130,
      ids: GOOD.toReversed(),
    });
    expect(ran.stderr).toContain(`${says} The watch continues.`);
  });

  it('signals export keeps the others', async ({ server, here, home }) => {
    server.always('/signals', pageWith(json)).always('/signals/{id}', failure(404));
    const folder = path.join(home.folder, 'kept');
    const ran = await here(['signals', 'export', folder, '--no-outcomes', '--json']);
    expect(ran.code).toBe(9);
    expect(errorLine(ran.stderr).message).toBe(says);
    const months = readdirSync(folder).filter((name) => name.startsWith('signals-'));
    const kept = months.flatMap((name) =>
      parseLines(readFileSync(path.join(folder, name), 'utf8')),
    );
    expect(idsOf(kept)).toEqual(GOOD.toReversed());
    expect(JSON.parse(ran.stdout)).toMatchObject({ complete: false });
  });
});
