import { byHorizon } from '../api/contract/horizons.ts';
import type { Horizon, SignalStats } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { isMeasured, type Measured, measuredAt } from '../outcomes/row.ts';
import { DAY } from '../runtime/units.ts';
import { medianOf } from '../statistics/quantile.ts';
import { rounded } from './market/noise.ts';
import type { World } from './world.ts';

const WINDOW_DAYS = 30;
const MOST_ROWS = 2000;

/**
 * Statistics as parts 2 and 4 define them. The document is silent on the rest: a card without an outcome is no row; the
 * difference from BTC is taken per row before the median; without a filter `screener_type` says `all`.
 */
export function statsOf(world: World, screenerType: string | undefined, now: number): SignalStats {
  const outcomes = world
    .index(now)
    .filter(({ createdAt, type }) => createdAt >= now - WINDOW_DAYS * DAY && type === (screenerType ?? type))
    .flatMap(({ id }) => world.detail(id, now)?.outcome ?? []);
  const rows = outcomes.slice(0, MOST_ROWS);
  return {
    scope: 'own_recorded_outcomes',
    window_days: WINDOW_DAYS,
    sampled_rows: rows.length,
    sample_limited: outcomes.length > MOST_ROWS,
    screener_type: screenerType ?? 'all',
    horizons: byHorizon((name) => horizonOf(rows.map((row) => measuredAt(row, name)))),
    generated_at: formatApiTime(now),
    stale: false,
  };
}

function horizonOf(rows: readonly Measured[]): Horizon {
  const measured = rows.filter(isMeasured);
  const differences = measured.flatMap(({ move, btc }) => (btc === null ? [] : [move - btc]));
  return {
    sample: measured.length,
    pending: rows.filter(({ state }) => state === 'pending').length,
    missing: rows.filter(({ state }) => state === 'missing').length,
    median_move_pct: median(measured.map(({ move }) => move)),
    btc_sample: differences.length,
    median_vs_btc_percentage_points: median(differences),
  };
}

const median = (values: readonly number[]): number | null =>
  values.length === 0 ? null : rounded(medianOf(values), 4);
