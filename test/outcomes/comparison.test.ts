/** What the figures of a history say of groups beside each other, of BTC's own cards, of what is missing. */

import { describe, expect, it } from 'vitest';
import type { SignalStats } from '../../src/api/contract/resources.ts';
import type { HorizonFigures } from '../../src/outcomes/figure-table.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import { quantile } from '../../src/outcomes/quantile.ts';
import type { Row } from '../../src/outcomes/row.ts';
import { DAY } from '../../src/runtime/units.ts';
import { normalOf, randomOf } from '../support/history.ts';
import { stats } from '../support/samples.ts';

const START = Date.UTC(2026, 5, 1);
const NOW = START + 400 * DAY;

interface World {
  readonly days: number;
  /** Percentage points of each screener type above the market, after 24 h. */
  readonly effects: readonly number[];
  readonly symbols?: number;
  /** Of the cards that have one symbol, and how far that symbol is from the others for good. */
  readonly dominant?: { readonly share: number; readonly effect: number };
  readonly perDay?: number;
}

/** Cards whose days move together by 3 percentage points, and by themselves by 2. */
function history({ days, effects, symbols = 30, dominant, perDay = 24 }: World, seed: number): Row[] {
  const random = randomOf(seed * 31 + 5);
  const normal = normalOf(random);
  const rows: Row[] = [];
  for (let day = 0; day < days; day += 1) {
    const market = 3 * normal();
    for (let i = 0; i < perDay; i += 1) {
      const type = i % effects.length;
      const isDominant = random() < (dominant?.share ?? 0);
      const own = (isDominant ? (dominant?.effect ?? 0) : 0) + (effects[type] ?? 0);
      const measured = () => ({ state: 'available', move: 0.5 + market + 2 * normal() + own, btc: 0.5 });
      rows.push({
        id: rows.length + 1,
        symbol: isDominant ? 'BIGUSDT' : `S${Math.floor(random() * symbols)}USDT`,
        type: `type_${type}`,
        at: START + day * DAY + (i * DAY) / perDay,
        isBought: true,
        measured: { '1h': measured(), '24h': measured() },
      });
    }
  }
  return rows;
}

const byType = (rows: readonly Row[], more: Partial<Parameters<typeof figuresOf>[1]> = {}) =>
  figuresOf(rows, { by: 'type', now: NOW, ...more }).groups.map(({ horizons }) => horizons['24h']);

describe('groups beside each other', () => {
  it('against the other cards of the day an effect shows that the market hides', () => {
    const [first, ...others] = byType(history({ days: 40, effects: [1, 0, 0, 0, 0, 0] }, 1));
    expect([first?.verdict, first?.verdict_vs_others, first?.vs_others_from]).toEqual([
      'unclear',
      'above_others',
      'bought',
    ]);
    expect(others.map((one) => one.verdict_vs_others)).not.toContain('above_others');
  });

  it('compare types and symbols with others, but not months', () => {
    const rows = history({ days: 30, effects: [0, 0] }, 2);
    for (const by of ['type', 'symbol', 'month'] as const) {
      const verdicts = figuresOf(rows, { by, now: NOW }).groups.map(
        ({ horizons }) => horizons['24h'].verdict_vs_others,
      );
      expect([by, verdicts.every((verdict) => verdict === null)]).toEqual([by, by === 'month']);
    }
  });

  it('know of no difference that matters, as far as --least says what does', () => {
    const rows = history({ days: 120, effects: [0, 0, 0] }, 4);
    const verdicts = (least: number) => byType(rows, { least }).map((one) => one.verdict_vs_others);
    expect(verdicts(1)).toEqual(['none', 'none', 'none']);
    expect(verdicts(0.05)).toEqual(['unclear', 'unclear', 'unclear']);
  });
});

it('one symbol with a lasting effect and many cards makes intervals wide, not sure', () => {
  let covered = 0;
  for (let seed = 1; seed <= 40; seed += 1) {
    const normal = normalOf(randomOf(seed));
    const rows = history({ days: 60, effects: [0], dominant: { share: 0.4, effect: 2.5 * normal() } }, seed);
    const { low, high } = figuresOf(rows, { now: NOW }).groups[0]?.horizons['24h'].median_vs_btc_interval_95 ?? {
      low: 1,
      high: -1,
    };
    if (low <= 0 && high >= 0) covered += 1;
  }
  expect(covered).toBeGreaterThan(34);
});

describe("the service's own medians", () => {
  const all = history({ days: 60, effects: [1.5, 0, 0, 0, 0, 0], perDay: 36 }, 9);
  /** One outcome of 7 is bought. */
  const rows = all.map((row): Row => (row.id % 7 === 0 ? row : { ...row, isBought: false, measured: undefined }));

  function answers(change: (end: number) => Partial<Parameters<typeof stats>[0]> = () => ({})) {
    return [30, 60].flatMap((day) =>
      [...new Set(all.map(({ type }) => type))].map((type) => {
        const at = START + day * DAY - 1;
        const own = all.filter((row) => row.type === type && row.at > at - 30 * DAY && row.at <= at);
        const differences = own.map(({ measured }) => (measured?.['24h'].move ?? 0) - (measured?.['24h'].btc ?? 0));
        const horizon = {
          sample: own.length,
          pending: 0,
          missing: 0,
          median_move_pct: null,
          btc_sample: own.length,
          median_vs_btc_percentage_points: quantile(
            differences.sort((a, b) => a - b),
            0.5,
          ),
        };
        return {
          at,
          type,
          stats: stats({ screener_type: type, horizons: { '1h': horizon, '24h': horizon }, ...change(day) }),
        };
      }),
    );
  }

  const widthOf = (one: HorizonFigures | undefined) => {
    const interval = one?.median_vs_others_interval_95;
    return (interval?.high ?? Number.NaN) - (interval?.low ?? Number.NaN);
  };

  it('tell more in 60 days than bought outcomes alone', () => {
    const [bought] = byType(rows);
    const [told, ...others] = byType(rows, { answers: answers() });
    expect(bought?.vs_others_from).toBe('bought');
    expect(widthOf(told)).toBeLessThan(0.7 * widthOf(bought));
    expect([told?.verdict_vs_others, told?.vs_others_from]).toEqual(['above_others', 'service']);
    expect([told?.service_windows, told?.service_sample]).toEqual([2, 360]);
    expect(told?.median_vs_others_percentage_points).toBeGreaterThan(0.6);
    expect(others.map((one) => one.verdict_vs_others)).not.toContain('above_others');
  });

  it('are left out where they are stale, of other cards, or say no median', () => {
    const other = (horizon: object) => () => {
      const changed = { ...answers()[0]?.stats.horizons['24h'], ...horizon } as SignalStats['horizons']['24h'];
      return { horizons: { '1h': changed, '24h': changed } };
    };
    for (const change of [
      () => ({ stale: true }),
      other({ sample: 90 }),
      other({ median_vs_btc_percentage_points: null }),
    ]) {
      expect(byType(rows, { answers: answers(change) }).map((one) => one.vs_others_from)).toEqual(
        Array(6).fill('bought'),
      );
    }
    // One window that cannot be trusted leaves the other.
    const half = byType(rows, { answers: answers((day) => ({ stale: day === 30 })) });
    expect(new Set(half.map((one) => one.service_windows ?? 1))).toEqual(new Set([1]));
    expect(half.map((one) => one.vs_others_from)).toContain('service');
  });
});
