/**
 * Cards and answers as today's program writes them down. They are copied here and not made by `test/support/samples.ts`: a field that the
 * document gains later stays missing in them, and screens still have to show them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readScreenersLog, readStatsLog } from '../../src/history/store/answers.ts';
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

const MEDIANS = {
  asked_at: '2026-11-18T06:06:00Z',
  type: 'pump_dump',
  stats: {
    scope: 'own_recorded_outcomes',
    window_days: 30,
    sampled_rows: 304,
    sample_limited: false,
    screener_type: 'pump_dump',
    horizons: {
      '1h': {
        sample: 297,
        pending: 0,
        missing: 7,
        median_move_pct: -0.05,
        btc_sample: 297,
        median_vs_btc_percentage_points: -0.02,
      },
      '24h': {
        sample: 288,
        pending: 9,
        missing: 7,
        median_move_pct: -0.6,
        btc_sample: 288,
        median_vs_btc_percentage_points: -0.45,
      },
    },
    generated_at: '2026-11-18T06:06:00Z',
    stale: false,
  },
};

const SETTINGS = {
  at: '2026-11-18T06:06:00Z',
  screeners: {
    scope: 'current_settings',
    items: [{ type: 'pump_dump', active: true, conditions: { price_pct: 3 } }],
  },
};

it('answers that were paid for and lack a later field are read', async ({ home }) => {
  writeFileSync(join(home.folder, 'stats.ndjson'), `${JSON.stringify(MEDIANS)}\n`);
  writeFileSync(join(home.folder, 'screeners.ndjson'), `${JSON.stringify(SETTINGS)}\n`);
  const latest = Date.UTC(2026, 10, 20);
  const medians = await readStatsLog(home.folder, latest);
  const settings = await readScreenersLog(home.folder, latest);
  expect({ medians: medians.length, settings: settings.length }).toEqual({
    medians: 1,
    settings: 1,
  });
});
