import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { FORMAT_NAMES, FORMATS } from '../../src/output/formats.ts';
import { it } from '../support/fixtures.ts';
import { OPERATIONS } from '../support/operations.ts';
import { pythonPath, without } from '../support/programs.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, failure, ok } from '../support/server.ts';
import { actsOnTerminal, HOSTILE, type Json, resourceOf } from './texts.ts';

/** All the texts at once, and long enough to be cut where there is little room. */
const ALL = Object.values(HOSTILE).join(' ');

/** What asks for each operation. The page of a list names a next one: only so many cards are asked for as it has. */
const COMMANDS: readonly (readonly string[])[] = [
  ...OPERATIONS.map(({ command }) => (command[1] === 'ls' ? [...command, '-n', '2'] : command)),
  ['signals', 'ls', '-n', '2', '--outcomes'],
  ['stats', '--by', 'type'],
];

function serve(server: ApiServer, text: string): void {
  const card = (id: number) => ({ ...resourceOf('SignalDetail', text), id });
  const credits = { ...(samples.access().credits as Json), [text]: text };
  const page = {
    ...resourceOf('SignalPage', text),
    items: [card(1), card(2)],
    next_cursor: text.slice(0, 200),
  };
  for (const { path: template, resource } of OPERATIONS)
    server.always(template, ok(resourceOf(resource, text)));
  server
    .always('/access', ok({ ...resourceOf('Access', text), credits, per_minute: 1000 }))
    .always('/signals', ok(page))
    .always('/signals/{id}', ({ path: asked }) => ok(card(Number(asked.split('/').at(-1)))));
}

/** The formats that look at no field: they take turns. */
const PLAIN_FORMATS = FORMAT_NAMES.filter(
  (name) => !FORMATS[name].isForPeople && !FORMATS[name].hasColumns,
);

/** The formats in which the nth command is read. */
function formatsOf(n: number): string[] {
  const itsTurn = PLAIN_FORMATS[n % PLAIN_FORMATS.length];
  return FORMAT_NAMES.filter((name) => !PLAIN_FORMATS.includes(name) || name === itsTurn);
}

/** Without a spinner, whose own sequences would be in the way. */
const DUMB = { TERM: 'dumb', NO_COLOR: '1' };

describe('hostile text in every field', () => {
  it('does nothing to a terminal, in any format', async ({ server, here }) => {
    serve(server, ALL);
    for (const [n, command] of COMMANDS.entries()) {
      for (const format of formatsOf(n)) {
        const ran = await here([...command, '-o', format, '-v'], { tty: 80, env: DUMB });
        expect(ran.code, ran.stderr).toBe(0);
        // In CSV a tab and a line end within quotes are data, and harmless.
        const text =
          (format === 'csv' ? ran.stdout.replace(/[\t\r]/g, '') : ran.stdout) + ran.stderr;
        expect(actsOnTerminal(text), `${command} ${format}`).toBe(undefined);
      }
    }
  });

  it.skipIf(without('python3'))(
    'is no formula for a spreadsheet, and comes back from CSV',
    async ({ server, screener, home }) => {
      const texts = Object.values(HOSTILE);
      const cards = texts.map((text, n) => ({
        ...resourceOf('SignalCard', text),
        id: n + 1,
        exchanges: [text],
      }));
      server.always('/signals', ok(samples.page(cards.slice(0, 25))));
      server.next('/signals', ok(samples.page(cards.slice(25), 'next')));
      const ran = await screener(['signals', 'ls', '--all', '--csv']);
      expect(ran.code).toBe(0);
      const file = path.join(home.folder, 'cards.csv');
      writeFileSync(file, ran.stdout);
      // Python's csv module reads it; a cell is dangerous where a spreadsheet takes its beginning for a formula.
      const script = `
import csv, json, sys
rows = list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))
bad = [cell for row in rows for cell in row if cell.lstrip()[:1] in ('=', '+', '@', '\\uff1d', '\\uff0b', '\\uff0d', '\\uff20') or cell[:1] in ('\\t', '\\r') or (cell.lstrip()[:1] == '-' and not cell.replace('.', '').lstrip('-').isdigit())]
print(json.dumps({'bad': bad, 'widths': sorted(set(map(len, rows))), 'rows': len(rows)}))`;
      const words = ['-I', '-S', '-c', script, file];
      const seen = JSON.parse(execFileSync(pythonPath(), words, { encoding: 'utf8' }));
      expect(seen.bad).toEqual([]);
      expect(seen.widths).toHaveLength(1);
      expect(seen.rows).toBe(texts.length + 1);
    },
  );

  it('does nothing from errors, headers and reasons', async ({ server, here, home }) => {
    for (const status of [401, 403, 404, 422, 429, 503, 500, 418]) {
      server.always('/market-snapshot', failure(status, 7200, ALL));
      for (const format of ['table', 'json']) {
        const other = { ...home, state: path.join(home.folder, `${status}-${format}`) };
        const ran = await here(['snapshot', '-o', format, '-v', '--max-wait', '0'], {
          home: other,
        });
        expect(ran.stdout, `status ${status} as ${format}`).toBe('');
        expect(actsOnTerminal(ran.stderr), `${status} ${format}`).toBe(undefined);
        expect(ran.stderr, String(status)).toContain('HYPERLINK');
      }
    }
  });

  it('of a megabyte in a field or an error is cut, and taken in one go', async ({
    server,
    here,
  }) => {
    // Long runs of what expressions look for: where time grew with the square of one, this would take many minutes.
    const runs = [
      'x',
      ' ',
      '\t"',
      ';',
      '; ',
      "'",
      '\\"',
      '\u{1f469}\u200d',
      '\x1b[',
      '\ud800',
      '&<',
    ];
    const long = `${ALL.slice(0, 200)}${runs.map((run) => run.repeat(60_000)).join('')}=`;
    const card = { ...samples.nthCard(1), source_symbol: long, changes: [long], url: long };
    server.always('/signals', ok(samples.page([card])));
    server.always('/market-snapshot', failure(422, undefined, long));
    for (const format of FORMAT_NAMES) {
      const ran = await here(['signals', 'ls', '-o', format], {
        tty: format === 'table' ? 100 : undefined,
        env: DUMB,
      });
      expect(ran.code, format).toBe(0);
      expect(
        actsOnTerminal(format === 'csv' ? ran.stdout.replace(/[\t\r]/g, '') : ran.stdout),
        format,
      ).toBe(undefined);
    }
    const refused = await here(['snapshot']);
    expect({ code: refused.code, isBrief: refused.stderr.length < 3000 }).toEqual({
      code: 6,
      isBrief: true,
    });
  });
});

describe('a hostile history', () => {
  const write = (folder: string, lines: readonly string[]) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, 'signals-2026-11.ndjson'),
      lines.map((line) => `${line}\n`).join(''),
    );
  };

  it('does nothing to a terminal', async ({ here, home }) => {
    const folder = path.join(home.folder, `history ${HOSTILE['clears the screen']}`);
    const details = Array.from({ length: 5 }, (_, n) => ({
      ...resourceOf('SignalDetail', ALL),
      id: n + 1,
    }));
    const lines = details.map((detail) => JSON.stringify(detail));
    write(folder, lines);
    const looks = ['2026-11-19T00:00:00Z', '2026-11-20T00:00:00Z'].map((at, n) => ({
      at,
      screeners: {
        scope: 'x',
        items: [{ type: ALL, active: n === 0, conditions: { [ALL]: ALL } }],
      },
    }));
    writeFileSync(
      path.join(folder, 'screeners.ndjson'),
      looks.map((look) => `${JSON.stringify(look)}\n`).join(''),
    );
    const commands = [
      'signals ls',
      'signals show 1 99',
      'stats',
      'stats --by type',
      'tune',
      'screeners',
      'today',
    ].map((line) => line.split(' '));
    const linesWithTypes = [
      ['stats', '--by', 'settings', '--type', ALL],
      ['tune', ALL],
    ];
    for (const [n, command] of [...commands, ...linesWithTypes].entries()) {
      for (const format of formatsOf(n)) {
        const ran = await here([...command, '--from', folder, '-o', format]);
        expect(ran.code, ran.stderr).toBe(command[1] === 'show' ? 5 : 0);
        const text = (ran.stdout + ran.stderr).replace(/[\t\r]/g, '');
        expect(actsOnTerminal(text), `${command} ${format}`).toBe(undefined);
      }
    }
  });

  it('of lines that are no cards, or cards of wrong types, is no failure of ours', async ({
    here,
    home,
  }) => {
    const folder = path.join(home.folder, 'history');
    const good = resourceOf('SignalDetail', 'x');
    const wrong = [null, 7, '7', true, [], ['a', null], {}, { a: { b: 1 } }];
    const bent = wrong.flatMap((value) => [
      ...Object.keys(good).map((key) => ({ ...good, [key]: value })),
      {
        ...good,
        outcome: {
          ...(good.outcome as Json),
          state_24h: value,
          move_24h_pct: value,
          entry_at: value,
        },
      },
    ]);
    const lines = bent.map((card, n) =>
      JSON.stringify(card.id === good.id ? { ...card, id: n + 10 } : card),
    );
    const rubbish = [
      '',
      '{',
      'null',
      '[]',
      '{"id":1}',
      '\u0000',
      '['.repeat(50_000),
      '{"__proto__":{"id":5}}',
    ];
    const many = Object.fromEntries(Array.from({ length: 130_000 }, (_, n) => [`k${n}`, n]));
    const deep = `{"id":5,"x":${'['.repeat(200_000)}${']'.repeat(200_000)},${JSON.stringify(good).slice(1)}`;
    const small = [...lines, ...rubbish];
    write(folder, small);
    // Lines as large are left out before any format sees them: each command reads them once.
    const large = path.join(home.folder, 'large');
    write(large, [...small, JSON.stringify({ ...good, entry_context: many }), deep]);
    for (const [n, words] of [
      'signals ls --all',
      'signals show 10 11 99',
      'stats',
      'stats --by symbol',
      'tune',
    ].entries()) {
      const formats = formatsOf(n);
      for (const [m, format] of formats.entries()) {
        const from = n % formats.length === m ? large : folder;
        const ran = await here([...words.split(' '), '--from', from, '-o', format]);
        expect(ran.stderr, `${words} ${format}`).not.toMatch(/Unexpected|too large|\n\s+at /);
        expect([0, 1, 5, 9], ran.stderr).toContain(ran.code);
      }
    }
  });
});
