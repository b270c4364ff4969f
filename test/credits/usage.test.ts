/** What is usually spent on a day, what is left of a month, and what a command costs: pure functions of the ledger. */
import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Access } from '../../src/api/contract/resources.ts';
import { LIMITS } from '../../src/api/limits.ts';
import { DAY, MINUTE } from '../../src/base/units.ts';
import { listWork, quote } from '../../src/credits/cost.ts';
import { recordAccess, recordOvercharge } from '../../src/credits/record-access.ts';
import {
  type DaySpending,
  monthByLedger,
  monthLeft,
  NO_SPENDING,
  type NotShown,
  notShownYet,
  possiblySpentOfMonth,
  spentAtMost,
  spentOfDay,
  spentWithin,
  Usage,
  usualPerDay,
} from '../../src/credits/usage.ts';

const TODAY = 20_786;
const NOW = (TODAY + 0.5) * DAY;

const dayOf = (ago: number, credits: number, elsewhere = 0): DaySpending => ({
  day: TODAY - ago,
  elsewhere,
  exports: 0,
  operations: { signal: { ...NO_SPENDING, charged: credits } },
});

const iso = (day: number) => new Date(day * DAY).toISOString();

/** @param fetched and reset: days from today */
function accessOf(fetched: number, reset: number): Partial<Usage> {
  const credits = { limit: 1000, used: 400, remaining: 600, resets_at: iso(TODAY + reset) };
  return { access: { at: NOW + fetched * DAY, credits } };
}

const usageOf = (usage: Partial<Usage>): Usage => ({ ...parse(Usage, {}), ...usage });

describe('what is usually spent on a day', () => {
  /** @param credits of yesterday, of the day before, and so on */
  const usual = (...credits: readonly number[]) =>
    usualPerDay(
      credits.map((of, i) => dayOf(i + 1, of)),
      TODAY,
      ({ operations }) => operations.signal?.charged ?? 0,
    );

  it('is the mean since the last change, if it has lasted two days', () => {
    expect({
      more: usual(9, 7, 1, 3, 1),
      less: usual(1, 3, 9, 8, 9),
      oneDayOnly: usual(9, 2, 3, 2),
      alike: usual(3, 3, 3),
    }).toEqual({ more: 8, less: 2, oneDayOnly: (3 + 3 + 2 + 2) / 4, alike: 3 });
  });

  it('counts the largest day as the second largest', () => {
    expect({ burst: usual(2, 40, 0, 4), alone: usual(40), two: usual(40, 2) }).toEqual({
      burst: (2 + 4 + 4 + 0) / 4,
      alone: 40,
      two: 2,
    });
  });

  it('is told from fourteen days, those without any spending among them, and not from today', () => {
    const chargedOf = ({ operations }: DaySpending) => operations.signal?.charged ?? 0;
    expect({
      today: usualPerDay([dayOf(0, 9)], TODAY, chargedOf),
      none: usualPerDay([], TODAY, chargedOf),
      silent: usualPerDay([dayOf(0, 9), dayOf(2, 6), dayOf(4, 4)], TODAY, chargedOf),
      fourteenDays: usualPerDay([dayOf(14, 14), dayOf(13, 14), dayOf(15, 99)], TODAY, chargedOf),
    }).toEqual({ today: undefined, none: undefined, silent: (4 + 4) / 4, fourteenDays: 0 });
  });
});

it('days are summed from the first to the last, both included', () => {
  const days = [dayOf(3, 1), dayOf(2, 10), dayOf(1, 100), dayOf(0, 1000)];
  expect(spentAtMost(spentWithin({ days }, TODAY - 2, TODAY - 1))).toBe(110);
});

it('uncertain credits of a day count up to its limit', () => {
  const spent = { requests: 9, charged: 195, uncertain: 10 };
  expect({
    some: spentOfDay(spent, 200),
    none: spentOfDay({ ...spent, charged: 205 }, 200),
    all: spentOfDay(spent, 300),
    unlimited: spentOfDay(spent, undefined),
  }).toEqual({
    some: { spent: 200, possiblySpent: 5 },
    none: { spent: 205, possiblySpent: 0 },
    all: { spent: 205, possiblySpent: 10 },
    unlimited: { spent: 205, possiblySpent: 10 },
  });
});

describe('what is left of the month', () => {
  it('is not known of a month that is over, unless it was told after its end', () => {
    expect({
      unasked: monthLeft(usageOf({}), NOW),
      thisMonth: monthLeft(usageOf(accessOf(-1, 3)), NOW),
      lastMonth: monthLeft(usageOf(accessOf(-3, -1)), NOW),
      clockAhead: monthLeft(usageOf(accessOf(-0.1, -1)), NOW),
    }).toEqual({ unasked: undefined, thisMonth: 600, lastMonth: undefined, clockAhead: 600 });
  });

  it('is less what was spent since, or is not shown yet, and never below 0', () => {
    const sinceAccess = { requests: 9, charged: 5, uncertain: 2 };
    const access = accessOf(-1, 3);
    expect({
      some: monthLeft(usageOf({ ...access, sinceAccess, missing: 3 }), NOW),
      none: monthLeft(usageOf({ ...access, missing: 601 }), NOW),
    }).toEqual({ some: 590, none: 0 });
  });

  it('is possibly more by what failed, but by no more than the month had', () => {
    const access = accessOf(-1, 3);
    const possiblyOf = (charged: number, uncertain: number, missing = 0) =>
      possiblySpentOfMonth(
        usageOf({ ...access, sinceAccess: { requests: 9, charged, uncertain }, missing }),
      );
    expect({
      all: possiblyOf(5, 3),
      oneLeft: possiblyOf(599, 3),
      oneLeftAfterMissing: possiblyOf(590, 3, 9),
      none: possiblyOf(600, 3),
    }).toEqual({ all: 3, oneLeft: 1, oneLeftAfterMissing: 1, none: 0 });
  });

  it('is counted by the ledger for 31 days from the reset, or from the first day with any spending', () => {
    const days = [dayOf(31, 500), dayOf(30, 7), dayOf(2, 20, 30), dayOf(0, 3), dayOf(-1, 90)];
    expect({
      unasked: monthByLedger({ access: null, days }, NOW),
      empty: monthByLedger({ access: null, days: [] }, NOW),
      sinceReset: monthByLedger(usageOf({ ...accessOf(-9, -2), days }), NOW),
      beforeReset: monthByLedger(usageOf({ ...accessOf(-9, 2), days }), NOW),
    }).toEqual({
      unasked: { left: LIMITS.creditsPerMonth - 60, resetsAt: (TODAY + 1) * DAY },
      empty: { left: LIMITS.creditsPerMonth, resetsAt: (TODAY + 31) * DAY },
      sinceReset: { left: 1000 - 53, resetsAt: (TODAY - 2 + 31) * DAY },
      beforeReset: { left: 1000 - 60, resetsAt: (TODAY + 1) * DAY },
    });
  });
});

describe('what a list costs', () => {
  it('is a page, as many as the cards fill, or nobody knows how many', () => {
    const pagesOf = (limit: number | undefined, isAll = false) =>
      quote(listWork({ all: isAll, limit, outcomes: false }), Number.POSITIVE_INFINITY).pages;
    expect({
      page: pagesOf(undefined),
      one: pagesOf(1),
      full: pagesOf(25),
      more: pagesOf(26),
      all: pagesOf(undefined, true),
    }).toEqual({
      page: { least: 1, most: 1 },
      one: { least: 1, most: 1 },
      full: { least: 1, most: 1 },
      more: { least: 1, most: 2 },
      all: { least: 1, most: Number.POSITIVE_INFINITY },
    });
  });

  it('is no more than what --max-credits allows, and the pages are paid first', () => {
    const work = listWork({ all: false, limit: 30, outcomes: true });
    expect({
      unlimited: quote(work, Number.POSITIVE_INFINITY),
      ten: quote(work, 10),
      one: quote(work, 1),
      none: quote(work, 0),
    }).toEqual({
      unlimited: {
        requests: { least: 1, most: 32 },
        credits: { least: 1, most: 32 },
        pages: { least: 1, most: 2 },
      },
      ten: {
        requests: { least: 1, most: 10 },
        credits: { least: 1, most: 10 },
        pages: { least: 1, most: 2 },
      },
      one: {
        requests: { least: 1, most: 1 },
        credits: { least: 1, most: 1 },
        pages: { least: 1, most: 1 },
      },
      none: {
        requests: { least: 0, most: 0 },
        credits: { least: 0, most: 0 },
        pages: { least: 0, most: 0 },
      },
    });
  });

  it('of a free operation is nothing, whatever the limit', () => {
    const work = [{ operation: 'access', requests: { least: 1, most: 2 } }] as const;
    expect(quote(work, 0)).toEqual({
      requests: { least: 1, most: 2 },
      credits: { least: 0, most: 0 },
      pages: { least: 0, most: 0 },
    });
  });
});

/** Credits of all days, spent here or elsewhere. */
const monthSum = ({ days }: Usage): number =>
  days.reduce(
    (sum, { elsewhere, operations }) =>
      sum + elsewhere + Object.values(operations).reduce((all, { charged }) => all + charged, 0),
    0,
  );

describe('what was charged here beyond the price', () => {
  const request = (operation: string, cost: number, status: number): Usage['requests'][number] => ({
    id: operation,
    operation,
    cost,
    sent: NOW,
    ended: NOW,
    status,
  });

  it('is of the last operation that costs credits, and of nobody else any more', () => {
    const requests = [
      request('/screeners', 1, 200),
      request('/signals', 1, 200),
      request('/signal-stats', 5, 503),
      request('/access', 0, 200),
    ];
    const days = [{ day: TODAY, elsewhere: 7, exports: 0, operations: {} }];
    const usage = usageOf({ requests, days, sinceAccess: { ...NO_SPENDING } });
    recordOvercharge(usage, 3, NOW);
    const [today] = usage.days;
    const charged = Object.entries(today?.operations ?? {}).map(([operation, spending]) => ({
      operation,
      charged: spending.charged,
    }));
    expect({ elsewhere: today?.elsewhere, charged }).toEqual({
      elsewhere: 4,
      charged: [{ operation: '/signals', charged: 3 }],
    });
  });

  it('is taken from the day before, where a run over midnight had put it', () => {
    const usage = usageOf({
      requests: [request('/signals', 1, 200)],
      days: [
        { day: TODAY - 1, elsewhere: 5, exports: 0, operations: {} },
        { day: TODAY, elsewhere: 2, exports: 0, operations: {} },
      ],
      sinceAccess: { ...NO_SPENDING },
    });
    recordOvercharge(usage, 6, NOW);
    expect(usage.days.map(({ day, elsewhere }) => ({ day, elsewhere }))).toEqual([
      { day: TODAY - 1, elsewhere: 1 },
      { day: TODAY, elsewhere: 0 },
    ]);
    expect(monthSum(usage)).toBe(7);
  });

  it.each([
    { answers: 'on one day', hours: [13, 14, 15] },
    { answers: 'before and after midnight', hours: [23, 23.5, 24.5] },
    { answers: 'days apart', hours: [13, 30, 70] },
  ])('is never taken from a day before its answers: $answers', ({ hours }) => {
    const usage = usageOf({
      requests: [request('/signals', 1, 200)],
      days: [{ day: TODAY - 1, elsewhere: 50, exports: 0, operations: {} }],
    });
    let excess = 0;
    for (const [i, hour] of hours.entries()) {
      const credits = { limit: 1000, used: 100 + 7 * i, remaining: 900, resets_at: iso(TODAY + 9) };
      const { since } = recordAccess(usage, { credits, per_minute: 15 }, (TODAY + hour / 24) * DAY);
      excess += since?.unexplained ?? 0;
    }
    recordOvercharge(usage, excess, (TODAY + 70 / 24) * DAY);
    expect(excess).toBe(14);
    const elsewhere = usage.days.map((day) => day.elsewhere);
    expect(elsewhere).toEqual([50, ...elsewhere.slice(1).map(() => 0)]);
  });

  it('is nothing where no such request was answered', () => {
    const days = [{ day: TODAY, elsewhere: 7, exports: 0, operations: {} }];
    const usage = usageOf({ requests: [request('/access', 0, 200)], days });
    recordOvercharge(usage, 3, NOW);
    expect(usage.days).toEqual(days);
  });
});

it('a request that is under way when the credits left are told may be charged after them', () => {
  const answer = { per_minute: 15, credits: accessOf(0, 5).access?.credits } as Access;
  const sent = { operation: '/signals', cost: 1, sent: NOW };
  const usage = usageOf({
    requests: [
      { ...sent, id: 'under way', ended: null, status: null },
      { ...sent, id: 'over', ended: NOW, status: 503 },
    ],
    sinceAccess: { requests: 2, charged: 0, uncertain: 2 },
  });
  recordAccess(usage, answer, NOW);
  expect(usage.sinceAccess).toEqual({ requests: 0, charged: 0, uncertain: 1 });
});

describe('what failed requests may have cost, beyond what /access shows', () => {
  const failed = (day: number, minutesAgo: number, credits: number): NotShown => {
    return { day, operation: '/signals', credits, at: NOW - minutesAgo * MINUTE };
  };

  it('counts for its own day, and for 65 minutes', () => {
    const notShown = [failed(TODAY, 64, 1), failed(TODAY, 66, 10), failed(TODAY - 1, 5, 100)];
    expect({
      today: notShownYet({ notShown }, NOW, TODAY),
      anyDay: notShownYet({ notShown }, NOW),
    }).toEqual({ today: 1, anyDay: 101 });
  });

  it('is forgotten by the next answer after that', () => {
    const answer = { per_minute: 15, credits: accessOf(0, 5).access?.credits } as Access;
    const usage = usageOf({
      ...accessOf(-0.01, 5),
      notShown: [failed(TODAY, 64, 1), failed(TODAY, 66, 10)],
      days: [dayOf(0, 3)],
    });
    recordAccess(usage, answer, NOW);
    expect(usage.notShown).toEqual([failed(TODAY, 64, 1)]);
  });
});

it('where nobody else spent anything between two answers, no day is written down', () => {
  const answer = { per_minute: 15, credits: accessOf(0, 5).access?.credits } as Access;
  const usage = usageOf({});
  recordAccess(usage, answer, NOW - 3 * DAY);
  const { since } = recordAccess(usage, answer, NOW);
  expect({ unexplained: since?.unexplained, days: usage.days }).toEqual({
    unexplained: 0,
    days: [],
  });
});
