import type { Horizon, Outcome, SignalDetail, SignalStats } from '../api/contract/resources.ts';
import { formatApiTime, parseApiTime } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';

const WINDOW_DAYS = 30;
const MOST_ROWS = 2000;

/**
 * Statistics as parts 2 and 4 of the API document define them: outcomes of the last 30 days, at most the latest 2000.
 * The sandbox's own choices, where the document is silent: a card without an outcome is no row; a median of an even
 * number is the mean of the middle two; the difference from BTC is taken per row before the median; without a filter
 * `screener_type` says `all`.
 * @param details newest first
 */
export function computeStats(
  details: Iterable<SignalDetail>,
  screenerType: string | undefined,
  now: number,
): SignalStats {
  const from = now - WINDOW_DAYS * DAY;
  const rows: Outcome[] = [];
  let limited = false;
  for (const detail of details) {
    const createdAt = parseApiTime(detail.created_at) ?? 0;
    if (createdAt > now) continue;
    if (createdAt < from) break;
    if (screenerType !== undefined && detail.source_bot_type !== screenerType) continue;
    if (detail.outcome === null) continue;
    if (rows.length === MOST_ROWS) {
      limited = true;
      break;
    }
    rows.push(detail.outcome);
  }
  return {
    scope: 'own_recorded_outcomes',
    window_days: WINDOW_DAYS,
    sampled_rows: rows.length,
    sample_limited: limited,
    screener_type: screenerType ?? 'all',
    horizons: {
      '1h': horizon(rows.map((row) => ({ state: row.state_1h, move: row.move_1h_pct, btc: row.btc_move_1h_pct }))),
      '24h': horizon(rows.map((row) => ({ state: row.state_24h, move: row.move_24h_pct, btc: row.btc_move_24h_pct }))),
    },
    generated_at: formatApiTime(now),
    stale: false,
  };
}

interface Row {
  readonly state: string;
  readonly move: number | null;
  readonly btc: number | null;
}

function horizon(rows: readonly Row[]): Horizon {
  const moves: number[] = [];
  const differences: number[] = [];
  for (const { state, move, btc } of rows) {
    if (state !== 'available' || move === null) continue;
    moves.push(move);
    if (btc !== null) differences.push(move - btc);
  }
  return {
    sample: moves.length,
    pending: rows.filter((row) => row.state === 'pending').length,
    missing: rows.filter((row) => row.state === 'missing').length,
    median_move_pct: median(moves),
    btc_sample: differences.length,
    median_vs_btc_percentage_points: median(differences),
  };
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  const value = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
  return Math.round(value * 1e4) / 1e4;
}
