import fs from 'node:fs';
import path from 'node:path';

const DAY = 86_400_000;
const BETWEEN = (365.25 * DAY) / 12 / 960;
const TYPES = ['price_spike', 'oi_growth', 'volume_burst', 'funding_extreme'];

/**
 * Writes a complete history as `signals export` would leave it: `count` details up to two days ago, 960 a month, as many
 * as an account can buy, and what the service said of each type every 15 days.
 */
export function writeHistory(directory, count) {
  fs.mkdirSync(directory, { recursive: true });
  const random = mulberry(7);
  const end = Math.floor(Date.now() / DAY) * DAY - 2 * DAY;
  const months = new Map();
  const cards = [];
  for (let id = 1; id <= count; id += 1) {
    const at = end - Math.round((count + 1 - id) * BETWEEN);
    const type = TYPES[Math.floor(random() * TYPES.length)];
    const symbol = `COIN${Math.floor(random() * 60)}USDT`;
    const month = new Date(at).toISOString().slice(0, 7);
    const lines = months.get(month) ?? [];
    months.set(month, lines);
    lines.push(JSON.stringify(detail({ id, at, type, symbol }, random)));
    cards.push({ at, type });
  }
  for (const [month, lines] of months) writeLines(path.join(directory, `signals-${month}.ndjson`), lines);
  const answers = [];
  for (let asked = cards[0].at + 30 * DAY; asked <= end; asked += 15 * DAY) {
    const ofWindow = cards.filter(({ at }) => at > asked - 30 * DAY && at <= asked);
    for (const type of TYPES) answers.push(JSON.stringify(answer(type, asked, ofWindow, random)));
  }
  writeLines(path.join(directory, 'stats.ndjson'), answers);
  const span = { since: '1970-01-01T00:00:00Z', until: new Date(end).toISOString() };
  fs.writeFileSync(path.join(directory, 'export.json'), JSON.stringify({ version: 1, complete: true, spans: [span] }));
}

function writeLines(file, lines) {
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}

function detail({ id, at, type, symbol }, random) {
  const percent = (spread) => Number(((random() + random() + random() - 1.5) * spread).toFixed(4));
  const created = new Date(at).toISOString();
  const missing = random() < 0.04;
  const state = missing ? 'missing' : 'available';
  const move = (spread) => (missing ? null : percent(spread));
  return {
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
      ...{ state_1h: state, move_1h_pct: move(3), btc_move_1h_pct: move(1) },
      ...{ state_24h: state, move_24h_pct: move(12), btc_move_24h_pct: move(4) },
    },
    entry_context: { price_change_24h_pct: percent(10), oi_usd: Math.floor(random() * 1e9) },
    context_scope: 'entry_snapshot',
  };
}

function answer(type, asked, ofWindow, random) {
  const sample = ofWindow.filter((card) => card.type === type).length;
  const median = () => Number((random() - 0.5).toFixed(4));
  const horizon = () => ({
    ...{ sample, pending: 0, missing: 0, median_move_pct: median() },
    ...{ btc_sample: sample, median_vs_btc_percentage_points: median() },
  });
  const stats = {
    scope: 'own_recorded_outcomes',
    window_days: 30,
    sampled_rows: sample,
    sample_limited: false,
    screener_type: type,
    horizons: { '1h': horizon(), '24h': horizon() },
    generated_at: new Date(asked).toISOString(),
    stale: false,
  };
  return { asked_at: stats.generated_at, type, stats };
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
