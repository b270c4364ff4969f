import path from 'node:path';
import stringWidth from 'string-width';
import { describe, expect } from 'vitest';
import { HOUR } from '../../src/base/units.ts';
import { it, parseLines } from '../support/fixtures.ts';
import { writeCards, writeListed } from '../support/history.ts';
import type { Home } from '../support/home.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';

/** As exchanges list them. */
const SYMBOLS = [
  '币安人生USDT',
  'BTC-PERP',
  'ETHUSDT_240628',
  'BTC/USDT:USDT',
  'kPEPE',
  'KPEPE',
  '1INCHUSDT',
  'БТЦ',
  '🚀USDT',
  'DOGE'.repeat(12),
];

/** A history with a card of each. @returns its directory */
function historyOf(home: Home): string {
  const cards = SYMBOLS.map((source_symbol, n) => ({
    ...samples.nthSettled(n, NOW - (n + 30) * HOUR),
    source_symbol,
  }));
  return writeListed(writeCards(path.join(home.folder, 'history'), cards), NOW);
}

describe('a symbol', () => {
  it.for(SYMBOLS)('%s is found in a history as it is typed', async (symbol, { here, home }) => {
    const from = historyOf(home);
    const listed = await here(['signals', 'ls', '--from', from, '--symbol', symbol, '--ndjson']);
    const symbols = parseLines(listed.stdout).map((card) => card.source_symbol);
    expect({ code: listed.code, symbols }).toEqual({ code: 0, symbols: [symbol] });
    const stats = await here(['stats', '--from', from, '--symbol', symbol, '--json']);
    expect({ code: stats.code, symbol: JSON.parse(stats.stdout).symbol }).toEqual({
      code: 0,
      symbol,
    });
  });

  it.for([
    { typed: '1inchusdt', symbol: '1INCHUSDT' },
    { typed: 'btc-perp', symbol: 'BTC-PERP' },
    { typed: 'kpepe', symbol: 'KPEPE' },
  ])(
    '$typed is $symbol, where no card has it as typed',
    async ({ typed, symbol }, { here, home }) => {
      const words = ['signals', 'ls', '--from', historyOf(home), '--symbol', typed, '--ndjson'];
      const symbols = parseLines((await here(words)).stdout).map((card) => card.source_symbol);
      expect(symbols).toEqual([symbol]);
    },
  );

  it('that the service takes none of is refused before anything is sent', async ({
    here,
    server,
  }) => {
    for (const { words, symbol } of [
      { words: ['signals', 'ls'], symbol: 'BTC-PERP' },
      { words: ['signals', 'ls', '--plan'], symbol: 'BTC-PERP' },
      { words: ['signals', 'watch'], symbol: 'BTC-PERP' },
      // In capitals it would be another word: STRASSE.
      { words: ['signals', 'ls'], symbol: 'straße' },
    ]) {
      const ran = await here([...words, '--symbol', symbol]);
      expect(ran.code, words.join(' ')).toBe(2);
      expect(ran.stderr, words.join(' ')).toBe(
        `error: --symbol takes 1 to 32 letters and digits, not '${symbol}'.\n` +
          'hint: For example BTCUSDT. A history (--local) takes any symbol that its cards have.\n',
      );
    }
    expect(server.requests).toEqual([]);
    server.holds(samples.cards(1));
    await here(['signals', 'ls', '--symbol', 'btcusdt']);
    expect(server.to('/signals').at(-1)?.query.symbol).toBe('BTCUSDT');
  });

  it('of 48 columns takes 16 on a terminal, and is whole elsewhere', async ({ here, home }) => {
    const from = historyOf(home);
    const cut = `${'DOGE'.repeat(12).slice(0, 15)}…`;
    for (const words of [['signals', 'ls'], ['stats', '--by', 'symbol'], ['today']]) {
      const onTerminal = await here([...words, '--from', from], { tty: 100 });
      expect(onTerminal.stdout, words.join(' ')).toContain(cut);
      expect(onTerminal.stdout, words.join(' ')).not.toContain('DOGE'.repeat(4));
      for (const line of onTerminal.stdout.split('\n'))
        expect(stringWidth(line), `columns of '${line}'`).toBeLessThan(101);
    }
    const piped = await here(['signals', 'ls', '--from', from]);
    expect(piped.stdout).toContain('DOGE'.repeat(12));
  });
});
