/**
 * The Envelope of part 2 of the API document, and its resources, one schema each. A schema checks required fields, types,
 * ranges and nullability; unknown fields are allowed and kept (`looseObject`), because the API is a beta.
 */
import * as v from 'valibot';
import { anyObject, count, finite, integerFrom, listedText, numbers, time } from './primitives.ts';

/** Around every body: the resource in `response`, or an error text in `errors`. */
export const Envelope = v.looseObject({
  hasError: v.boolean(),
  response: v.nullable(anyObject),
  errors: v.nullable(v.string()),
});

/** Shared monthly credits (API and MCP together). */
const Credits = v.looseObject({ used: count, limit: count, remaining: count, resets_at: time });

export const Access = v.looseObject({
  beta: v.boolean(),
  plan: listedText,
  expires_at: time,
  credits: Credits,
  operations: v.array(v.string()),
  /** Requests allowed per minute. */
  per_minute: count,
});

/** A cached daily-indicator summary; fresh only as `computed_at`, `generated_at`, `source_stale` and `stale` say. */
export const MarketSnapshot = v.looseObject({
  scope: listedText,
  timeframe: listedText,
  sample: count,
  sample_limited: v.boolean(),
  oversold_count: count,
  overbought_count: count,
  computed_at: v.nullable(time),
  source_stale: v.boolean(),
  generated_at: time,
  stale: v.boolean(),
  source: v.string(),
});

export const ScreenerItem = v.looseObject({
  type: v.string(),
  active: v.boolean(),
  /** The document shows no keys: any object. */
  conditions: anyObject,
});

export const Screeners = v.looseObject({ scope: listedText, items: v.array(ScreenerItem) });

const cardFields = {
  id: integerFrom(1),
  source_symbol: v.string(),
  source_bot_type: v.string(),
  exchanges: v.array(v.string()),
  changes: v.array(v.string()),
  created_at: time,
  last_seen_at: v.nullable(time),
  repeat_count: count,
  url: v.string(),
  url_scope: listedText,
  facts_scope: listedText,
  /** Percent. */
  fact_price_pct: v.nullable(finite),
  /** Percent. */
  fact_oi_pct: v.nullable(finite),
  /** Percent. */
  fact_volume_pct: v.nullable(finite),
  /** Minutes. */
  fact_window_min: v.nullable(finite),
  /** Fraction, not annualized: 0.0001 means 0.01 %. */
  fact_funding: v.nullable(finite),
  /** USD. */
  fact_oi_usd: v.nullable(finite),
  /** USD. */
  fact_volume_usd: v.nullable(finite),
};

export const SignalCard = v.looseObject(cardFields);

export const SignalPage = v.looseObject({
  scope: listedText,
  items: v.pipe(v.array(SignalCard), v.maxLength(25, 'expected at most 25 cards')),
  next_cursor: v.nullable(v.string()),
  since: time,
  until: time,
});

/** What was measured after the trigger. Moves are percent; a state is `pending`, `missing` or `available`. */
export const Outcome = v.looseObject({
  entry_at: time,
  entry_price: finite,
  state_1h: listedText,
  move_1h_pct: v.nullable(finite),
  btc_move_1h_pct: v.nullable(finite),
  state_24h: listedText,
  move_24h_pct: v.nullable(finite),
  btc_move_24h_pct: v.nullable(finite),
});

export const SignalDetail = v.looseObject({
  ...cardFields,
  outcome: v.nullable(Outcome),
  /** The document shows no keys; values are numbers. */
  entry_context: numbers,
  context_scope: listedText,
});

/** One horizon's statistics: `median_move_pct` in percent, `median_vs_btc_percentage_points` in percentage points. */
export const Horizon = v.looseObject({
  sample: count,
  pending: count,
  missing: count,
  median_move_pct: v.nullable(finite),
  btc_sample: count,
  median_vs_btc_percentage_points: v.nullable(finite),
});

export const SignalStats = v.looseObject({
  scope: listedText,
  window_days: integerFrom(0),
  sampled_rows: v.pipe(count, v.maxValue(2000, 'expected at most 2000')),
  sample_limited: v.boolean(),
  screener_type: v.string(),
  horizons: v.looseObject({ '1h': Horizon, '24h': Horizon }),
  generated_at: time,
  stale: v.boolean(),
});

export type Envelope = v.InferOutput<typeof Envelope>;
export type Access = v.InferOutput<typeof Access>;
export type MarketSnapshot = v.InferOutput<typeof MarketSnapshot>;
export type ScreenerItem = v.InferOutput<typeof ScreenerItem>;
export type Screeners = v.InferOutput<typeof Screeners>;
export type SignalCard = v.InferOutput<typeof SignalCard>;
export type SignalPage = v.InferOutput<typeof SignalPage>;
export type Outcome = v.InferOutput<typeof Outcome>;
export type SignalDetail = v.InferOutput<typeof SignalDetail>;
export type Horizon = v.InferOutput<typeof Horizon>;
export type SignalStats = v.InferOutput<typeof SignalStats>;
