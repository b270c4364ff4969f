/** Resources as the API document describes them, with fields that it does not describe: those must be kept. */

const NOW = Date.UTC(2026, 10, 20, 18, 0);
const HOUR = 3_600_000;

export const at = (millis: number): string => new Date(millis).toISOString().replace('.000Z', 'Z');

export type Json = Record<string, unknown>;

export function access(used = 100, limit = 1000): Json {
  return {
    beta: true,
    plan: 'PRO',
    expires_at: '2027-01-31T00:00:00Z',
    credits: { used, limit, remaining: limit - used, resets_at: '2026-12-01T00:00:00Z', pool: 'shared' },
    operations: ['access', 'market_snapshot', 'screeners', 'signals', 'signal', 'signal_stats'],
    per_minute: 15,
    region: { code: 'eu', nested: [1, { deep: null }] },
  };
}

export function snapshot(): Json {
  return {
    scope: 'platform',
    timeframe: 'day',
    sample: 412,
    sample_limited: false,
    oversold_count: 31,
    overbought_count: 57,
    computed_at: '2026-11-20T17:45:00Z',
    source_stale: false,
    generated_at: '2026-11-20T17:59:30.123Z',
    stale: false,
    source: 'https://example.com/indicators',
    added_later: 'kept',
  };
}

export function screeners(): Json {
  return {
    scope: 'current_settings',
    items: [
      {
        type: 'price',
        active: true,
        conditions: { parts: [{ field: 'price', op: '>=', value: 3 }], rate: '1/h' },
        since: 1,
      },
      { type: 'funding', active: false, conditions: {}, note: null },
    ],
    revision: 7,
  };
}

/** The n-th newest card: each an hour older than the one before. */
export function card(n: number): Json {
  return {
    id: 9000 - n,
    source_symbol: ['BTCUSDT', 'ETHUSDT', '1000PEPEUSDT'][n % 3],
    source_bot_type: ['price', 'open_interest'][n % 2],
    exchanges: n % 4 === 0 ? [] : ['binance', 'bybit'],
    changes: ['price +3.1%', 'vol ×2, "spike"'],
    created_at: at(NOW - n * HOUR),
    last_seen_at: n % 2 === 0 ? null : at(NOW - n * HOUR + 60_000),
    repeat_count: n % 5,
    url: `https://example.com/history?id=${9000 - n}`,
    url_scope: 'filtered_notification_history',
    facts_scope: 'latest_episode_update',
    fact_price_pct: n % 3 === 0 ? null : 3.25 - n / 8,
    fact_oi_pct: -1.5,
    fact_volume_pct: 0,
    fact_window_min: 15,
    fact_funding: 0.0001,
    fact_oi_usd: 52_100_000.5,
    fact_volume_usd: n % 7 === 0 ? null : 1e-7,
    unheard_of: { list: [n, null, 'ä'], flag: false },
  };
}

export const cards = (count: number): Json[] => Array.from({ length: count }, (_, n) => card(n));

export function detail(n: number): Json {
  return {
    ...card(n),
    outcome: {
      entry_at: at(NOW - n * HOUR),
      entry_price: 0.00001234,
      state_1h: 'available',
      move_1h_pct: 1.25,
      btc_move_1h_pct: -0.5,
      state_24h: n % 2 === 0 ? 'pending' : 'missing',
      move_24h_pct: null,
      btc_move_24h_pct: null,
      state_7d: 'pending',
    },
    entry_context: { rsi_14: 31.2, 'odd.key': -2 },
    context_scope: 'entry_snapshot',
    curated: true,
  };
}

export function stats(): Json {
  const horizon = {
    sample: 40,
    pending: 3,
    missing: 1,
    median_move_pct: 0.8,
    btc_sample: 39,
    median_vs_btc_percentage_points: -0.25,
    quartile: [0.1, 2],
  };
  return {
    scope: 'own_recorded_outcomes',
    window_days: 30,
    sampled_rows: 44,
    sample_limited: false,
    screener_type: 'price',
    horizons: { '1h': horizon, '24h': { ...horizon, sample: 0, median_move_pct: null }, '7d': { sample: 1 } },
    generated_at: '2026-11-20T17:00:00Z',
    stale: false,
    disclaimer: 'movement',
  };
}

/** A SignalPage of these cards. */
export function page(items: readonly unknown[], next_cursor: string | null = null): Json {
  const window = { since: '2026-11-01T00:00:00Z', until: '2026-11-20T00:00:00Z' };
  return { scope: 'own_recorded_notifications', items, next_cursor, ...window };
}
