import type { Field } from '../types.ts';

/** SignalCard of part 2. */
export const cardFields: readonly Field[] = [
  { name: 'id', kind: 'integer', about: 'id of the card, for `signals show`' },
  { name: 'source_symbol', kind: 'text', about: 'symbol, as its source names it' },
  { name: 'source_bot_type', kind: 'text', about: 'type of the screener that recorded it' },
  { name: 'exchanges', kind: 'texts', about: 'exchanges' },
  { name: 'changes', kind: 'texts', about: 'changes' },
  { name: 'created_at', kind: 'time', about: 'when it was recorded, UTC' },
  { name: 'last_seen_at', kind: 'time', about: 'when it was last seen, UTC; may be null' },
  { name: 'repeat_count', kind: 'integer', about: 'how often it was repeated' },
  { name: 'url', kind: 'text', about: 'filtered notification history, not the page of this card' },
  { name: 'url_scope', kind: 'text', about: 'what the url shows: filtered_notification_history' },
  { name: 'facts_scope', kind: 'text', about: 'what the facts are of: latest_episode_update' },
  { name: 'fact_price_pct', kind: 'number', about: 'price change, percent' },
  { name: 'fact_oi_pct', kind: 'number', about: 'open interest change, percent' },
  { name: 'fact_volume_pct', kind: 'number', about: 'volume change, percent' },
  { name: 'fact_window_min', kind: 'number', about: 'window of these changes, minutes' },
  { name: 'fact_funding', kind: 'number', about: 'funding rate, a fraction (0.0001 is 0.01%), not annualized' },
  { name: 'fact_oi_usd', kind: 'number', about: 'open interest, USD' },
  { name: 'fact_volume_usd', kind: 'number', about: 'turnover, USD' },
];

/** What a page of cards says besides them. */
export const pageFields: readonly Field[] = [
  { name: 'scope', kind: 'text', about: 'own_recorded_notifications' },
  { name: 'next_cursor', kind: 'text', about: 'for --cursor; null where there is no further page' },
  { name: 'since', kind: 'time', about: 'start of the window, UTC' },
  { name: 'until', kind: 'time', about: 'its end, UTC' },
];

const outcomeFields: readonly Field[] = [
  { name: 'outcome', kind: 'object', about: 'what was measured after the trigger; may be null' },
  { name: 'outcome.entry_at', kind: 'time', about: 'time of entry, UTC' },
  { name: 'outcome.entry_price', kind: 'number', about: 'price at entry' },
  { name: 'outcome.state_1h', kind: 'text', about: 'pending, missing or available' },
  { name: 'outcome.move_1h_pct', kind: 'number', about: 'price move after 1 hour, percent' },
  { name: 'outcome.btc_move_1h_pct', kind: 'number', about: "BTC's move over that hour, percent" },
  { name: 'outcome.state_24h', kind: 'text', about: 'pending, missing or available' },
  { name: 'outcome.move_24h_pct', kind: 'number', about: 'price move after 24 hours, percent' },
  { name: 'outcome.btc_move_24h_pct', kind: 'number', about: "BTC's move over those 24 hours, percent" },
  { name: 'entry_context', kind: 'object', about: 'numbers of the entry snapshot; may be empty' },
  { name: 'context_scope', kind: 'text', about: 'what the entry context is of: entry_snapshot' },
];

/** SignalDetail of part 2: the card, its outcome and its entry context. */
export const detailFields: readonly Field[] = [...cardFields, ...outcomeFields];

/** A card of a list: the rest is there where its outcome was bought. */
export const listedFields: readonly Field[] = [
  ...cardFields,
  ...outcomeFields.map((field) => ({ ...field, optional: !field.name.includes('.') })),
];
