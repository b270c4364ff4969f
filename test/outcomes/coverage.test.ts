/**
 * Does 95 % mean 95 %? The program's own functions over invented histories of known truth, the same ones every run.
 * `SCREENER_HEAVY=1` takes 1,000 histories of each kind and prints the table.
 */
import { describe, expect, it } from 'vitest';
import { figuresOf } from '../../src/outcomes/figures.ts';
import { HORIZON_NAMES, type HorizonFigures, type HorizonName, type Interval } from '../../src/outcomes/types.ts';
import { LONG_AGO_SETTLED, placeboHistory, unevenDays, type World } from './placebo.ts';

const isHeavy = process.env.SCREENER_HEAVY === '1';
const HISTORIES = isHeavy ? 1000 : 100;
/** Three standard errors of a coverage of 0.95 in the small run. */
const SLACK = isHeavy ? 0 : 0.065;

const twenty = () => 20;
const WORLDS: Readonly<Record<string, World>> = {
  '30 days x 20, correlation 0.3': { days: 30, perDay: twenty, correlation: 0.3 },
  '7 days x 20, correlation 0.3': { days: 7, perDay: twenty, correlation: 0.3 },
  '30 uneven days, correlation 0.3': { days: 30, perDay: unevenDays, correlation: 0.3 },
  '14 uneven days, correlation 0.3': { days: 14, perDay: unevenDays, correlation: 0.3 },
  '30 days x 20, 24 h windows overlap': { days: 30, perDay: twenty, correlation: 0.3, overlaps: true },
  '12 days x 20, 24 h windows overlap': { days: 12, perDay: twenty, correlation: 0.3, overlaps: true },
  '60 days x 20, 24 h windows overlap': { days: 60, perDay: twenty, correlation: 0.3, overlaps: true },
  '30 uneven days, 24 h windows overlap': { days: 30, perDay: unevenDays, correlation: 0.3, overlaps: true },
  '30 days x 20, independent': { days: 30, perDay: twenty, correlation: 0 },
};

const INTERVALS: readonly { name: string; truth: number; of: (figures: HorizonFigures) => Interval | null }[] = [
  { name: 'move', truth: 0, of: (figures) => figures.median_move_pct_interval_95 },
  { name: 'vs BTC', truth: 0, of: (figures) => figures.median_vs_btc_interval_95 },
  { name: 'share', truth: 0.5, of: (figures) => figures.share_above_btc_interval_95 },
];

function coverageOf(world: World): Record<HorizonName, Record<string, { covered: number; given: number }>> {
  const counts = Object.fromEntries(
    HORIZON_NAMES.map((name) => [
      name,
      Object.fromEntries(INTERVALS.map((one) => [one.name, { covered: 0, given: 0 }])),
    ]),
  ) as ReturnType<typeof coverageOf>;
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const { groups } = figuresOf(placeboHistory(world, seed), { now: LONG_AGO_SETTLED });
    for (const horizon of HORIZON_NAMES) {
      const figures = groups[0]?.horizons[horizon];
      if (figures === undefined) continue;
      for (const { name, truth, of } of INTERVALS) {
        const interval = of(figures);
        const count = counts[horizon][name];
        if (interval === null || count === undefined) continue;
        count.given += 1;
        if (interval.low <= truth && truth <= interval.high) count.covered += 1;
      }
    }
  }
  return counts;
}

describe('intervals hold what they promise', () => {
  it.each(Object.entries(WORLDS))('%s', (title, world) => {
    const counts = coverageOf(world);
    for (const horizon of HORIZON_NAMES) {
      // Blocks of two days of seven are too few clusters.
      if (world.days < 12 && horizon === '24h') continue;
      const least = horizon === '24h' && world.overlaps ? 0.91 : 0.92;
      for (const { name } of INTERVALS) {
        const { covered, given } = counts[horizon][name] ?? { covered: 0, given: 0 };
        const coverage = covered / given;
        if (isHeavy) process.stderr.write(`${`${title} | ${horizon} ${name} | ${coverage.toFixed(3)} of ${given}`}\n`);
        expect(given).toBeGreaterThan(HISTORIES * 0.9);
        expect([name, coverage]).toEqual([
          name,
          expect.toSatisfy((is: number) => is >= least - SLACK && is <= 0.99 + SLACK),
        ]);
      }
    }
  });
});
