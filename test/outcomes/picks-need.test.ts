/** Whether an answer may come. */
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/base/units.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { canBeAnswered, pickCounts, picksNeeded, picksOf } from '../../src/outcomes/picks.ts';
import { LEAST } from '../../src/outcomes/question.ts';
import { normalOf, randomOf } from '../support/history.ts';

const BEGIN = Date.UTC(2026, 5, 1);

/** How many cards of each of two types a day has. */
const CARDS_OF_TYPE = 10;

interface Picks {
  readonly days: number;
  /** The place of a picked card among those of its type and day, from 0. */
  readonly isPicked: (place: number) => boolean;
  /** Picks of the first days are bought. */
  readonly daysBought?: number;
}

/** Of each type and day the two last cards are bought. */
function answerOf({ days, isPicked, daysBought = 0 }: Picks) {
  const normal = normalOf(randomOf(7));
  const cards: HistoryCard[] = [];
  const picked = new Set<string>();
  for (let day = 0; day < days; day += 1) {
    for (let n = 0; n < 2 * CARDS_OF_TYPE; n += 1) {
      const id = 1 + cards.length;
      const place = n % CARDS_OF_TYPE;
      const isOfPick = isPicked(place);
      const isBought = place >= CARDS_OF_TYPE - 2 || (isOfPick && day < daysBought);
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
      ...{ kind: 'picks', ids: picked, repeatedLines: 0, horizon: '24h', least: LEAST },
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
