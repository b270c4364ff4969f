/** Which question is the default one, which cards a question chooses, and what words mean for their owner. */
import { describe, expect, it } from 'vitest';
import { cardsByGroupName, type HistoryCard } from '../../src/outcomes/history-card.ts';
import {
  type CardChoice,
  choiceOf,
  DEFAULT_QUESTION,
  isChosen,
  isEveryCard,
  isOfWholeTypes,
  leastOf,
  questionOf,
  termsOf,
} from '../../src/outcomes/question.ts';
import { toDoOf } from '../../src/outcomes/to-do.ts';

const isLarge = { text: 'oi>=3', isMetAtTrigger: ({ id }: HistoryCard) => id >= 3 };
const isOdd = { text: 'odd', isMetAtTrigger: ({ id }: HistoryCard) => id % 2 === 1 };

describe('a question', () => {
  it('is the default one only if nothing differs from it', () => {
    const isDefault = (different: Parameters<typeof questionOf>[0]) =>
      questionOf(different) === DEFAULT_QUESTION;
    expect({
      nothing: isDefault({}),
      same: isDefault({ by: 'type', horizon: '24h', least: 1, where: [], type: undefined }),
      by: isDefault({ by: undefined }),
      horizon: isDefault({ horizon: '1h' }),
      least: isDefault({ least: 2 }),
      since: isDefault({ since: 0 }),
      until: isDefault({ until: 0 }),
      symbol: isDefault({ symbol: 'AUSDT' }),
      type: isDefault({ type: 'pump' }),
      where: isDefault({ where: [isLarge] }),
    }).toEqual({
      nothing: true,
      same: true,
      by: false,
      horizon: false,
      least: false,
      since: false,
      until: false,
      symbol: false,
      type: false,
      where: false,
    });
    expect(termsOf(DEFAULT_QUESTION)).toEqual({ by: 'type', horizon: '24h', least: 1 });
    expect(isEveryCard(choiceOf(DEFAULT_QUESTION))).toBe(true);
  });

  it('chooses cards by their time, both ends included, their names, and all conditions', () => {
    const cards = [1, 2, 3, 4, 5].map(
      (id) =>
        ({ id, at: id, symbol: id < 4 ? 'A' : 'B', type: id < 3 ? 'pump' : 'dump' }) as HistoryCard,
    );
    const chosen = (different: Partial<CardChoice>) => {
      const choice = choiceOf(questionOf(different));
      return cards.filter((card) => isChosen(card, choice)).map(({ id }) => id);
    };
    expect({
      any: chosen({}),
      since: chosen({ since: 2 }),
      until: chosen({ until: 2 }),
      symbol: chosen({ symbol: 'A' }),
      type: chosen({ type: 'dump' }),
      both: chosen({ symbol: 'A', type: 'dump' }),
      conditions: chosen({ where: [isLarge, isOdd] }),
    }).toEqual({
      any: [1, 2, 3, 4, 5],
      since: [2, 3, 4, 5],
      until: [1, 2],
      symbol: [1, 2, 3],
      type: [3, 4, 5],
      both: [3],
      conditions: [3, 5],
    });
  });

  it('is of whole types unless single cards of them are chosen', () => {
    expect({
      default: isOfWholeTypes(DEFAULT_QUESTION),
      type: isOfWholeTypes(questionOf({ type: 'pump', since: 3 })),
      symbol: isOfWholeTypes(questionOf({ symbol: 'A' })),
      where: isOfWholeTypes(questionOf({ where: [isOdd] })),
    }).toEqual({ default: true, type: true, symbol: false, where: false });
  });

  it('after an hour asks for less than after a day', () => {
    expect({ day: leastOf('24h', 2), hour: leastOf('1h', 2) }).toEqual({
      day: 2,
      hour: expect.closeTo(2 * leastOf('1h', 1), 12),
    });
    expect(leastOf('1h', 1), 'the least after an hour').toBeLessThan(1);
  });
});

it('groups are in the order of their names', () => {
  const cards = ['dump', 'pump', 'dump', 'a'].map(
    (type, id) => ({ id, type, symbol: `S${id % 2}` }) as HistoryCard,
  );
  const idsBy = (by: 'type' | 'symbol') =>
    cardsByGroupName(cards, by).map(([key, rows]) => ({ key, ids: rows.map(({ id }) => id) }));
  expect({ type: idsBy('type'), symbol: idsBy('symbol') }).toEqual({
    type: [
      { key: 'a', ids: [3] },
      { key: 'dump', ids: [0, 2] },
      { key: 'pump', ids: [1] },
    ],
    symbol: [
      { key: 'S0', ids: [0, 2] },
      { key: 'S1', ids: [1, 3] },
    ],
  });
});

it.each([
  { to: 'others', verdict: 'above', vsBtc: 'below', toDo: 'keep' },
  { to: 'others', verdict: 'above', vsBtc: null, toDo: 'keep' },
  { to: 'others', verdict: 'below', vsBtc: 'below', toDo: 'drop' },
  { to: 'others', verdict: 'below', vsBtc: 'above', toDo: 'behind_others_ahead_of_btc' },
  { to: 'others', verdict: 'below', vsBtc: 'unclear', toDo: undefined },
  { to: 'others', verdict: 'below', vsBtc: null, toDo: undefined },
  { to: 'others', verdict: 'unclear', vsBtc: 'above', toDo: 'ahead_of_btc' },
  { to: 'others', verdict: 'small', vsBtc: 'below', toDo: 'behind_btc' },
  { to: 'others', verdict: null, vsBtc: 'small', toDo: undefined },
  { to: 'btc', verdict: 'above', vsBtc: 'above', toDo: 'ahead_of_btc' },
  { to: 'btc', verdict: 'below', vsBtc: 'below', toDo: 'behind_btc' },
  { to: 'btc', verdict: 'unclear', vsBtc: 'unclear', toDo: undefined },
] as const)('$verdict against $to and $vsBtc against BTC means: $toDo', (row) => {
  const { to, verdict, vsBtc, toDo } = row;
  expect(toDoOf(verdict, to, vsBtc)).toBe(toDo);
});

it.each([
  {
    was: { verdict: 'above', comparedWith: 'others' },
    verdict: 'small',
    vsBtc: 'above',
    toDo: undefined,
  },
  {
    was: { verdict: 'above', comparedWith: 'others' },
    verdict: 'unclear',
    vsBtc: 'above',
    toDo: undefined,
  },
  {
    was: { verdict: 'above', comparedWith: 'others' },
    verdict: 'below',
    vsBtc: 'below',
    toDo: 'drop',
  },
  {
    was: { verdict: 'above', comparedWith: 'others' },
    verdict: 'small',
    vsBtc: 'below',
    toDo: 'behind_btc',
  },
  // A verdict below that ended is no doubt about what is above BTC; nor is one above BTC that was found again.
  {
    was: { verdict: 'below', comparedWith: 'others' },
    verdict: 'small',
    vsBtc: 'above',
    toDo: 'ahead_of_btc',
  },
  {
    was: { verdict: 'above', comparedWith: 'btc' },
    verdict: 'small',
    vsBtc: 'above',
    toDo: 'ahead_of_btc',
  },
] as const)(
  'after a withdrawn verdict, $was.verdict $was.comparedWith, $verdict and $vsBtc against BTC means: $toDo',
  ({ was, verdict, vsBtc, toDo }) => {
    expect(toDoOf(verdict, 'others', vsBtc, was)).toBe(toDo);
  },
);
