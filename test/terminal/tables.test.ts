import path from 'node:path';
import stringWidth from 'string-width';
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, listing, ok } from '../support/server.ts';
import { screen } from './drive.ts';

const SYMBOLS = [
  '币安人生USDT',
  '🚀USDT',
  '👨‍👩‍👧USDT',
  '👍🏽USDT',
  '🇩🇪USDT',
  'กำไรUSDT',
  'e\u0301USDT',
  'BTCUSDT',
];
const TYPES = ['资金费率', 'funding_extreme_over_a_day', 'x', '💥burst'];

function card(n: number): samples.Json {
  return {
    ...samples.nthCard(n),
    id: Number.MAX_SAFE_INTEGER - n,
    source_symbol: SYMBOLS[n % SYMBOLS.length],
    source_bot_type: TYPES[n % TYPES.length],
    exchanges: ['binance', '欧易', 'bybit', 'hyperliquid'],
    fact_price_pct: n === 3 ? -1e300 : 12.5,
  };
}

/** A service whose every answer is as wide as it can be. */
function wideWorld(server: ApiServer): void {
  const cards = Array.from({ length: 8 }, (_, n) => card(n));
  const measured = { state_24h: 'available', move_24h_pct: -123.4, btc_move_24h_pct: 1234.5 };
  const outcome = { ...(samples.nthDetail(1).outcome as samples.Json), ...measured };
  const conditions = {
    parts: [
      {
        metric: '价格变化百分比',
        comparison: 'abs_gte',
        value: 1.6,
        window_min: 15,
        exchanges: ['欧易', 'okx'],
      },
    ],
    rate_limit: { notifications: 1, per_minutes: 15 },
    note: 'x'.repeat(150),
  };
  const items = TYPES.map((type) => ({ type, active: true, conditions }));
  server
    .always('/access', ok({ ...samples.access(973), operations: ['access', '信号', ...TYPES] }))
    .always(
      '/market-snapshot',
      ok({ ...samples.snapshot(), stale: true, source_stale: true, sample_limited: true }),
    )
    .always('/screeners', ok({ scope: 'current_settings', items }))
    .always('/signals', listing(cards))
    .always('/signals/{id}', ({ path }) => {
      const n = Number.MAX_SAFE_INTEGER - Number(path.slice('/signals/'.length));
      const entry_context = { open_interest_在_24h_pct: -1.23456789e-7 };
      return ok({ ...samples.nthDetail(n), ...card(n), outcome, entry_context });
    })
    .always(
      '/signal-stats',
      ok({ ...samples.stats(), stale: true, sample_limited: true, screener_type: TYPES[0] }),
    );
}

const COMMANDS = [
  'access',
  'snapshot',
  'screeners',
  'signals ls -n 7',
  'signals ls -n 7 --outcomes',
  `signals show ${Number.MAX_SAFE_INTEGER} ${Number.MAX_SAFE_INTEGER - 1}`,
  'stats',
  'signals ls --all --outcomes --plan',
  'signals ls --from history',
  'stats --from history',
  'stats --from history --by type',
  'stats --from history --by type --detail',
  'signals show 0',
];

/** As most terminals do, which know no grapheme clusters: the sum of what each code point takes. */
function columnsOf(text: string): number {
  return [...text].reduce((sum, point) => sum + stringWidth(point), 0);
}

/** What a person copies is never broken by us: addresses and commands. */
const COPIED = /^(https:\/\/| *screener )\S/;

it('no line of any table is wider than the terminal', async ({ server, home, here }) => {
  wideWorld(server);
  // Enough for all the commands within a minute.
  server.always('/access', ok({ ...samples.access(973), per_minute: 1000 }));
  const history = path.join(home.folder, 'history');
  expect((await here(['signals', 'export', history])).code).toBe(0);
  for (const columns of process.env.SCREENER_HEAVY === '1' ? [60, 80, 113, 200] : [60, 113]) {
    for (const command of COMMANDS) {
      const words = command.replace('history', history).split(' ');
      const ran = await here(words, { tty: columns, env: { LANG: 'en_US.UTF-8' } });
      const lines = screen(ran.stdout + ran.stderr);
      expect(lines.length, command).toBeGreaterThan(1);
      for (const line of lines.filter((text) => !COPIED.test(text))) {
        const width = Math.max(columnsOf(line), stringWidth(line));
        expect(width, `${columns}: ${command}: ${line}`).toBeLessThanOrEqual(columns);
      }
    }
  }
});
