/** The parts of the variance of medians, on outcomes of which each part is known. */
import { expect, it } from 'vitest';
import type { Difference } from '../../src/outcomes/differences.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { compositionsOf, variancePartsOf } from '../../src/outcomes/variance-parts.ts';

const DAY = 86_400_000;
const FIRST_DAY = 20_000;

/** The signs of two cards of a day: as often alike as not, in any four days. */
const SIGNS = [
  [1, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
] as const;

/** @param perDay one card a day, or two, each of a symbol of its own */
function boughtOn(days: number, perDay: 1 | 2): Difference[] {
  return Array.from({ length: days }, (_, i) =>
    Array.from({ length: perDay }, (_, place): Difference => {
      const day = FIRST_DAY + i;
      const symbol = `S${place}`;
      const sign = SIGNS[i % 4]?.[place] ?? 1;
      const card = { type: 'pump', symbol, at: day * DAY } as HistoryCard;
      return { card, day, symbol, value: sign * (1 + (i % 3)) };
    }),
  ).flat();
}

const compositionOf = (bought: readonly Difference[]) => {
  const cards = bought.map(({ card }) => card);
  return compositionsOf(cards)(cards);
};

it('cards of one day that go together by nothing are taken to do so by half a standard error', () => {
  const bought = boughtOn(40, 2);
  const parts = variancePartsOf(bought, [], 1);
  // An ordered pair of cards a day in each direction.
  const pairs = 2 * 40;
  const square = (parts?.slope('pump') ?? Number.NaN) ** 2;
  // Each day has a fortieth of the cards.
  const squaresOfShares = 40 * (1 / 40) ** 2;
  const margin = square * Math.sqrt(0.5 / pairs);
  expect({
    outcomes: parts?.outcomes,
    blocks: parts?.blocks,
    symbols: parts?.symbols,
    shared: parts?.ofShared([{ composition: compositionOf(bought), weight: 1 }]),
    ofSymbols: parts?.ofSymbols([{ composition: compositionOf(bought), weight: 1 }]),
    ofOneCard: parts?.ofOneCard('pump'),
  }).toEqual({
    outcomes: 80,
    blocks: 40,
    symbols: 2,
    shared: expect.closeTo(margin * squaresOfShares, 12),
    ofSymbols: 0,
    ofOneCard: expect.closeTo(square - margin, 12),
  });
});

it('a card that moves as the other of its symbol and day has little chance of its own', () => {
  const alike = boughtOn(40, 2).map((difference): Difference => {
    const sign = difference.day % 2 === 0 ? 1 : -1;
    const card = { ...difference.card, symbol: 'S0' };
    return { ...difference, card, symbol: 'S0', value: sign * (1 + (difference.day % 3)) };
  });
  const parts = variancePartsOf(alike, [], 1);
  const square = (parts?.slope('pump') ?? Number.NaN) ** 2;
  expect(parts?.ofOneCard('pump')).toBeLessThan(square / 2);
});

it('cards of which each is alone on its day share nothing', () => {
  const bought = boughtOn(40, 1);
  const parts = variancePartsOf(bought, [], 1);
  expect({
    shared: parts?.ofShared([{ composition: compositionOf(bought), weight: 1 }]),
    ofOneCard: parts?.ofOneCard('pump'),
  }).toEqual({
    shared: 0,
    ofOneCard: expect.closeTo((parts?.slope('pump') ?? Number.NaN) ** 2, 12),
  });
});

it('of two groups that are subtracted, what both have of a day counts for nothing', () => {
  const bought = boughtOn(40, 2);
  const parts = variancePartsOf(bought, [], 1);
  const composition = compositionOf(bought);
  expect(
    parts?.ofShared([
      { composition, weight: 1 },
      { composition, weight: -1 },
    ]),
  ).toBe(0);
});

it('too little is bought of fewer than 30 outcomes, 6 blocks of days, or any spread', () => {
  const isTold = (bought: readonly Difference[], clusterDays = 1) =>
    variancePartsOf(bought, [], clusterDays) !== undefined;
  const still = boughtOn(40, 2).map((difference) => ({ ...difference, value: 1 }));
  expect({
    '29 outcomes': isTold(boughtOn(29, 1)),
    '30 outcomes': isTold(boughtOn(30, 1)),
    '5 blocks of 8 days': isTold(boughtOn(40, 1), 8),
    '6 blocks of 8 days': isTold(boughtOn(41, 1), 8),
    'no spread': isTold(still),
  }).toEqual({
    '29 outcomes': false,
    '30 outcomes': true,
    '5 blocks of 8 days': false,
    '6 blocks of 8 days': true,
    'no spread': false,
  });
});

it('a type of which nothing is bought spreads as all do', () => {
  const parts = variancePartsOf(boughtOn(40, 2), [], 1);
  expect(parts?.slope('other')).toBeCloseTo(parts?.slope('pump') ?? Number.NaN, 1);
});

it.each([
  { what: 'whose outcomes are all the same', outcomes: 40 },
  { what: 'with one outcome', outcomes: 1 },
])('a type $what spreads as all do', ({ outcomes }) => {
  const bought = boughtOn(40, 2);
  const still = boughtOn(outcomes, 1).map(
    (difference): Difference => ({
      ...difference,
      card: { ...difference.card, type: 'still' },
      value: 1,
    }),
  );
  const parts = variancePartsOf([...bought, ...still], [], 1);
  const ofUnknown = parts?.slope('other') ?? Number.NaN;
  expect(parts?.slope('still')).toBeCloseTo(ofUnknown, 12);
});
