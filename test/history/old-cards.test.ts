/**
 * Cards as today's program writes them down. They are copied here and not made by `test/support/samples.ts`: a field that the
 * document gains later stays missing in them, and screens still have to show them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';

const CARD = {
  id: 48211,
  source_symbol: 'BTCUSDT',
  source_bot_type: 'pump_dump',
  exchanges: ['binance'],
  changes: ['price'],
  created_at: '2026-11-19T15:05:00Z',
  last_seen_at: null,
  repeat_count: 0,
  url: 'https://app.example.com/history?symbol=BTCUSDT',
  url_scope: 'filtered_notification_history',
  facts_scope: 'latest_episode_update',
  fact_price_pct: 3.2,
  fact_oi_pct: null,
  fact_volume_pct: null,
  fact_window_min: 15,
  fact_funding: 0.0001,
  fact_oi_usd: 52_100_000,
  fact_volume_usd: 830_000,
};

const BOUGHT_CARD = {
  ...CARD,
  id: 48210,
  source_symbol: 'ETHUSDT',
  created_at: '2026-11-18T15:05:00Z',
  outcome: {
    entry_at: '2026-11-18T15:05:00Z',
    entry_price: 3050.5,
    state_1h: 'available',
    move_1h_pct: 0.5,
    btc_move_1h_pct: 0.1,
    state_24h: 'available',
    move_24h_pct: 4.25,
    btc_move_24h_pct: 1.5,
  },
  entry_context: { funding: 0.0001 },
  context_scope: 'entry_snapshot',
};

it('a card that lacks a later field is in the list, and has its page', async ({ home, here }) => {
  const directory = join(home.folder, 'old');
  mkdirSync(directory);
  const lines = [BOUGHT_CARD, CARD].map((card) => `${JSON.stringify(card)}\n`);
  writeFileSync(join(directory, 'signals-2026-11.ndjson'), lines.join(''));
  const list = await here(['signals', 'ls', '--from', directory]);
  const page = await here(['signals', 'show', '48210', '--from', directory]);
  expect({
    list: { code: list.code, warnings: list.stderr, symbols: list.stdout.match(/\w+USDT/g) },
    page: { code: page.code, move: /^24h +(\S+)/m.exec(page.stdout)?.[1] },
  }).toEqual({
    list: { code: 0, warnings: '', symbols: ['BTCUSDT', 'ETHUSDT'] },
    page: { code: 0, move: '+4.25%' },
  });
});
