import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import type { SignalDetail, SignalStats } from '../../src/api/contract/resources.ts';
import { measuredDetail } from '../support/samples.ts';
import { worldOf } from '../support/sandbox.ts';
import { bench, detail, START } from './support.ts';

/** A card whose outcome after 1 h is measured, or missing. */
function measured(id: number, move: number | null, btc: number | null): SignalDetail {
  return measuredDetail(detail(id), (name) =>
    name === '1h'
      ? { state: move === null ? 'missing' : 'available', move, btc }
      : { state: 'pending', move: null, btc: null },
  );
}

/** As the API answers over these cards. */
const statsOf = (details: readonly SignalDetail[], query = ''): SignalStats =>
  bench({ world: worldOf(details) }).resource(`/signal-stats${query}`);

describe('statistics by the definition', () => {
  it('each horizon on its own sample, BTC on the rows that have both', () => {
    const rows = [
      measured(5, 4, 1),
      measured(4, -2, null),
      measured(3, 1, 3),
      measured(2, 10, 0),
      measured(1, null, null),
    ];
    const medians = { median_move_pct: 2.5, btc_sample: 3, median_vs_btc_percentage_points: 3 };
    const none = { sample: 0, missing: 0, median_move_pct: null, btc_sample: 0, median_vs_btc_percentage_points: null };
    expect(statsOf([detail(6), ...rows])).toEqual({
      scope: 'own_recorded_outcomes',
      window_days: 30,
      sampled_rows: 5,
      sample_limited: false,
      screener_type: 'all',
      horizons: {
        ...byHorizon(() => ({ ...none, pending: 5 })),
        '1h': { sample: 4, pending: 0, missing: 1, ...medians },
      },
      generated_at: '2026-11-20T19:03:20Z',
      stale: false,
    });
  });

  it('of cards of 30 days, at most the latest 2000', () => {
    for (const [more, rows] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const created_at = new Date(START - 30 * 86_400_000 - more).toISOString();
      expect(statsOf([{ ...measured(1, 1, 0), created_at }]).sampled_rows).toBe(rows);
    }
    for (const count of [2000, 2001]) {
      const rows = Array.from({ length: count }, (_, i) => ({ ...measured(1, 1, 0), id: count - i }));
      expect(statsOf(rows)).toMatchObject({ sampled_rows: 2000, sample_limited: count > 2000 });
    }
  });
});
