import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { readSeen, saveSeen } from '../../src/completion/seen.ts';
import { it } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { listing, ok } from '../support/server.ts';

const seenPath = (stateDirectory: string) => path.join(stateDirectory, 'seen.json');

describe('what was seen', () => {
  it('comes back, the most recent first, each once, and is bounded', async ({ home }) => {
    const names = (prefix: string) => Array.from({ length: 700 }, (_, n) => `${prefix}${n}`);
    await saveSeen(home.state, { symbol: names('A'), type: names('a') });
    await saveSeen(home.state, { symbol: ['NEW', 'A1'], type: ['new'] });
    const { symbol, type } = readSeen(home.state);
    expect({ symbols: symbol.length, newest: symbol.slice(0, 4) }).toEqual({
      symbols: 500,
      newest: ['NEW', 'A1', 'A0', 'A2'],
    });
    expect({ types: type.length, newest: type[0] }).toEqual({ types: 50, newest: 'new' });
    expect(statSync(seenPath(home.state)).mode & 0o777).toBe(0o600);
  });

  it('lets nothing through that a shell or a terminal would act on', async ({ home }) => {
    const signs = [
      '$(x)',
      '`id`',
      ';b',
      '|b',
      "'",
      '"',
      '\n',
      '\u001b[31m',
      '\u202e',
      '\u115f',
      '\u3164',
      '\\',
    ];
    const hostile = ['-rf', '*', '~', '', '\uffa0b', 'ä\u180b', ...signs.map((sign) => `a${sign}`)];
    await saveSeen(home.state, {
      symbol: ['btc', 'BTC/USDT', 'A'.repeat(33), ...hostile],
      type: hostile,
    });
    expect(existsSync(seenPath(home.state)), 'there is a file of ids').toBe(false);
    mkdirSync(home.state);
    const kept = { symbol: [...hostile, 7, 'OK'], type: [null, ...hostile, 'ö k'] };
    writeFileSync(seenPath(home.state), JSON.stringify(kept));
    expect(readSeen(home.state)).toEqual({ symbol: ['OK'], type: ['ö k'] });
    if (process.getuid?.() === 0) {
      chownSync(seenPath(home.state), 12345, 12345);
      expect(readSeen(home.state)).toEqual({ symbol: [], type: [] });
      chownSync(seenPath(home.state), 0, 0);
    }
    writeFileSync(seenPath(home.state), '{');
    expect(readSeen(home.state)).toEqual({ symbol: [], type: [] });
  });
});

it('commands remember cards, details and screeners; not in --demo', async ({
  server,
  home,
  here,
}) => {
  const values = async (kind: string) =>
    (await here(['complete', 'signals', 'ls', `--${kind}`, ''])).stdout.split(/\t?\n/).slice(0, -1);
  expect(await here(['--demo', 'signals', 'ls', '-q'])).toMatchObject({ code: 0 });
  expect(existsSync(seenPath(home.state)), 'there is a file of ids').toBe(false);
  server
    .always(
      '/signals',
      listing([{ ...samples.cards(1)[0], source_symbol: 'LISTED', source_bot_type: 'by_list' }]),
    )
    .always(
      '/signals/7',
      ok({ ...samples.nthDetail(1), id: 7, source_symbol: 'SHOWN', source_bot_type: 'by_show' }),
    )
    .always(
      '/screeners',
      ok({ ...samples.screeners(), items: [{ type: 'set_up', active: true, conditions: {} }] }),
    );
  for (const args of [['signals', 'ls'], ['signals', 'show', '7'], ['screeners']]) {
    expect(await here(args), args.join(' ')).toMatchObject({ code: 0 });
  }
  expect(await values('symbol')).toEqual(['SHOWN', 'LISTED']);
  expect(await values('type')).toEqual(['set_up', 'by_show', 'by_list']);
  expect(readFileSync(seenPath(home.state), 'utf8')).not.toContain(server.env.SCREENER_API_KEY);
});

it('a field that several forms of a command have is described as the first of them has it', async ({
  here,
}) => {
  const { stdout } = await here(['complete', 'stats', '--sort', 'horizons.24h.s']);
  const lines = stdout.split('\n').map((line) => line.split('\t'));
  const abouts = Object.fromEntries(lines);
  expect(abouts['horizons.24h.sample']).toBe('outcomes measured');
});
