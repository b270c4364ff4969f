import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Moves of a card and of BTC, percent. */
export interface Outcome {
  readonly '1h': readonly [move: number, btc: number];
  readonly '24h': readonly [move: number, btc: number];
}

export interface CardFacts {
  readonly type: string;
  readonly symbol: string;
  /** Absent where it was not bought. */
  readonly outcome?: Outcome;
}

/** A line of a history. @param at epoch milliseconds UTC */
export function card(id: number, at: number, { type, symbol, outcome }: CardFacts): object {
  const created_at = new Date(at).toISOString();
  const bare = {
    id,
    source_symbol: symbol,
    source_bot_type: type,
    exchanges: ['binance'],
    changes: [],
    created_at,
    last_seen_at: null,
    repeat_count: 0,
    url: 'https://example.invalid/cards',
    url_scope: 'filtered_notification_history',
    facts_scope: 'latest_episode_update',
    fact_price_pct: null,
    fact_oi_pct: null,
    fact_volume_pct: null,
    fact_window_min: null,
    fact_funding: null,
    fact_oi_usd: null,
    fact_volume_usd: null,
  };
  if (outcome === undefined) return bare;
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
  return {
    ...bare,
    outcome: {
      entry_at: created_at,
      entry_price: 1,
      state_1h: 'available',
      move_1h_pct: rounded(outcome['1h'][0]),
      btc_move_1h_pct: rounded(outcome['1h'][1]),
      state_24h: 'available',
      move_24h_pct: rounded(outcome['24h'][0]),
      btc_move_24h_pct: rounded(outcome['24h'][1]),
    },
    entry_context: {},
    context_scope: 'entry_snapshot',
  };
}

/** Month files of a history; without `export.json` they are a history all the same. */
export function writeHistory(directory: string, cards: readonly object[]): void {
  mkdirSync(directory, { recursive: true });
  const months = new Map<string, string>([['2026-08', '']]);
  for (const one of cards as readonly { created_at: string }[]) {
    const month = one.created_at.slice(0, 7);
    months.set(month, `${months.get(month) ?? ''}${JSON.stringify(one)}\n`);
  }
  for (const [month, text] of months) writeFileSync(path.join(directory, `signals-${month}.ndjson`), text);
}
