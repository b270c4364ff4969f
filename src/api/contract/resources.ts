/** Part 2 of the API document, a schema for each resource. Unknown fields are kept (`looseObject`), because the API is a beta. */
import * as v from 'valibot';
import { andWords } from '../../base/words.ts';
import { byHorizon, HORIZON_NAMES, horizonOf, outcomeFields } from './horizons.ts';
import {
  anyObject,
  count,
  described,
  finite,
  integerFrom,
  listed,
  named,
  numbers,
  time,
  timeOfRecord,
} from './primitives.ts';

export const Envelope = v.looseObject({
  hasError: v.boolean(),
  response: v.nullable(anyObject),
  errors: v.nullable(v.string()),
});

export const Credits = named(
  'Credits',
  v.looseObject({
    used: described(count, 'credits used this month'),
    limit: described(count, 'credits allowed a month'),
    remaining: described(count, 'credits left this month'),
    resets_at: described(time, 'when the credits reset, UTC'),
  }),
);

export const Access = v.looseObject({
  beta: described(v.boolean(), 'whether the API is in beta'),
  plan: listed(v.string(), ['PRO'], 'the plan, PRO'),
  expires_at: described(time, 'when the plan expires, UTC'),
  credits: described(Credits, 'shared monthly credits (API and MCP)'),
  operations: described(v.array(v.string()), 'names of available operations'),
  per_minute: described(count, 'requests allowed per minute'),
});

export const MarketSnapshot = v.looseObject({
  scope: listed(v.string(), ['platform'], 'platform: the whole platform, not your screeners'),
  timeframe: listed(v.string(), ['day'], 'day: daily indicators'),
  sample: described(count, 'how many were looked at'),
  sample_limited: described(v.boolean(), 'whether the sample was limited'),
  oversold_count: described(count, 'how many of the sample are oversold'),
  overbought_count: described(count, 'how many of the sample are overbought'),
  computed_at: described(v.nullable(time), 'when the figures were computed, UTC; may be null'),
  source_stale: described(v.boolean(), 'whether the source behind the figures is stale'),
  generated_at: described(time, 'when the answer was generated, UTC'),
  stale: described(v.boolean(), 'whether the answer is stale'),
  source: described(v.string(), 'address of the source'),
});

export const ScreenerItem = named(
  'ScreenerItem',
  v.looseObject({
    type: described(v.string(), 'screener type'),
    active: described(v.boolean(), 'whether it is switched on'),
    conditions: described(anyObject, 'condition parts and notification rate limit, as configured'),
  }),
);

export const Screeners = v.looseObject({
  scope: listed(v.string(), ['current_settings'], 'current_settings'),
  items: described(v.array(ScreenerItem), 'your screeners'),
});

const cardEntries = {
  id: described(integerFrom(1), 'id of the card, for `screener signals show`'),
  source_symbol: described(v.string(), 'symbol, as its source names it'),
  source_bot_type: described(v.string(), 'type of the screener that recorded it'),
  exchanges: described(v.array(v.string()), 'exchanges'),
  changes: described(v.array(v.string()), 'changes'),
  created_at: described(timeOfRecord, 'when it was recorded, UTC'),
  last_seen_at: described(v.nullable(time), 'when it was last seen, UTC; may be null'),
  repeat_count: described(count, 'how often it was repeated'),
  url: described(v.string(), 'filtered notification history, not the page of this card'),
  url_scope: listed(
    v.string(),
    ['filtered_notification_history'],
    'what the url shows: filtered_notification_history',
  ),
  facts_scope: listed(
    v.string(),
    ['latest_episode_update'],
    'what the facts are of: latest_episode_update',
  ),
  fact_price_pct: described(v.nullable(finite), 'price change, percent'),
  fact_oi_pct: described(v.nullable(finite), 'open interest change, percent'),
  fact_volume_pct: described(v.nullable(finite), 'volume change, percent'),
  fact_window_min: described(v.nullable(finite), 'window of these changes, minutes'),
  fact_funding: described(
    v.nullable(finite),
    'funding rate, a fraction (0.0001 is 0.01%), not annualized',
  ),
  fact_oi_usd: described(v.nullable(finite), 'open interest, USD'),
  fact_volume_usd: described(v.nullable(finite), 'turnover, USD'),
};

export const SignalCard = named('SignalCard', v.looseObject(cardEntries));

export const SignalPage = v.looseObject({
  scope: listed(v.string(), ['own_recorded_notifications'], 'own_recorded_notifications'),
  items: described(
    v.pipe(v.array(SignalCard), v.maxLength(25, 'expected at most 25 cards')),
    'cards, at most 25 a page',
  ),
  next_cursor: described(v.nullable(v.string()), 'for --cursor; null if there is no further page'),
  since: described(time, 'start of the window, UTC'),
  until: described(time, 'its end, UTC'),
});

const STATES = ['pending', 'missing', 'available'];

export const Outcome = named(
  'Outcome',
  v.looseObject({
    entry_at: described(time, 'time of entry, UTC'),
    entry_price: described(finite, 'price at entry'),
    // `state_24h`, `move_24h_pct` and `btc_move_24h_pct`, and the same for each other horizon.
    ...outcomeFields((name) => ({
      state: listed(v.string(), STATES, 'pending, missing or available'),
      move: described(v.nullable(finite), `price move after ${horizonOf(name).words}, percent`),
      btc: described(
        v.nullable(finite),
        `BTC's move over the same ${horizonOf(name).words}, percent`,
      ),
    })),
  }),
);

export const SignalDetail = named(
  'SignalDetail',
  v.looseObject({
    ...cardEntries,
    outcome: described(v.nullable(Outcome), 'what was measured after the trigger; may be null'),
    entry_context: described(numbers, 'numbers of the entry snapshot; may be empty'),
    context_scope: listed(
      v.string(),
      ['entry_snapshot'],
      'what the entry context is of: entry_snapshot',
    ),
  }),
);

export const Horizon = named(
  'Horizon',
  v.looseObject({
    sample: described(count, 'outcomes measured'),
    pending: described(count, 'outcomes still pending'),
    missing: described(count, 'outcomes missing'),
    median_move_pct: described(v.nullable(finite), 'median price move, percent'),
    btc_sample: described(count, "outcomes with BTC's move"),
    median_vs_btc_percentage_points: described(
      v.nullable(finite),
      'median difference from BTC, percentage points',
    ),
  }),
);

export const SignalStats = named(
  'SignalStats',
  v.looseObject({
    scope: listed(v.string(), ['own_recorded_outcomes'], 'own_recorded_outcomes'),
    window_days: listed(count, [30], 'days covered, 30'),
    sampled_rows: described(
      v.pipe(count, v.maxValue(2000, 'expected at most 2000')),
      'records sampled, at most the latest 2000',
    ),
    sample_limited: described(v.boolean(), 'whether the sample was limited'),
    screener_type: described(v.string(), 'screener type the figures are of'),
    horizons: described(
      v.looseObject(
        byHorizon((name) =>
          described(Horizon, `statistics of the moves after ${horizonOf(name).words}`),
        ),
      ),
      `the horizons ${andWords(HORIZON_NAMES)}, counted separately`,
    ),
    generated_at: described(time, 'when the answer was generated, UTC'),
    stale: described(v.boolean(), 'whether the answer is stale'),
  }),
);

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
