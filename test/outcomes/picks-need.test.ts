/** Whether an answer may come. */
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/base/units.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import {
  canBeAnswered,
  pickCounts,
  picksNeeded,
  picksOf,
  purchaseOf,
  slowPicksOf,
} from '../../src/outcomes/picks.ts';
import { DEFAULT_LEAST } from '../../src/outcomes/question.ts';
import { normalOf, randomOf } from '../support/history.ts';

const BEGIN = Date.UTC(2026, 5, 1);

/** How many cards of each of two types a day has. */
const CARDS_OF_TYPE = 10;

interface Picks {
  readonly days: number;
  /** The place of a picked card among those of its type and day, from 0. */
  readonly isPicked: (place: number, day: number) => boolean;
  /** Picks of the first days are bought. */
  readonly daysBought?: number;
  /** These picks are bought, too. */
  readonly idsBought?: ReadonlySet<number>;
}

/** Of each type and day the two last cards are bought. */
function answerOf({ days, isPicked, daysBought = 0, idsBought = new Set() }: Picks) {
  const normal = normalOf(randomOf(7));
  const cards: HistoryCard[] = [];
  const picked = new Set<string>();
  for (let day = 0; day < days; day += 1) {
    for (let n = 0; n < 2 * CARDS_OF_TYPE; n += 1) {
      const id = 1 + cards.length;
      const place = n % CARDS_OF_TYPE;
      const isOfPick = isPicked(place, day);
      const isBoughtPick = (isOfPick && day < daysBought) || idsBought.has(id);
      const isBought = place >= CARDS_OF_TYPE - 2 || isBoughtPick;
      const outcome = { state: 'available', move: 20 * normal(), btc: 0.5 };
      if (isOfPick) picked.add(String(id));
      cards.push({
        id,
        symbol: `S${id % 31}USDT`,
        type: n < CARDS_OF_TYPE ? 'breakout' : 'pump',
        at: BEGIN + day * DAY + place * HOUR,
        isBought,
        outcomes: isBought ? { '1h': outcome, '24h': outcome } : undefined,
      });
    }
  }
  return picksOf(
    { cards, dueUntil: BEGIN + days * DAY, idsNoLongerBought: new Set() },
    {
      ...{ kind: 'picks', ids: picked, repeatedLines: 0, horizon: '24h', least: DEFAULT_LEAST },
      ...{ since: undefined, until: undefined, symbol: undefined, type: undefined, where: [] },
    },
  );
}

it.for([
  { what: 'as many as are needed', days: 120, perCell: 1, needed: 200, canBe: true },
  { what: 'too few', days: 60, perCell: 1, needed: 200, canBe: false },
  { what: 'as many, but of few days', days: 22, perCell: 8, needed: 200, canBe: false },
  // 240 picks are compared.
  { what: 'more than before', days: 130, perCell: 3, daysBought: 40, needed: 800, canBe: false },
  { what: 'far more than before', days: 140, perCell: 3, daysBought: 40, needed: 800, canBe: true },
  {
    what: 'as many before, of few days',
    days: 40,
    perCell: 7,
    daysBought: 20,
    needed: 200,
    canBe: true,
  },
])('may come or not: picks are $what', ({ days, perCell, daysBought = 0, needed, canBe }) => {
  const answer = answerOf({ days, isPicked: (place) => place < perCell, daysBought });
  expect({
    picks: pickCounts(answer.picked),
    needed: picksNeeded(answer),
    canBe: canBeAnswered(answer),
  }).toMatchObject({
    picks: { compared: 2 * daysBought * perCell, not_bought: 2 * (days - daysBought) * perCell },
    needed,
    canBe,
  });
});

it.for([
  { what: 'no pick is compared', days: 50, perCell: 3, needed: 200 },
  { what: 'as many are, of too few days', days: 40, perCell: 7, daysBought: 20, needed: 200 },
])('asks to buy to the end what it offered, where $what', ({ needed, ...given }) => {
  const picks = { ...given, isPicked: (place: number) => place < given.perCell };
  const before = answerOf(picks);
  const { ids } = purchaseOf(before);
  const bought = new Set<number>();
  let rest = ids;
  // A day has 150 credits, of which something else took most.
  while (rest.length > 0) {
    for (const id of rest.slice(0, 40)) bought.add(id);
    const answer = answerOf({ ...picks, idsBought: bought });
    rest = canBeAnswered(answer) && picksNeeded(answer) === needed ? purchaseOf(answer).ids : [];
  }
  expect([...bought]).toEqual(ids);
});

it('offers as many picks as an answer takes, of old days and new', () => {
  const answer = answerOf({ days: 100, isPicked: (place) => place < 5 });
  const { ids, picks, partners } = purchaseOf(answer);
  const days = new Set(ids.map((id) => Math.floor((id - 1) / (2 * CARDS_OF_TYPE))));
  expect({ bought: ids.length, picks, partners, needed: picksNeeded(answer) }).toEqual({
    bought: 200,
    picks: 200,
    partners: 0,
    needed: 200,
  });
  expect(days.size, 'days of the picks').toBeGreaterThan(70);
});

it.each([
  // Two picks every day are 360 in 180 days.
  { case: 'every day', picksOn: () => true, days: 40, isSlow: false },
  { case: 'every fourth day', picksOn: (day: number) => day % 4 === 0, days: 40, isSlow: true },
  { case: 'not a month yet', picksOn: (day: number) => day % 4 === 0, days: 20, isSlow: false },
])('knows after a month whether picks come too slowly: $case', ({ picksOn, days, isSlow }) => {
  const answer = answerOf({ days, isPicked: (place, day) => place === 0 && picksOn(day) });
  expect(slowPicksOf(answer) !== undefined).toBe(isSlow);
});
