/** Which settings of a number are tried. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import { freshCuts } from '../../src/outcomes/cuts.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { type NumberTest, numberTests } from '../../src/outcomes/numbers.ts';
import { randomOf } from '../support/history.ts';

const FIRST = Date.UTC(2026, 5, 1);
const DAYS = 20;

/**
 * The test of a number that is 1 for two cards in five, and 2 for the others, which do better.
 * @param size of all moves, percentage points
 */
function testOfTwoValues(size = 1): NumberTest {
  const random = randomOf(5);
  const rows = Array.from({ length: DAYS * 10 }, (_, i): HistoryCard => {
    const telling = i % 10 < 4 ? 1 : 2;
    const move = size * (random() + (telling === 2 ? 0.6 : 0));
    const outcome = { state: 'available', move, btc: 0 } as const;
    return {
      id: i + 1,
      symbol: `S${i % 10}`,
      type: i % 2 === 0 ? 'told' : 'other',
      at: FIRST + Math.floor(i / 10) * DAY + (i % 10) * HOUR,
      isBought: true,
      outcomes: byHorizon(() => outcome),
      context: { telling },
    };
  });
  const now = FIRST + DAYS * DAY;
  const times = { now, until: now, dueUntil: now - DAY };
  const evidence = { cards: rows, settled: rows, settingsSince: new Map(), findings: [], ...times };
  const test = numberTests(evidence, '24h').find(({ type }) => type === 'told');
  if (test === undefined) throw new Error('The number has no test.');
  return test;
}

describe('a cut', () => {
  const test = testOfTwoValues();
  const valuesOf = (telling: 'higher' | 'lower') =>
    freshCuts(test, telling).map(({ value }) => value);

  it('that keeps all cards is none', () => {
    expect(new Set(test.values)).toEqual(new Set([1, 2]));
    expect(valuesOf('higher')).toEqual([2]);
    expect(valuesOf('lower')).toEqual([1]);
  });

  it('is no advice if it clearly helps, but brings less than half of what matters', () => {
    const cutOf = (size: number) => freshCuts(testOfTwoValues(size), 'higher')[0];
    const little = cutOf(1);
    expect(little?.kept_vs_dropped_interval?.low).toBeGreaterThan(0);
    expect(little?.gain_lowered).toBeLessThan(0.5);
    expect(little?.is_advice).toBe(false);
    const much = cutOf(6);
    expect(much?.gain_lowered).toBeGreaterThan(0.5);
    expect(much?.is_advice).toBe(true);
  });
});
