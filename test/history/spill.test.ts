import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Column } from '../../src/outcomes/column.ts';
import { reportGroup } from '../../src/outcomes/report.ts';
import { SortedArray } from '../../src/outcomes/sorted.ts';
import { SortedPieces, Spill } from '../../src/outcomes/spill.ts';
import { Tally } from '../../src/outcomes/tally.ts';

const values = fc.array(
  fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -20, max: 20, noNaN: true }),
  ),
  { minLength: 1, maxLength: 1500 },
);

describe('samples beyond memory', () => {
  it('have the same order statistics and counts as in memory', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 5 }), fc.double({ noNaN: true }), (numbers, count, probe) => {
        const spill = new Spill();
        try {
          const pieces = Array.from({ length: count }, (_, i) =>
            spill.put(Float64Array.from(numbers.filter((_, at) => at % count === i)).sort()),
          );
          const spilled = new SortedPieces(spill, pieces);
          const held = new SortedArray(Float64Array.from(numbers).sort());
          expect(spilled.length).toBe(held.length);
          for (const share of [0, 0.25, 0.5, 0.97, 1]) {
            const rank = Math.floor((numbers.length - 1) * share);
            expect(spilled.at(rank) === held.at(rank)).toBe(true);
          }
          for (const value of [probe, numbers[0] ?? 0, 0]) expect(spilled.below(value)).toBe(held.below(value));
        } finally {
          spill.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('give the same report', () => {
    const spill = new Spill();
    try {
      const [small, large] = [new Tally(undefined, spill, 100), new Tally(undefined)];
      for (let part = 0; part < 30; part += 1) {
        const rows = new Tally(undefined);
        for (let i = 0; i < 60; i += 1) {
          const move = Math.sin(part * 60 + i) * 9;
          const horizon = { state: 'available', move, btc: i % 3 ? Math.cos(i) : null };
          rows.add({ symbol: 'X', type: 't', at: i * 9e6, measured: [horizon, { ...horizon, move: -move }] });
        }
        small.merge(rows.parts());
        large.merge(rows.parts());
      }
      const report = (tally: Tally) => [...tally.groups.values()].map((group) => reportGroup(null, group));
      expect(report(small)).toEqual(report(large));
      expect(report(large)[0]?.report.horizons['1h'].sample).toBe(1800);
    } finally {
      spill.close();
    }
  });

  it('columns go on after a spill', () => {
    const spill = new Spill();
    const column = new Column();
    for (const value of [3, 1, 2]) column.push(value);
    column.spillTo(spill);
    column.append(Float64Array.of(0, 9));
    const sorted = column.sorted();
    expect([0, 1, 2, 3, 4].map((rank) => sorted.at(rank))).toEqual([0, 1, 2, 3, 9]);
    spill.close();
  });
});
