/** Example resources as the API document describes them; several with fields that it does not describe: those must be kept. */
import { byHorizon, outcomeFields } from '../../src/api/contract/horizons.ts';
import type { SignalCard, SignalDetail, SignalStats } from '../../src/api/contract/resources.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 0);
const HOUR = 3_600_000;

export const at = (millis: number): string => new Date(millis).toISOString().replace('.000Z', 'Z');

export type Json = Record<string, unknown>;

export function access(used = 100, limit = 1000): Json {
  return {
    beta: true,
    plan: 'PRO',
    expires_at: '2027-01-31T00:00:00Z',
    credits: {
      used,
      limit,
      remaining: limit - used,
      resets_at: '2026-12-01T00:00:00Z',
      pool: 'shared',
    },
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
  const conditions = { parts: [{ field: 'price', op: '>=', value: 3 }], rate: '1/h' };
  const price = { type: 'price', active: true, conditions, since: 1 };
  return {
    scope: 'current_settings',
    items: [price, { type: 'funding', active: false, conditions: {}, note: null }],
    revision: 7,
  };
}

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

/** A detail with that outcome; moves in percent. */
export function measuredDetail(
  given: Partial<SignalDetail>,
  measured: Parameters<typeof outcomeFields<string, number | null>>[0],
): SignalDetail {
  const one = detail(given);
  return {
    ...one,
    outcome: { entry_at: one.created_at, entry_price: 1, ...outcomeFields(measured) },
  };
}

/** The n-th newest card: each an hour older than the one before. */
export function nthCard(n: number): Json {
  return {
    ...card({
      id: 9000 - n,
      source_symbol: ['BTCUSDT', 'ETHUSDT', '1000PEPEUSDT'][n % 3] ?? '',
      source_bot_type: ['price', 'open_interest'][n % 2] ?? '',
      exchanges: n % 4 === 0 ? [] : ['binance', 'bybit'],
      changes: ['price +3.1%', 'vol ×2, "spike"'],
      created_at: at(NOW - n * HOUR),
      last_seen_at: n % 2 === 0 ? null : at(NOW - n * HOUR + 60_000),
      repeat_count: n % 5,
      fact_price_pct: n % 3 === 0 ? null : 3.25 - n / 8,
      fact_volume_pct: 0,
      fact_volume_usd: n % 7 === 0 ? null : 1e-7,
    }),
    unheard_of: { list: [n, null, 'ä'], flag: false },
  };
}

export const cards = (count: number): Json[] => Array.from({ length: count }, (_, n) => nthCard(n));

export function nthDetail(n: number): Json {
  const { outcome, context_scope } = detail();
  const state_24h = n % 2 === 0 ? 'pending' : 'missing';
  return {
    ...nthCard(n),
    outcome: { ...outcome, entry_price: 0.00001234, state_24h, state_7d: 'pending' },
    entry_context: { rsi_14: 31.2, 'odd.key': -2 },
    context_scope,
    curated: true,
  };
}

/** The n-th detail, created then (epoch milliseconds UTC), whose outcome is settled: it moved n percent, BTC 1. */
export function nthSettled(n: number, createdAt: number): Json {
  const one = nthDetail(n) as { outcome: object };
  const outcome = { ...one.outcome, state_24h: 'available', move_24h_pct: n, btc_move_24h_pct: 1 };
  return { ...one, outcome, created_at: at(createdAt), last_seen_at: null };
}

export function stats(given: Partial<SignalStats> = {}): SignalStats {
  const counts = { sample: 120, pending: 4, missing: 3, btc_sample: 118, quartile: [0.1, 2] };
  const medians = { median_move_pct: 0.42, median_vs_btc_percentage_points: -0.31 };
  const none = { median_move_pct: null, median_vs_btc_percentage_points: null };
  return {
    scope: 'own_recorded_outcomes',
    window_days: 30,
    sampled_rows: 127,
    sample_limited: false,
    screener_type: 'pump_dump',
    horizons: byHorizon((name) => ({ ...counts, ...(name === '1h' ? medians : none) })),
    generated_at: '2026-11-20T18:00:00Z',
    stale: false,
    ...given,
  };
}

/** A SignalPage of these cards. */
export function page(items: readonly unknown[], next_cursor: string | null = null): Json {
  const window = { since: '2026-11-01T00:00:00Z', until: '2026-11-20T00:00:00Z' };
  return { scope: 'own_recorded_notifications', items, next_cursor, ...window };
}
