/** How many picks an answer takes. */
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/base/units.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { canEndInAnswer, needOf, pickCounts, picksOf } from '../../src/outcomes/picks.ts';
import { LEAST } from '../../src/outcomes/question.ts';
import { normalOf, randomOf } from '../support/history.ts';

const BEGIN = Date.UTC(2026, 5, 1);

/** How many cards of each of two types a day has. */
const CARDS_OF_TYPE = 10;

interface Picks {
  readonly days: number;
  /** The place of a picked card among those of its type and day, from 0. */
  readonly isPicked: (place: number, day: number) => boolean;
}

/** Of each type and day the two last cards are bought, and no pick is. */
function answerOf({ days, isPicked }: Picks) {
  const normal = normalOf(randomOf(7));
  const cards: HistoryCard[] = [];
  const picked = new Set<string>();
  for (let day = 0; day < days; day += 1) {
    for (let n = 0; n < 2 * CARDS_OF_TYPE; n += 1) {
      const id = 1 + cards.length;
      const place = n % CARDS_OF_TYPE;
      const isBought = place >= CARDS_OF_TYPE - 2;
      const outcome = { state: 'available', move: 3 * normal(), btc: 0.5 };
      if (isPicked(place, day)) picked.add(String(id));
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

it('is more where picks share the cards that they are compared with', () => {
  const one = answerOf({ days: 60, isPicked: (place) => place === 0 });
  const four = answerOf({ days: 60, isPicked: (place) => place < 4 });
  // √(1 + (4 − 1) / 3)
  expect((four.errorOfOnePick ?? 0) / (one.errorOfOnePick ?? 0)).toBeCloseTo(Math.SQRT2, 10);
});

it('is one range on all mornings until a hundred picks are compared', () => {
  const mornings = [7, 14, 30, 60, 90].flatMap((days) => [
    answerOf({ days, isPicked: (place) => place === 0 }),
    answerOf({ days, isPicked: (place) => place < 4 }),
  ]);
  const needs = new Set(mornings.map((answer) => JSON.stringify(needOf(answer))));
  expect([...needs]).toEqual([JSON.stringify({ fewest: 200, most: 700, size: 2 })]);
});

it.for([
  { what: 'as many as are needed', days: 120, perCell: 1, canEnd: true },
  { what: 'too few', days: 60, perCell: 1, canEnd: false },
  { what: 'as many, but of few days', days: 22, perCell: 8, canEnd: false },
])('is there or not: picks are $what', ({ days, perCell, canEnd }) => {
  const answer = answerOf({ days, isPicked: (place) => place < perCell });
  expect({
    picks: pickCounts(answer.picked).not_bought,
    canEnd: canEndInAnswer(answer),
  }).toEqual({ picks: 2 * days * perCell, canEnd });
});
