/** What became of cards: differences to BTC, to other groups and to cards that were let pass, and what is lost. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import {
  type Difference,
  differenceOf,
  differencesOf,
  differencesToOthers,
  differencesToUnpicked,
  movesOf,
  sampleOf,
  symbolsOfBtc,
} from '../../src/outcomes/differences.ts';
import { asPrinted, sinceThenOf } from '../../src/outcomes/figure.ts';
import { fractionsWithOthers, groupCards } from '../../src/outcomes/groups.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { DEFAULT_QUESTION, questionOf } from '../../src/outcomes/question.ts';
import { estimateByT, UNKNOWN } from '../../src/statistics/estimate.ts';

const FIRST = Date.UTC(2026, 10, 1);

interface Card {
  readonly move?: number | null;
  readonly btc?: number | null;
  readonly state?: unknown;
  readonly type?: string;
  readonly symbol?: string;
  readonly day?: number;
  readonly isBought?: boolean;
}

let lastId = 0;

function historyCardOf({
  move = 1,
  btc = 0,
  state = 'available',
  type = 'pump',
  symbol = 'AUSDT',
  day = 0,
  isBought = true,
}: Card): HistoryCard {
  lastId += 1;
  return {
    id: lastId,
    symbol,
    type,
    at: FIRST + day * DAY + HOUR,
    isBought,
    outcomes: isBought ? byHorizon(() => ({ state, move, btc })) : undefined,
  };
}

const NONE: ReadonlySet<string> = new Set();
const valuesIn = (differences: readonly Difference[]) => differences.map(({ value }) => value);

describe('a difference to BTC', () => {
  it('is exact to ten decimals, NaN of a lost outcome, and none of what is not known yet', () => {
    const of = (card: Card) => differenceOf(historyCardOf(card), '24h');
    expect({
      measured: of({ move: 1.2, btc: 0.7 }),
      nothing: Object.is(of({ move: -0.3, btc: -0.3 }), 0),
      huge: of({ move: 1e12, btc: 1 }),
      missing: of({ state: 'missing', move: null }),
      withoutMove: of({ move: null }),
      withoutBtc: of({ btc: null }),
      pending: of({ state: 'pending', move: null }),
      unbought: of({ isBought: false }),
      withoutOutcome: differenceOf({ ...historyCardOf({}), outcomes: undefined }, '24h'),
    }).toEqual({
      measured: 0.5,
      nothing: true,
      huge: 1e12 - 1,
      missing: Number.NaN,
      withoutMove: Number.NaN,
      withoutBtc: Number.NaN,
      pending: undefined,
      unbought: undefined,
      withoutOutcome: Number.NaN,
    });
  });

  it('leaves out BTC’s own cards, and lost outcomes', () => {
    const rows = [
      historyCardOf({ move: 3 }),
      historyCardOf({ symbol: 'BTCUSDT', move: 2, btc: 2 }),
      historyCardOf({ state: 'missing', move: null }),
    ];
    expect({
      differences: valuesIn(differencesOf(rows, '24h', new Set(['BTCUSDT']))),
      moves: valuesIn(movesOf(rows, '24h')),
    }).toEqual({ differences: [3], moves: [3, 2] });
  });

  it('is always 0 of BTC itself, whatever its symbol', () => {
    const zero = { move: 2, btc: 2 };
    const rows = [
      historyCardOf({ symbol: 'XBT', ...zero }),
      historyCardOf({ symbol: 'XBT', ...zero }),
      historyCardOf({ symbol: 'PEPE', ...zero }),
      historyCardOf({ symbol: 'PEPE', move: 3, btc: 2 }),
      historyCardOf({ symbol: 'DOGE', move: 3, btc: 2 }),
      historyCardOf({ symbol: 'DOGE', ...zero }),
      historyCardOf({ symbol: 'NEW', isBought: false }),
      historyCardOf({ symbol: 'LOST', state: 'missing', move: null }),
    ];
    expect([...symbolsOfBtc(rows)]).toEqual(['XBT']);
  });
});

describe('a difference to other groups', () => {
  const differencesIn = (rows: readonly HistoryCard[]) => differencesOf(rows, '24h', NONE);
  const byType = ({ type }: HistoryCard) => type;

  it('is to the median of the day, where three cards of other groups are', () => {
    const others = [1, 2, 6].map((move) => historyCardOf({ type: 'other', move }));
    const own = [historyCardOf({ move: 5 }), historyCardOf({ move: 4, day: 1 })];
    const compared = differencesToOthers(differencesIn([...own, ...others]), byType);
    expect(compared.map(({ card, value }) => ({ id: card.id, value }))).toEqual([
      { id: own[0]?.id, value: 3 },
    ]);
    const two = differencesToOthers(differencesIn([...own, ...others.slice(1)]), byType);
    expect(two).toEqual([]);
  });

  it('is known of the share of a group’s cards that have others beside them, BTC’s left out', () => {
    const rows = [
      ...[0, 0, 0].map((day) => historyCardOf({ type: 'other', day })),
      ...[0, 0, 1, 2].map((day) => historyCardOf({ day })),
      historyCardOf({ symbol: 'BTCUSDT', move: 0, btc: 0 }),
    ];
    const grouped = groupCards({ cards: rows, settingsSince: new Map() }, DEFAULT_QUESTION);
    expect(Object.fromEntries(fractionsWithOthers(grouped))).toEqual({ other: 0, pump: 0.5 });
  });
});

it('picked cards are compared with the others of their type and day', () => {
  const rows = [
    historyCardOf({ move: 9 }),
    historyCardOf({ move: 2 }),
    historyCardOf({ move: 4 }),
    historyCardOf({ move: 7, day: 1 }),
    historyCardOf({ move: 8, type: 'other' }),
  ];
  const picked = new Set([rows[0]?.id, rows[3]?.id, rows[4]?.id]);
  const differences = differencesOf(rows, '24h', NONE);
  const compared = differencesToUnpicked(differences, ({ id }) => picked.has(id));
  expect(compared.map(({ card, value }) => ({ id: card.id, value }))).toEqual([
    { id: rows[0]?.id, value: 9 - 3 },
  ]);
});

it('cards are counted by what became of them', () => {
  const rows = [
    historyCardOf({}),
    historyCardOf({ symbol: 'BTCUSDT', move: 2, btc: 2 }),
    historyCardOf({ move: null }),
    historyCardOf({ state: 'missing', move: null }),
    historyCardOf({ state: 'pending', move: null }),
    historyCardOf({ state: 'delayed', move: null }),
    historyCardOf({ isBought: false }),
    { ...historyCardOf({}), outcomes: undefined },
  ];
  expect(sampleOf(rows, '24h', new Set(['BTCUSDT']), []).states).toEqual({
    measured: 2,
    pending: 1,
    missing: 2,
    other: 1,
    without: 2,
    lost: 4,
    ofBtc: 1,
  });
});

describe('groups of cards', () => {
  const rows = [
    historyCardOf({ day: 3 }),
    historyCardOf({ day: 1 }),
    historyCardOf({ day: 2, type: 'dump' }),
  ];
  const settingsSince = new Map([['pump', FIRST + 2 * DAY]]);
  const groupsBy = (by: 'type' | 'symbol' | undefined) =>
    groupCards({ cards: rows, settingsSince }, questionOf({ by })).groups.map((group) => ({
      group: group.group,
      settings: group.settingsSince,
      cards: group.cards.length,
      ofAnySettings: group.cardsOfAnySettings.length,
      lastDay: Math.floor(((group.lastCardAt ?? Number.NaN) - FIRST) / DAY),
    }));

  it('by type have the cards of present settings, and those of any', () => {
    expect(groupsBy('type')).toEqual([
      { group: 'dump', settings: undefined, cards: 1, ofAnySettings: 1, lastDay: 2 },
      { group: 'pump', settings: FIRST + 2 * DAY, cards: 1, ofAnySettings: 2, lastDay: 3 },
    ]);
  });

  it('otherwise know no settings', () => {
    expect({ symbol: groupsBy('symbol'), all: groupsBy(undefined) }).toEqual({
      symbol: [{ group: 'AUSDT', settings: undefined, cards: 3, ofAnySettings: 3, lastDay: 3 }],
      all: [{ group: null, settings: undefined, cards: 3, ofAnySettings: 3, lastDay: 3 }],
    });
  });
});

it('figures are printed in six digits, counts whole, and what is no number as null', () => {
  expect(
    asPrinted({ figure: 1.234_567_89, count: 1_234_567, list: [Number.NaN, 0.1], none: null }),
  ).toEqual({ figure: 1.234_57, count: 1_234_567, list: [null, 0.1], none: null });
  const later = estimateByT(0.5, 0.1, 20, { size: 30, span: 20, clusters: 15 });
  expect({ later: sinceThenOf(later), none: sinceThenOf(UNKNOWN) }).toEqual({
    later: { cards: 30, difference_percentage_points: 0.5, interval_95: later.interval(0.05) },
    none: null,
  });
});
