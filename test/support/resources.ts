/** Plausible resources with fixed figures, for tests that look at what is written. */
import type { SignalCard, SignalDetail, SignalStats } from '../../src/api/contract/resources.ts';
import { settingsAt } from '../../src/sandbox/market/screeners.ts';
import { snapshotAt } from '../../src/sandbox/market/snapshot.ts';
import type { World } from '../../src/sandbox/world.ts';

export function card(given: Partial<SignalCard> = {}): SignalCard {
  return {
    id: 48211,
    source_symbol: 'BTCUSDT',
    source_bot_type: 'pump_dump',
    exchanges: ['binance', 'bybit'],
    changes: ['price'],
    created_at: '2026-11-20T15:05:00Z',
    last_seen_at: null,
    repeat_count: 2,
    url: 'https://app.example.com/history?symbol=BTCUSDT',
    url_scope: 'filtered_notification_history',
    facts_scope: 'latest_episode_update',
    fact_price_pct: 3.214,
    fact_oi_pct: -0.5,
    fact_volume_pct: null,
    fact_window_min: 15,
    fact_funding: 0.0001,
    fact_oi_usd: 52_100_000,
    fact_volume_usd: 830_000,
    ...given,
  };
}

export function detail(given: Partial<SignalDetail> = {}): SignalDetail {
  return {
    ...card(),
    outcome: {
      entry_at: '2026-11-20T15:05:00Z',
      entry_price: 0.1234,
      state_1h: 'available',
      move_1h_pct: 1.5,
      btc_move_1h_pct: 0.5,
      state_24h: 'pending',
      move_24h_pct: null,
      btc_move_24h_pct: null,
    },
    entry_context: { rsi_14: 31.25 },
    context_scope: 'entry_snapshot',
    ...given,
  };
}

export function stats(given: Partial<SignalStats> = {}): SignalStats {
  const horizon = {
    sample: 120,
    pending: 4,
    missing: 3,
    median_move_pct: 0.42,
    btc_sample: 118,
    median_vs_btc_percentage_points: -0.31,
  };
  return {
    scope: 'own_recorded_outcomes',
    window_days: 30,
    sampled_rows: 127,
    sample_limited: false,
    screener_type: 'pump_dump',
    horizons: { '1h': horizon, '24h': { ...horizon, median_move_pct: null, median_vs_btc_percentage_points: null } },
    generated_at: '2026-11-20T18:00:00Z',
    stale: false,
    ...given,
  };
}

/** A world of given cards, served as they are, fields unknown to the document included. */
export function worldOf(given: readonly SignalDetail[]): World {
  const details = new Map(given.map((one) => [one.id, one]));
  const keys = [...details.values()].map(({ id, created_at, source_symbol: symbol, source_bot_type: type }) => ({
    id,
    createdAt: Date.parse(created_at),
    symbol,
    type,
  }));
  keys.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return {
    index: () => keys,
    detail: (id) => details.get(id),
    screeners: (now) => settingsAt(now, now),
    snapshot: (now) => snapshotAt(1, now),
  };
}
