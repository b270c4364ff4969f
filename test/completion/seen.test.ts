import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { readSeen, saveSeen, seenPath } from '../../src/completion/seen.ts';
import { it } from '../support/fixtures.ts';
import { runScreener } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { listing, ok } from '../support/server.ts';

const NOTHING = { symbol: [], type: [] };

describe('what was seen', () => {
  it('comes back, the most recent first, each once', async ({ home }) => {
    await saveSeen(home.state, { symbol: ['AAA', 'BBB'], type: ['one'] });
    await saveSeen(home.state, { symbol: ['CCC', 'BBB'], type: [] });
    expect(readSeen(home.state)).toEqual({ symbol: ['CCC', 'BBB', 'AAA'], type: ['one'] });
    expect(readdirSync(home.state)).toEqual(['seen.json']);
    expect(statSync(seenPath(home.state)).mode & 0o777).toBe(0o600);
  });

  it('is bounded', async ({ home }) => {
    const names = (prefix: string) => Array.from({ length: 700 }, (_, n) => `${prefix}${n}`);
    await saveSeen(home.state, { symbol: names('A'), type: names('a') });
    await saveSeen(home.state, { symbol: ['NEW'], type: ['new'] });
    const { symbol, type } = readSeen(home.state);
    expect([symbol.length, symbol[0], symbol[1]]).toEqual([500, 'NEW', 'A0']);
    expect([type.length, type[0]]).toEqual([50, 'new']);
    expect(statSync(seenPath(home.state)).size).toBeLessThan(10_000);
  });

  it('lets nothing through that a shell or a terminal would act on', async ({ home }) => {
    const hostile = [
      '$(touch x)',
      '`id`',
      'a;b',
      'a|b',
      "a'b",
      'a"b',
      'a\nb',
      '\u001b[31m',
      '\u202eabc',
      'a\u115fb',
      'a\u3164',
      '\uffa0b',
      'ä\u180b',
      '-rf',
      '*',
      '~',
      'a\\',
      '',
    ];
    await saveSeen(home.state, { symbol: ['btc', 'BTC/USDT', 'A'.repeat(33), ...hostile], type: hostile });
    expect(existsSync(seenPath(home.state))).toBe(false);
    mkdirSync(home.state);
    writeFileSync(
      seenPath(home.state),
      JSON.stringify({ symbol: [...hostile, 7, 'OK'], type: [null, ...hostile, 'ö k'] }),
    );
    expect(readSeen(home.state)).toEqual({ symbol: ['OK'], type: ['ö k'] });
  });

  it('never fails: no file, rubbish, no permission, a directory in its place', async ({ home }) => {
    expect(readSeen(home.state)).toEqual(NOTHING);
    mkdirSync(home.state);
    for (const text of ['', 'null', '[]', '"x"', '{"symbol":"AAA"}', '{']) {
      writeFileSync(seenPath(home.state), text);
      expect(readSeen(home.state)).toEqual(NOTHING);
    }
    await saveSeen(home.state, { symbol: ['AAA'], type: [] });
    expect(readSeen(home.state).symbol).toEqual(['AAA']);
    const blocked = `${home.folder}/file`;
    writeFileSync(blocked, '');
    await saveSeen(blocked, { symbol: ['AAA'], type: [] });
    mkdirSync(`${home.folder}/other/seen.json`, { recursive: true });
    await saveSeen(`${home.folder}/other`, { symbol: ['AAA'], type: [] });
    expect(readdirSync(`${home.folder}/other`)).toEqual(['seen.json']);
  });
});

describe('commands remember what they received', () => {
  const values = async (kind: string, home: Parameters<typeof runScreener>[1]) =>
    (await runScreener(['complete', 'signals', 'ls', `--${kind}`, ''], home)).stdout.split(/\t?\n/).slice(0, -1);

  it('cards, details and screeners', async ({ server, home, screener }) => {
    server
      .always('/access', ok(samples.access()))
      .always('/signals', listing([{ ...samples.cards(1)[0], source_symbol: 'LISTED', source_bot_type: 'by_list' }]))
      .always('/signals/7', ok({ ...samples.nthDetail(1), id: 7, source_symbol: 'SHOWN', source_bot_type: 'by_show' }))
      .always(
        '/screeners',
        ok({ scope: 'current_settings', items: [{ type: 'set_up', active: true, conditions: {} }] }),
      );
    for (const args of [['signals', 'ls'], ['signals', 'show', '7'], ['screeners']]) {
      expect(await screener(args)).toMatchObject({ code: 0 });
    }
    expect(await values('symbol', { home })).toEqual(['SHOWN', 'LISTED']);
    expect(await values('type', { home })).toEqual(['set_up', 'by_show', 'by_list']);
    expect(readFileSync(seenPath(home.state), 'utf8')).not.toContain(server.env.SCREENER_API_KEY);
  });

  it('not in --demo', async ({ home }) => {
    expect(await runScreener(['--demo', 'signals', 'ls', '-q'], { home })).toMatchObject({ code: 0 });
    expect(existsSync(seenPath(home.state))).toBe(false);
  });
});
