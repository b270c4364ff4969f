/** The rank correlation within days, beside one that is worked out from sorted places. */
import { describe, expect, it } from 'vitest';
import { blockLengthsOf } from '../../src/api/contract/horizons.ts';
import { groupBy } from '../../src/base/collections.ts';
import { columnsOf, degreesOfFreedom } from '../../src/statistics/clusters.ts';
import { standardError } from '../../src/statistics/estimate.ts';
import { rankTest } from '../../src/statistics/rank-test.ts';
import { randomOf } from '../support/history.ts';

interface Card {
  readonly value: number;
  readonly number: number;
  readonly day: number;
  readonly symbol: string;
}

/** Days of three to nine cards. @param steps how many different values and numbers there are: few have many ties */
function cardsOf(steps: number): Card[] {
  const random = randomOf(4);
  const stepOf = (share: number) => Math.floor(share * steps) / steps;
  return Array.from({ length: 40 }, (_, day) =>
    Array.from({ length: 3 + (day % 7) }, () => {
      const share = random();
      return {
        number: stepOf(share),
        value: stepOf((share + random()) / 2),
        day: 20_000 + day,
        symbol: `S${Math.floor(random() * 20)}`,
      };
    }),
  ).flat();
}

/** The mean of the places that equal values take in the sorted list, from 1. */
function midRank(value: number, values: readonly number[]): number {
  const places = values
    .toSorted((a, b) => a - b)
    .map((other, place) => ({ other, place: place + 1 }))
    .filter(({ other }) => other === value)
    .map(({ place }) => place);
  return places.reduce((sum, place) => sum + place, 0) / places.length;
}

/** Van Elteren's scores, (R − (n+1)/2)/(n+1), in the order of the cards. */
function withinDays(cards: readonly Card[], of: (card: Card) => number): number[] {
  return cards.map((card) => {
    const values = cards.filter(({ day }) => day === card.day).map(of);
    return midRank(of(card), values) / (values.length + 1) - 1 / 2;
  });
}

/** Van Elteren's scores of numbers and values, and how they go together. */
function correlationOf(cards: readonly Card[]): number {
  const scores = [...groupBy(cards, ({ day }) => day).values()].flatMap((cardsOfDay) => {
    const scoreOf = (value: number, values: readonly number[]) =>
      midRank(value, values) / (values.length + 1) - 1 / 2;
    const numbers = cardsOfDay.map(({ number }) => number);
    const values = cardsOfDay.map(({ value }) => value);
    return cardsOfDay.map(({ number, value }) => ({
      ofNumber: scoreOf(number, numbers),
      ofValue: scoreOf(value, values),
    }));
  });
  const sumOf = (product: (score: (typeof scores)[number]) => number) =>
    scores.reduce((sum, score) => sum + product(score), 0);
  const squares = sumOf(({ ofNumber }) => ofNumber ** 2) * sumOf(({ ofValue }) => ofValue ** 2);
  return sumOf(({ ofNumber, ofValue }) => ofNumber * ofValue) / Math.sqrt(squares);
}

/** How scores spread over the clusters of a kind, by the words at the head of the module: Bell & McCaffrey 2002. */
interface Spread {
  readonly variance: number;
  readonly df: number;
}

/**
 * The standard error of the correlation and its degrees of freedom: over days, symbols, or both (Cameron et al. 2011),
 * whichever variance is largest. A tenth of the noise of cards on one symbol is taken to be the symbol's.
 */
function errorOf(cards: readonly Card[]) {
  const a = withinDays(cards, ({ value }) => value);
  const q = withinDays(cards, ({ number }) => number);
  const sumOf = (term: (i: number) => number) => cards.reduce((sum, _, i) => sum + term(i), 0);
  const at = (scores: readonly number[], i: number) => scores[i] as number;
  const squares = sumOf((i) => at(q, i) ** 2);
  const slope = sumOf((i) => at(a, i) * at(q, i)) / squares;
  const spreadOver = (keyOf: (card: Card) => string): Spread => {
    const clusters = [...groupBy([...cards.keys()], (i) => keyOf(cards[i] as Card)).values()];
    const sums = clusters.map((members) => {
      const sum = (term: (i: number) => number) => members.reduce((all, i) => all + term(i), 0);
      return {
        residuals: sum((i) => at(q, i) * (at(a, i) - slope * at(q, i))),
        share: sum((i) => at(q, i) ** 2) / squares,
        ranks: sum((i) => at(q, i)) / Math.sqrt(squares),
      };
    });
    const shares = Float64Array.from(sums, ({ share }) => share);
    const noise = Float64Array.from(sums, ({ share, ranks }) => share + 0.1 * ranks ** 2);
    return {
      variance: sums.reduce((v, { residuals, share }) => v + residuals ** 2 / (1 - share), 0),
      df: degreesOfFreedom(shares, noise),
    };
  };
  const days = spreadOver(({ day }) => String(day));
  const symbols = spreadOver(({ symbol }) => symbol);
  const cells = spreadOver(({ day, symbol }) => `${day} ${symbol}`);
  const both = {
    variance: days.variance + symbols.variance - cells.variance,
    df: Math.min(days.df, symbols.df),
  };
  const [largest] = [days, symbols, both].toSorted((one, two) => two.variance - one.variance);
  const scale = Math.sqrt(squares * sumOf((i) => at(a, i) ** 2));
  return { error: Math.sqrt(largest?.variance ?? 0) / scale, df: largest?.df };
}

function testOf(cards: readonly Card[]) {
  const numbers = Float64Array.from(cards, ({ number }) => number);
  return rankTest(columnsOf(cards), numbers, blockLengthsOf('1h'));
}

describe('a rank correlation within days', () => {
  it.each([
    { name: 'no two cards are alike', steps: 1e9 },
    { name: 'many cards are alike', steps: 4 },
  ])('is that of the mid-ranks of each day, if $name', ({ steps }) => {
    const cards = cardsOf(steps);
    expect(testOf(cards)).toMatchObject({
      value: expect.closeTo(correlationOf(cards), 12),
      size: cards.length,
    });
  });

  it.each([
    { name: 'days', effect: () => 0 },
    {
      name: 'symbols',
      effect: ({ symbol, number }: Card) => (symbol.endsWith('1') ? -3 : 1) * number,
    },
  ])(
    'has the error and the degrees of freedom of the formulas: an effect of $name',
    ({ effect }) => {
      const cards = cardsOf(1e9).map((card) => ({ ...card, value: card.value + effect(card) }));
      const { error, df } = errorOf(cards);
      const estimate = testOf(cards);
      if (typeof estimate === 'string') throw new Error(estimate);
      expect({ error: standardError(estimate), df: estimate.degreesOfFreedom }).toEqual({
        error: expect.closeTo(error, 9),
        df: expect.closeTo(df ?? 0, 6),
      });
    },
  );

  it('says what is missing', () => {
    const cards = cardsOf(1e9);
    const first = (count: number) => cards.filter(({ day }) => day < 20_000 + count);
    const ofSymbols = (count: number) =>
      cards.map((card, i) => ({ ...card, symbol: `S${i % count}` }));
    expect({
      '59 cards': testOf(cards.slice(0, 59)),
      '11 days': testOf(first(11)),
      '7 symbols': testOf(ofSymbols(7)),
      'one symbol with most of the weight': testOf(
        cards.map((card, i) => ({ ...card, symbol: i % 4 === 0 ? `S${i % 32}` : 'most' })),
      ),
      'one value a day': testOf(cards.map((card) => ({ ...card, value: card.day }))),
      'one number a day': testOf(cards.map((card) => ({ ...card, number: card.day }))),
    }).toEqual({
      '59 cards': 'few_cards',
      '11 days': 'few_days',
      '7 symbols': 'few_symbols',
      'one symbol with most of the weight': 'one_outweighs',
      'one value a day': 'constant_within_days',
      'one number a day': 'constant_within_days',
    });
    expect({
      '60 cards': testOf(cards.slice(0, 60)),
      '12 days': testOf(first(12)),
      '8 symbols': testOf(ofSymbols(8)),
    }).toEqual({
      '60 cards': 'few_days',
      '12 days': expect.objectContaining({ clusters: 12 }),
      '8 symbols': expect.objectContaining({ size: cards.length }),
    });
  });
});
