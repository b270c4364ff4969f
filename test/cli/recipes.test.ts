import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { topicText } from '../../src/cli/topics.ts';
import { ROOT } from '../package/bundle.ts';
import { it } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';

/** The indented lines of each recipe. */
const ALL_RECIPES = [...(topicText('recipes', screener) ?? '').matchAll(/^(?: {2}.*\n)+/gm)].map(
  ([lines]) => lines,
);
const programOf = (lines: string) => lines.trim().split(/\s/)[0] ?? '';
const TYPES = /price|open_interest/;
const IS_THERE: Readonly<Record<string, string>> = {
  jq: 'jq --version',
  duckdb: 'duckdb --version',
};

/** Those that read a history. */
const RECIPES = ALL_RECIPES.filter((lines) => Object.hasOwn(IS_THERE, programOf(lines)));

const NOON = Date.UTC(2026, 10, 20, 12);

/** A state that the document does not list, and no figures. */
function withoutBtc(card: samples.Json): samples.Json {
  const without = { state_24h: 'expired', move_24h_pct: 1.5, btc_move_24h_pct: null };
  return { ...card, outcome: { ...(card.outcome as samples.Json), ...without } };
}

/** @returns what the recipe prints; it fails at no line */
function run(lines: string, cwd: string): string {
  const ran = spawnSync('bash', ['-o', 'pipefail', '-c', lines], { cwd, encoding: 'utf8' });
  expect(ran, lines).toMatchObject({ status: 0, stderr: '' });
  return ran.stdout;
}

describe('recipes', () => {
  for (const lines of RECIPES) {
    const program = programOf(lines);
    const isThere = spawnSync('sh', ['-c', IS_THERE[program] ?? 'false']).status === 0;
    it.skipIf(!isThere)(`${program}: runs over a history as it is`, ({ home }) => {
      // A card that was only listed among those whose outcomes were bought, and one without a figure of BTC's.
      const bought = [2, 3, 4].map((n) => samples.nthSettled(n, Date.UTC(2026, 10, 20, 18 - n)));
      const cards = [samples.nthCard(1), ...bought, withoutBtc(samples.nthSettled(5, NOON))];
      const text = cards.map((card) => `${JSON.stringify(card)}\n`).join('');
      writeFileSync(path.join(home.folder, 'signals-2026-11.ndjson'), text);
      expect(run(lines, home.folder), lines).toMatch(TYPES);
    });

    it.skipIf(!isThere)(
      `${program}: runs over every line of the demo's history`,
      async ({ home, here }) => {
        await here(['--demo', 'signals', 'export', home.folder, '--since', '30d', '--quiet']);
        expect(run(lines, home.folder), lines).toMatch(/\S/);
      },
    );
  }

  it('are for jq and DuckDB, and make files of picked cards', () => {
    expect(ALL_RECIPES.map(programOf)).toEqual(['jq', 'duckdb', 'screener', 'awk', '#!/bin/sh']);
  });
});

describe.skipIf(process.platform === 'win32')('recipes of picked cards', () => {
  const recipeOf = (program: string) =>
    ALL_RECIPES.find((lines) => programOf(lines) === program) ?? 'false';
  const picksIn = (folder: string) => readFileSync(path.join(folder, 'picks.txt'), 'utf8');

  it.for([
    {
      name: 'plain',
      csv: 'date,card_id,pnl\n2026-11-02,41,3.5\n2026-11-03,,1\n2026-11-04,42,-2\n',
    },
    {
      name: 'quoted, as Windows writes it',
      csv: '"date","pnl","card_id"\r\n"1","2","41"\r\n"3","4","42"\r\n',
    },
  ])('awk takes the ids from a CSV: $name', ({ csv }, { home }) => {
    writeFileSync(path.join(home.folder, 'trades.csv'), csv);
    run(recipeOf('awk'), home.folder);
    expect(picksIn(home.folder)).toBe('41\n42\n');
  });

  it('awk takes none where no column has that name', ({ home }) => {
    writeFileSync(path.join(home.folder, 'trades.csv'), 'date,pnl\n2026-11-02,41\n');
    run(recipeOf('awk'), home.folder);
    expect(picksIn(home.folder)).toBe('');
  });

  it('a program of signals watch keeps each card that it acts on, as --picked reads it', async ({
    home,
    here,
  }) => {
    const script = recipeOf('#!/bin/sh').replace(/^ {2}/gm, '');
    const folder = path.join(home.folder, 'history');
    await here([
      '--demo',
      'signals',
      'export',
      folder,
      '--since',
      '2d',
      '--quiet',
      '--no-outcomes',
    ]);
    const { stdout } = await here(['signals', 'ls', '--from', folder, '-n', '2', '--ndjson']);
    for (const card of stdout.trim().split('\n'))
      spawnSync('sh', ['-c', script], { cwd: home.folder, input: `${card}\n` });
    const file = path.join(home.folder, 'picks.txt');
    const read = await here(['stats', '--from', folder, '--picked', file, '--json']);
    expect(JSON.parse(read.stdout).picked).toMatchObject({
      ids: 2,
      in_history: 2,
      unknown_ids: [],
    });
  });
});

it('news is pushed if there is any, and mailed if that fails', () => {
  const [lines = 'false'] =
    /^ {2}news=.*\n(?: {2}.*\n)+/m.exec(topicText('cron', screener) ?? '') ?? [];
  for (const [news, code] of [
    ['', 0] as const,
    ['found it', 0] as const,
    ['found it', 1] as const,
  ]) {
    const printed = code > 0 ? 'found it\n' : news && '-d';
    const stubs = `screener() { printf '%s' '${news}'; }; curl() { [ ${code} = 0 ] && echo "$@"; return ${code}; }\n`;
    const ran = spawnSync('sh', ['-c', stubs + lines], { encoding: 'utf8' });
    expect(ran.stdout, lines).toContain(printed);
    expect(ran.stdout.includes('found it'), `news '${news}', exit code ${code}`).toBe(news !== '');
  }
});

it('cron finds the program by the line that its recipe prints', ({ home }) => {
  writeFileSync(path.join(home.folder, 'screener'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const lines = (topicText('cron', screener) ?? '').split('\n');
  const prints = lines.find((line) => line.startsWith('  echo')) ?? '';
  const env = { PATH: `${home.folder}:/usr/bin:/bin` };
  const printed = spawnSync('sh', ['-c', prints], { env, encoding: 'utf8' }).stdout.trim();
  const jobs = lines.flatMap((line) => line.split('* * * ')[1] ?? []);
  const ran = jobs.map(
    (job) => spawnSync('env', ['-i', printed, 'sh', '-c', job], { encoding: 'utf8' }).stdout,
  );
  expect(ran).toEqual([
    'signals export --keep 300 --quiet\n',
    'signals export --check\n',
    'today --changes\n',
  ]);
});

const hasRuby = spawnSync('ruby', ['--version']).status === 0;
it.skipIf(!hasRuby)('the Homebrew formula is Ruby', () => {
  const formula = path.join(ROOT, '.config', 'homebrew', 'screener.rb');
  expect(spawnSync('ruby', ['-c', formula], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: 'Syntax OK\n',
  });
});
