import { expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY } from '../../src/base/units.ts';
import { betasOf } from '../../src/outcomes/beta.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { questionOf } from '../../src/outcomes/question.ts';
import { normalOf, randomOf } from '../support/history.ts';
import { evidenceOf } from './support.ts';

const NO_SYMBOLS: ReadonlySet<string> = new Set();

/** Twenty symbols a type, ten outcomes each: those of `quick` move 1.5 times as much as BTC, those of `slow` half as much. */
function boughtCards(seed: number): HistoryCard[] {
  const normal = normalOf(randomOf(seed));
  const slopes = { quick: 1.5, slow: 0.5 };
  return Object.entries(slopes).flatMap(([type, slope]) =>
    Array.from({ length: 200 }, (_, i): HistoryCard => {
      const btc = 0.8 + 2.5 * normal();
      const outcomes = byHorizon(() => ({
        state: 'available',
        move: slope * btc + 5 * normal(),
        btc,
      }));
      const symbol = `${type}${i % 20}`;
      return { id: i, symbol, type, at: i * DAY, isBought: true, outcomes };
    }),
  );
}

it('where hardly a type has two outcomes, symbols are taken to move as BTC does', () => {
  const normal = normalOf(randomOf(3));
  const cards = Array.from({ length: 100 }, (_, i): HistoryCard => {
    const outcomes = byHorizon(() => ({ state: 'available', move: normal(), btc: normal() }));
    const type = `type ${Math.min(i, 98)}`;
    return { id: i, symbol: `S${i % 5}`, type, at: i * DAY, isBought: true, outcomes };
  });
  const { slopeOf, slopeVariance } = betasOf(cards, '24h', NO_SYMBOLS);
  expect({ slope: slopeOf(cards), variance: slopeVariance('type 98') }).toEqual({
    slope: 1,
    variance: 0.0625,
  });
});

it('the slope of a type of two bought outcomes is as sure as the slopes of types are alike', () => {
  const normal = normalOf(randomOf(2));
  const countsByType = { many: 60, more: 60, few: 2 };
  const cards = Object.entries(countsByType).flatMap(([type, count]) =>
    Array.from({ length: count }, (_, i): HistoryCard => {
      // BTC hardly moves in the outcomes of `few`: their own slope says nothing.
      const btc = type === 'few' ? i / 100 : 2.5 * normal();
      const outcomes = byHorizon(() => ({ state: 'available', move: btc + 5 * normal(), btc }));
      return { id: i, symbol: `${type}${i % 20}`, type, at: i * DAY, isBought: true, outcomes };
    }),
  );
  const { slopeVariance } = betasOf(cards, '24h', NO_SYMBOLS);
  // With 60 outcomes more, or with none, nothing jumps.
  expect(slopeVariance('few'), 'the error of two outcomes').toBeLessThan(0.1);
  expect(slopeVariance('unknown'), 'the error without outcomes').toBeLessThan(0.1);
  expect(betasOf(cards.slice(0, 60), '24h', NO_SYMBOLS).slopeVariance('few')).toBe(0.0625);
});

it('a symbol of few outcomes moves with BTC as those of its type do, not as all do', () => {
  const slopes = Array.from({ length: 20 }, (_, i) => {
    const cards = boughtCards(i + 1);
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
  const cards = boughtCards(1);
  const betas = betasOf(cards, '24h', NO_SYMBOLS);
  const [first] = cards;
  const unknown = {
    ...(first as HistoryCard),
    symbol: 'NEW',
    isBought: false,
    outcomes: undefined,
  };
  const ofType = betas.slopeOf(cards.filter(({ type }) => type === 'quick'));
  expect(
    Math.abs(betas.slopeOf([unknown]) - ofType),
    'difference to the slope of the type',
  ).toBeLessThan(0.1);
});

it('a card that was not bought has the mean of BTC’s moves of its day, or none', () => {
  const bought = boughtCards(1);
  const [first] = bought;
  const onDay = (day: number): HistoryCard => ({
    ...(first as HistoryCard),
    at: day * DAY + 1,
    isBought: false,
    outcomes: undefined,
  });
  const btcOfDay = (day: number) => {
    const moves = bought
      .filter(({ at }) => at === day * DAY)
      .map(({ outcomes }) => outcomes?.['24h'].btc ?? Number.NaN);
    return moves.reduce((sum, move) => sum + move, 0) / moves.length;
  };
  const betas = betasOf(bought, '24h', NO_SYMBOLS);
  const more = betas.slopeOf([first as HistoryCard]) - 1;
  const listed = [onDay(3), onDay(7), onDay(9999)];
  const meanMove = (btcOfDay(3) + btcOfDay(7)) / 3;
  expect({
    btc: betas.btcOf(listed),
    explained: betas.explainedOf(listed),
    explainedOfBought: betas.explained(first as HistoryCard),
    ofNone: { btc: betas.btcOf([]), explained: betas.explainedOf([]), slope: betas.slopeOf([]) },
  }).toEqual({
    btc: expect.closeTo(meanMove, 12),
    explained: expect.closeTo(more * meanMove, 12),
    explainedOfBought: expect.closeTo(more * (first?.outcomes?.['24h'].btc ?? Number.NaN), 12),
    ofNone: { btc: 0, explained: 0, slope: 1 },
  });
});

it('where too little is bought, or BTC did not move, symbols are taken to move as BTC does', () => {
  const bought = boughtCards(1);
  const slopeOf = (cards: readonly HistoryCard[]) =>
    betasOf(cards, '24h', NO_SYMBOLS).slopeOf(bought);
  const still = bought.map((card) => ({
    ...card,
    outcomes: byHorizon(() => ({ state: 'available', move: 3, btc: 0 })),
  }));
  expect({ few: slopeOf(bought.slice(0, 10)), still: slopeOf(still) }).toEqual({
    few: 1,
    still: 1,
  });
});

it('a group that moves more than BTC, and less than the others, gains from a fall of BTC', () => {
  const normal = normalOf(randomOf(1));
  const slopes = { low: 1.2, high: 2.2, higher: 2.2 };
  const cards: HistoryCard[] = [];
  for (let day = 0; day < 60; day += 1) {
    const btc = -1.5 + normal();
    for (const [type, slope] of Object.entries(slopes)) {
      for (let i = 0; i < 4; i += 1) {
        const outcomes = byHorizon(() => ({
          state: 'available',
          move: slope * btc + normal(),
          btc,
        }));
        const symbol = `${type}${i}`;
        cards.push({ id: cards.length, symbol, type, at: day * DAY, isBought: true, outcomes });
      }
    }
  }
  const evidence = evidenceOf(cards, { now: 70 * DAY });
  const { groups } = figuresOf(evidence, questionOf({}));
  const low = groups.find(({ group }) => group === 'low')?.horizons['24h'];
  expect({
    isGain: (low?.explainedByBeta ?? 0) > 1,
    didBtcFall: (low?.btcMove() ?? 0) < -1,
  }).toEqual({
    isGain: true,
    didBtcFall: true,
  });
});
