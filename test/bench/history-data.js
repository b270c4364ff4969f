import fs from 'node:fs';
import path from 'node:path';

const DAY = 86_400_000;
/** 960 outcomes a month. */
const BETWEEN = Math.floor((365.25 * DAY) / 12 / 960);

/**
 * Writes a complete history of `count` details, as many a day as an account can buy, up to a day ago, as `signals
 * export` would leave it: month files, oldest first, and export.json.
 * @param {string} directory
 * @param {number} count
 */
export function writeHistory(directory, count) {
  fs.mkdirSync(directory, { recursive: true });
  const random = mulberry(7);
  const symbols = Array.from({ length: 60 }, (_, index) => `COIN${index}USDT`);
  const types = ['price_spike', 'oi_growth', 'volume_burst', 'funding_extreme'];
  const months = {};
  const end = Math.floor(Date.now() / DAY) * DAY - 2 * DAY;
  let file;
  let name = '';
  let lines = [];
  const flush = () => {
    if (lines.length > 0) fs.writeSync(file, `${lines.join('\n')}\n`);
    lines = [];
  };
  for (let index = 0; index < count; index += 1) {
    const at = end - (count - index) * BETWEEN;
    const created = new Date(at).toISOString().replace('.000Z', 'Z');
    const month = created.slice(0, 7);
    if (month !== name) {
      flush();
      if (file !== undefined) fs.closeSync(file);
      file = fs.openSync(path.join(directory, `signals-${month}.ndjson`), 'w');
      name = month;
      months[month] = { cards: 0, awaiting: 0 };
    }
    months[month].cards += 1;
    lines.push(detail(index + 1, created, symbols[Math.floor(random() * 60)], types[Math.floor(random() * 4)], random));
    if (lines.length >= 2000) flush();
  }
  flush();
  if (file !== undefined) fs.closeSync(file);
  const until = new Date(end).toISOString();
  const state = {
    version: 1,
    account: '0'.repeat(24),
    complete: true,
    remaining: { list: false, outcomes_due: 0, outcomes_later: 0 },
    last_run: null,
    covered: { since: '1970-01-01T00:00:00Z', until },
    walk: null,
    newest: until,
    months,
    asked: {},
    gone: [],
  };
  fs.writeFileSync(path.join(directory, 'export.json'), `${JSON.stringify(state, null, 2)}\n`);
}

function detail(id, created, symbol, type, random) {
  const percent = (spread) => Number(((random() + random() + random() - 1.5) * spread).toFixed(4));
  const missing = random() < 0.04;
  return JSON.stringify({
    id,
    source_symbol: symbol,
    source_bot_type: type,
    exchanges: ['binance', 'bybit'],
    changes: [`Price ${percent(4)}% in 15 min`],
    created_at: created,
    last_seen_at: null,
    repeat_count: 0,
    url: `https://screener.example/notifications?symbol=${symbol}&type=${type}`,
    url_scope: 'filtered_notification_history',
    facts_scope: 'latest_episode_update',
    fact_price_pct: percent(4),
    fact_oi_pct: random() < 0.2 ? null : percent(6),
    fact_volume_pct: percent(90),
    fact_window_min: 15,
    fact_funding: 0.0001,
    fact_oi_usd: Math.floor(random() * 1e9),
    fact_volume_usd: Math.floor(random() * 1e9),
    outcome: {
      entry_at: created,
      entry_price: Number((random() * 100).toFixed(4)),
      state_1h: missing ? 'missing' : 'available',
      move_1h_pct: missing ? null : percent(3),
      btc_move_1h_pct: missing ? null : percent(1),
      state_24h: missing ? 'missing' : 'available',
      move_24h_pct: missing ? null : percent(12),
      btc_move_24h_pct: missing ? null : percent(4),
    },
    entry_context: { price_change_24h_pct: percent(10), oi_usd: Math.floor(random() * 1e9) },
    context_scope: 'entry_snapshot',
  });
}

/** A small seeded generator, so that every run measures the same data. */
function mulberry(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
