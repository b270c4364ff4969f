/** When a type pauses, and when its pause is longer than any before. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { daysOfLongPause, daysOfPause } from '../../src/outcomes/rate.ts';

const UNTIL = Date.UTC(2026, 10, 20);

/** The whole days of a pause that is told, of cards so many days before the end of the history. */
function pauseOf(daysAgo: readonly number[], historyDays = 120, settingsDays?: number) {
  const cards = daysAgo.toSorted((a, b) => b - a).map((days) => ({ at: UNTIL - days * DAY }));
  const inUseSince = settingsDays === undefined ? undefined : UNTIL - settingsDays * DAY;
  return daysOfLongPause(cards, UNTIL, { historyBegins: UNTIL - historyDays * DAY, inUseSince });
}

/** A card every so many days, the last of them `last` days ago. */
const every = (gap: number, last: number) =>
  Array.from({ length: Math.floor((119 - last) / gap) }, (_, n) => last + n * gap);

it.each([
  {
    what: 'three days of a type with several cards a day',
    pause: pauseOf(every(0.25, 3)),
    days: 3,
  },
  { what: 'nothing of less', pause: pauseOf(every(0.25, 2.9)), days: undefined },
  { what: 'twice a gap of four days', pause: pauseOf(every(4, 8.5)), days: 8 },
  { what: 'nothing of less than that', pause: pauseOf(every(4, 7.5)), days: undefined },
  {
    what: 'nothing where it was quiet for as long within 90 days',
    pause: pauseOf(every(0.5, 5).filter((days) => days < 40 || days > 43)),
    days: undefined,
  },
  {
    what: 'a pause where it was quiet for as long before that',
    pause: pauseOf(every(0.5, 5).filter((days) => days < 100 || days > 110)),
    days: 5,
  },
  { what: 'nothing of a short history', pause: pauseOf(every(0.25, 5), 32), days: undefined },
  { what: 'nothing of new settings', pause: pauseOf(every(0.25, 5), 120, 30), days: undefined },
  { what: 'nothing of a type without a card', pause: pauseOf([]), days: undefined },
])('a long pause is $what', ({ pause, days }) => {
  expect(pause).toBe(days);
});

it.each([
  { perDay: 20, days: 0.5, told: undefined },
  { perDay: 20, days: 1.9, told: undefined },
  { perDay: 20, days: 2, told: 2 },
  { perDay: 20, days: 2.1, told: 2 },
  { perDay: 2, days: 2.1, told: undefined },
  { perDay: 2, days: 3.1, told: 3 },
])('a pause of $days days of $perDay cards a day is told as $told', ({ perDay, days, told }) => {
  const cards = every(1 / perDay, days)
    .toSorted((a, b) => b - a)
    .map((daysAgo) => ({ at: UNTIL - daysAgo * DAY }));
  const times = { historyBegins: UNTIL - 120 * DAY, inUseSince: undefined };
  expect(daysOfPause(cards, UNTIL, times)).toBe(told);
});
