/** Which of the service's medians go together, and when exports ask for the next ones. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/base/units.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import {
  answersWithin,
  areApart,
  chainOf,
  expectedSittings,
  firstSittingSince,
  lastSittings,
  nextSitting,
  type ServiceAnswer,
  withoutOverlap,
} from '../../src/outcomes/service-answers.ts';

const FIRST = Date.UTC(2026, 5, 1);
const answerOn = (day: number, type = 'pump') => ({ at: FIRST + day * DAY, type }) as ServiceAnswer;
const daysOf = (answers: readonly Pick<ServiceAnswer, 'at'>[] = []) =>
  answers.map(({ at }) => (at - FIRST) / DAY);

describe('answers', () => {
  it('are apart from 30 days on, where a daily run may be an hour early', () => {
    const isApart = (days: number, hours = 0) => areApart(FIRST, FIRST + days * DAY + hours * HOUR);
    expect({
      days30: isApart(30),
      earlier: isApart(-30),
      anHourEarly: isApart(30, -1),
      twoHoursEarly: isApart(30, -2),
    }).toEqual({ days30: true, earlier: true, anHourEarly: true, twoHoursEarly: false });
  });

  it('in succession overlap no other of their type', () => {
    const answers = [
      answerOn(0),
      answerOn(1, 'spike'),
      answerOn(15),
      answerOn(30),
      answerOn(40, 'spike'),
      answerOn(61),
    ];
    const chosen = withoutOverlap(answers);
    expect({ pump: daysOf(chosen.get('pump')), spike: daysOf(chosen.get('spike')) }).toEqual({
      pump: [0, 30, 61],
      spike: [1, 40],
    });
  });

  it('in a chain go back from the newest, a window each, where a sitting may be a day early', () => {
    expect({
      monthly: daysOf(chainOf([0, 30, 60].map((day) => answerOn(day)))),
      oftener: daysOf(chainOf([0, 15, 30, 45].map((day) => answerOn(day)))),
      aDayEarly: daysOf(chainOf([0, 29, 58].map((day) => answerOn(day)))),
      twoDaysEarly: daysOf(chainOf([0, 28].map((day) => answerOn(day)))),
    }).toEqual({
      monthly: [0, 30, 60],
      oftener: [15, 45],
      aDayEarly: [0, 29, 58],
      twoDaysEarly: [28],
    });
  });

  it('are of a period if their whole window lies within', () => {
    const answers = [29, 30, 45, 60, 61].map((day) => answerOn(day));
    const period = { since: FIRST, until: FIRST + 60 * DAY };
    expect(daysOf(answersWithin(answers, period))).toEqual([30, 45, 60]);
  });
});

describe('a sitting', () => {
  it('is the last of a type that moves the next one, and not of a clock that was ahead', () => {
    const answers = [answerOn(0), answerOn(15), answerOn(2, 'spike'), answerOn(33, 'spike')];
    const now = FIRST + 20 * DAY;
    const lastOf = (answered: readonly ServiceAnswer[]) =>
      [...lastSittings(answered, now)].map(([type, at]) => ({ type, day: (at - FIRST) / DAY }));
    expect({
      usual: lastOf(answers),
      hoursAhead: lastOf([answerOn(20.5)]),
      daysAhead: lastOf([answerOn(21.5)]),
    }).toEqual({
      usual: [
        { type: 'pump', day: 0 },
        { type: 'spike', day: 2 },
      ],
      hoursAhead: [{ type: 'pump', day: 20 }],
      daysAhead: [],
    });
  });

  it('comes 30 days after the last, or with the run from the 15th day of the history on', () => {
    const now = FIRST + 40 * DAY;
    const cardsOn = (days: readonly number[]) =>
      days.map((day) => ({ type: 'pump', at: FIRST + day * DAY }) as HistoryCard);
    const recent = [33, 34, 35, 36, 37, 38, 39];
    const next = (cards: readonly HistoryCard[], last: number | undefined, run = 39.5) => {
      const on = (day: number) => FIRST + day * DAY;
      const times = { last: last === undefined ? undefined : on(last), now, lastRunAt: on(run) };
      const sittings = nextSitting('pump', cards, times);
      return sittings && { day: (sittings.next - FIRST) / DAY, every: sittings.everyDays };
    };
    expect({
      afterTheLast: next(cardsOn([0, ...recent, 39.9]), 12),
      overdue: next(cardsOn([0, ...recent, 39.9]), 9),
      noRunSince: next(cardsOn([0, ...recent, 39.9]), 7.9, 30),
      first: next(cardsOn([30, ...recent]), undefined),
      youngType: next(cardsOn([0, ...recent, 39.9]), undefined),
      afterPause: next(cardsOn([-60, ...recent, 39.9]), -30),
      sevenOutcomes: next(cardsOn([0, ...recent]), 12),
      otherType: nextSitting('spike', cardsOn([0, ...recent, 39.9]), {
        last: undefined,
        now,
        lastRunAt: now,
      }),
    }).toEqual({
      afterTheLast: { day: 42, every: 30 },
      // The next run asks.
      overdue: { day: 40, every: 30 },
      noRunSince: undefined,
      // The first card, 15 days on, at the hour of the run.
      first: { day: 45.5, every: 30 },
      // Runs came since the type's turn, when it had too few outcomes. The next run asks.
      youngType: { day: 40, every: 30 },
      afterPause: { day: 40, every: 30 },
      sevenOutcomes: undefined,
      otherType: undefined,
    });
  });

  it('that was planned is waited for until two days late', () => {
    const planned = { next: FIRST, everyDays: 15 };
    const nextOn = (day: number) => {
      const sittings = expectedSittings(planned, FIRST + day * DAY);
      return sittings && { day: (sittings.next - FIRST) / DAY, every: sittings.everyDays };
    };
    expect({
      early: nextOn(-3),
      twoDaysLate: nextOn(2),
      later: nextOn(2.01),
      unplanned: expectedSittings(undefined, FIRST),
    }).toEqual({
      early: { day: 0, every: 15 },
      twoDaysLate: { day: 2, every: 15 },
      later: undefined,
      unplanned: undefined,
    });
  });

  it('from a moment on is the first that is not over, an hour allowed', () => {
    const from = (days: number, hours = 0) =>
      (firstSittingSince({ next: FIRST, everyDays: 15 }, FIRST + days * DAY + hours * HOUR) -
        FIRST) /
      DAY;
    expect({
      before: from(-40),
      now: from(0),
      anHourLater: from(0, 1),
      twoHoursLater: from(0, 2),
      later: from(15),
      after: from(16),
    }).toEqual({
      before: 0,
      now: 0,
      anHourLater: 0,
      twoHoursLater: 15,
      later: 15,
      after: 30,
    });
  });
});
