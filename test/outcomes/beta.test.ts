import { expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY } from '../../src/base/units.ts';
import { betasOf } from '../../src/outcomes/beta.ts';
import type { Row } from '../../src/outcomes/row.ts';
import { normalOf, randomOf } from '../support/history.ts';

const NO_SYMBOLS: ReadonlySet<string> = new Set();

/** Twenty symbols a type, ten outcomes each: those of `quick` move 1.5 times as much as BTC, those of `slow` half as much. */
function outcomes(seed: number): Row[] {
  const normal = normalOf(randomOf(seed));
  const slopes = { quick: 1.5, slow: 0.5 };
  return Object.entries(slopes).flatMap(([type, slope]) =>
    Array.from({ length: 200 }, (_, i): Row => {
      const btc = 0.8 + 2.5 * normal();
      const measured = byHorizon(() => ({
        state: 'available',
        move: slope * btc + 5 * normal(),
        btc,
      }));
      const symbol = `${type}${i % 20}`;
      return { id: i, symbol, type, at: i * DAY, isBought: true, measured };
    }),
  );
}

it('a symbol of few outcomes moves with BTC as those of its type do, not as all do', () => {
  const slopes = Array.from({ length: 20 }, (_, i) => {
    const cards = outcomes(i + 1);
    const betas = betasOf(cards, '24h', NO_SYMBOLS);
    const ofType = (name: string) => betas.slopeOf(cards.filter(({ type }) => type === name));
    return { quick: ofType('quick'), slow: ofType('slow') };
  });
  const meanOf = (name: 'quick' | 'slow') =>
    slopes.reduce((sum, slope) => sum + slope[name], 0) / slopes.length;
  expect(Math.abs(meanOf('quick') - 1.5), 'error of the slope of quick').toBeLessThan(0.1);
  expect(Math.abs(meanOf('slow') - 0.5), 'error of the slope of slow').toBeLessThan(0.1);
});

it('a card whose symbol has no bought outcome moves with BTC as those of its type do', () => {
  const cards = outcomes(1);
  const betas = betasOf(cards, '24h', NO_SYMBOLS);
  const [first] = cards;
  const unknown = { ...(first as Row), symbol: 'NEW', isBought: false, measured: undefined };
  const ofType = betas.slopeOf(cards.filter(({ type }) => type === 'quick'));
  expect(
    Math.abs(betas.slopeOf([unknown]) - ofType),
    'difference to the slope of the type',
  ).toBeLessThan(0.1);
});
