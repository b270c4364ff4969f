import { expect, it } from 'vitest';
import { type Clustered, columnsOf } from '../../src/statistics/clusters.ts';
import { rankTest } from '../../src/statistics/rank-test.ts';
import { normalOf, randomOf } from '../support/history.ts';

interface Told {
  readonly days?: number;
  readonly symbols?: number;
  readonly key?: (card: { day: number; symbol: number; normal: () => number }) => number;
  readonly bySymbol?: number;
}

type KeyedCard = Clustered & { readonly key: number };

function testOf(cards: readonly KeyedCard[]) {
  const byDay = cards.toSorted((one, other) => one.day - other.day);
  const keys = Float64Array.from(byDay, ({ key }) => key);
  return rankTest(columnsOf(byDay), keys, '24h');
}

function cardsOf(
  seed: number,
  { days = 60, symbols = 25, key = ({ normal }) => normal(), bySymbol = 0 }: Told,
): KeyedCard[] {
  const random = randomOf(seed);
  const normal = normalOf(random);
  const lasting = Array.from({ length: symbols }, normal);
  return Array.from({ length: days }, (_, day) => {
    const market = 2 * normal();
    return Array.from({ length: 15 }, () => {
      const symbol = Math.floor(random() * symbols);
      const number = key({ day, symbol, normal });
      const value = market + normal() + bySymbol * (lasting[symbol] ?? 0);
      return { key: number, value, day: 20_000 + day, symbol: `S${symbol}` };
    });
  }).flat();
}

it('calls a key that says nothing telling in few of 400 histories, also one that stays the same for each symbol', () => {
  const share = (told: Told, key: (seed: number) => Told['key']) => {
    let below = 0;
    for (let seed = 1; seed <= 400; seed += 1) {
      const given = key(seed);
      const test = testOf(cardsOf(seed, given === undefined ? told : { ...told, key: given }));
      if (typeof test !== 'string' && (test.p ?? 1) < 0.05) below += 1;
    }
    return below / 400;
  };
  expect(share({}, () => undefined)).toBeLessThan(0.09);
  const ofSymbols = (seed: number) => {
    const numbers = Array.from({ length: 25 }, normalOf(randomOf(seed + 1000)));
    return ({ symbol }: { symbol: number }) => numbers[symbol] ?? 0;
  };
  expect(share({ bySymbol: 0.5 }, ofSymbols)).toBeLessThan(0.09);
});
