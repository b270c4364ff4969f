import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockLengthsOf } from '../../src/api/contract/horizons.ts';
import { clusteredMedian } from '../../src/statistics/clustered-median.ts';
import { columnsOf } from '../../src/statistics/clusters.ts';
import { rankTest } from '../../src/statistics/rank-test.ts';
import { normalOf, randomOf } from '../support/history.ts';

const samples = fc.array(
  fc.record({
    value: fc.integer({ min: -12, max: 12 }).map((n) => n / 4),
    cluster: fc.integer({ min: 0, max: 14 }),
  }),
  { minLength: 1, maxLength: 120 },
);

const medianOf = (values: readonly { value: number; cluster: number }[], less = 0) =>
  clusteredMedian(
    values.map(({ value, cluster: day }) => ({ value: value - less, day, symbol: 'AUSDT' })),
    blockLengthsOf('1h'),
  );

it('an interval and its p value never contradict each other, at any level and for any value', () => {
  fc.assert(
    fc.property(
      samples,
      fc.integer({ min: -13, max: 13 }).map((n) => n / 4),
      fc.constantFrom(0.2, 0.05, 0.01, 0.05 / 16),
      (values, value, level) => {
        const interval = medianOf(values).interval(level);
        const { p } = medianOf(values, value);
        if (p === null) expect(interval).toBeNull();
        else if (interval === null)
          expect(p, 'p where there is no interval').toBeGreaterThan(level);
        else
          expect({ value, isRejected: p <= level }).toEqual({
            value,
            isRejected: value < interval.low || value > interval.high,
          });
      },
    ),
    { numRuns: 2000 },
  );
});

type KeyOf = (card: { symbol: number; normal: () => number }) => number;

/** Fifteen cards a day of 25 symbols. @param bySymbol how large the lasting effects of symbols are */
function pOf(seed: number, keyOf: KeyOf, bySymbol: number): number {
  const random = randomOf(seed);
  const normal = normalOf(random);
  const lasting = Array.from({ length: 25 }, normal);
  const cards = Array.from({ length: 60 }, (_, day) => {
    const market = 2 * normal();
    return Array.from({ length: 15 }, () => {
      const symbol = Math.floor(random() * lasting.length);
      const key = keyOf({ symbol, normal });
      const value = market + normal() + bySymbol * (lasting[symbol] ?? 0);
      return { key, value, day: 20_000 + day, symbol: `S${symbol}` };
    });
  }).flat();
  const keys = Float64Array.from(cards, ({ key }) => key);
  const test = rankTest(columnsOf(cards), keys, blockLengthsOf('24h'));
  return typeof test === 'string' ? 1 : (test.p ?? 1);
}

const ofSymbols = (seed: number): KeyOf => {
  const numbers = Array.from({ length: 25 }, normalOf(randomOf(seed + 1000)));
  return ({ symbol }) => numbers[symbol] ?? 0;
};

it.each<[string, number, (seed: number) => KeyOf]>([
  [
    'a key',
    0,
    () =>
      ({ normal }) =>
        normal(),
  ],
  ['a key that stays the same for each symbol', 0.5, ofSymbols],
])('of 400 histories few call %s that says nothing telling', (_, bySymbol, keyOf) => {
  const ps = Array.from({ length: 400 }, (_, i) => pOf(i + 1, keyOf(i + 1), bySymbol));
  expect(ps.filter((p) => p < 0.05).length / ps.length, 'share of p below .05').toBeLessThan(0.09);
});
