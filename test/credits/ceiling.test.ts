import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/api/limits.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import {
  budgetUnknown,
  creditsByLimit,
  limitReached,
  narrowest,
  secondsUntil,
} from '../../src/credits/credit-ceiling.ts';
import { NO_SPENDING, Usage } from '../../src/credits/usage.ts';

/** Six hours before midnight, and a day and a half before the month's reset. */
const NOW = Date.UTC(2026, 10, 29, 18);
const RESET = '2026-12-01T06:00:00.000000Z';
const TODAY = NOW / DAY - 0.75;

/** 700 of 1,000 credits are left of the month, and 20 of today's are spent. */
const usage = parse(Usage, {
  access: { at: NOW - HOUR, credits: { limit: 1000, used: 300, remaining: 700, resets_at: RESET } },
  days: [
    { day: TODAY - 1, elsewhere: 0, operations: { signal: { ...NO_SPENDING, charged: 90 } } },
    {
      day: TODAY,
      elsewhere: 50,
      operations: { signal: { requests: 20, charged: 17, uncertain: 3 } },
    },
  ],
});

it('each limit of credits in the document bounds what may be spent', () => {
  const periods = Object.keys(LIMITS)
    .filter((name) => name.startsWith('creditsPer'))
    .map((name) => name.slice('creditsPer'.length).toLowerCase());
  const limits = creditsByLimit(parse(Usage, {}), {}, NO_SPENDING, 0);
  const unbounded = periods.filter((period) => !Object.hasOwn(limits, period));
  expect(unbounded, 'creditsByLimit of src/credits/credit-ceiling.ts').toEqual([]);
  expect(periods).toContain('day');
});

it('each limit leaves what is not spent, with what may be', () => {
  const spent = { requests: 6, charged: 4, uncertain: 2 };
  const none = undefined;
  expect(
    creditsByLimit(usage, { maxCredits: 10, daily: 25, keep: 100, run: 90 }, spent, NOW),
  ).toEqual({
    max_credits: 4,
    daily: 5,
    day: LIMITS.creditsPerDay - 20,
    month: 700,
    keep: 600,
    run: 84,
  });
  const withoutBudgets = { max_credits: none, daily: none, keep: none, run: none };
  expect(creditsByLimit(usage, {}, spent, NOW)).toMatchObject({ ...withoutBudgets, month: 700 });
  expect(creditsByLimit(usage, { keep: 0 }, spent, NOW)).toMatchObject(withoutBudgets);
  expect(creditsByLimit(parse(Usage, {}), { keep: 1 }, spent, NOW)).toMatchObject({
    month: none,
    keep: none,
  });
});

it('of limits that leave as little the first one is named, and none leaves less than nothing', () => {
  expect({
    first: narrowest({ max_credits: 3, daily: 2, month: 2 }),
    crossed: narrowest({ daily: 2, month: -4 }),
    none: narrowest({ daily: undefined }),
  }).toEqual({
    first: { limit: 'daily', credits: 2 },
    crossed: { limit: 'month', credits: 0 },
    none: undefined,
  });
});

describe('a limit that is reached', () => {
  const budgets = { maxCredits: 10, daily: 25, keep: 100 };
  const MIDNIGHT = '2026-11-30 00:00:00 UTC, in 6 hours';
  const MONTH = '2026-12-01 06:00:00 UTC, in 1 day 12 hours';

  it.each([
    {
      limit: 'max_credits',
      what: '--max-credits 10 is reached',
      hours: undefined,
      when: '',
      hint: 'Raise --max-credits.',
    },
    {
      limit: 'keep',
      what: '--keep 100 is reached',
      hours: 36,
      when: MONTH,
      hint: `Lower --keep (or SCREENER_KEEP), or wait until ${MONTH}.`,
    },
    {
      limit: 'daily',
      what: 'SCREENER_DAILY=25 is reached',
      hours: 6,
      when: MIDNIGHT,
      hint: `Raise SCREENER_DAILY, or wait until ${MIDNIGHT}.`,
    },
    {
      limit: 'month',
      what: "The month's credits are spent",
      hours: 36,
      when: MONTH,
      hint: `Wait until ${MONTH}.`,
    },
    {
      limit: 'day',
      what: "The day's 150 credits are spent (3 only possibly)",
      hours: 6,
      when: MIDNIGHT,
      hint: `Wait until ${MIDNIGHT}.`,
    },
    {
      limit: 'run',
      what: 'The credits that were left when this run began are spent',
      hours: undefined,
      when: '',
      hint: 'Run it again.',
    },
  ] as const)('says that $what', ({ limit, hours, ...words }) => {
    const until = hours === undefined ? undefined : NOW + hours * HOUR;
    expect(limitReached(limit, budgets, usage, NOW)).toEqual({ ...words, until });
  });

  it('names no time where the month’s end is not known', () => {
    expect(limitReached('month', budgets, { access: null, days: [] }, NOW)).toEqual({
      what: "The month's credits are spent",
      until: undefined,
      when: '',
      hint: 'Wait.',
    });
  });

  it('is over in whole seconds, the last of them counted', () => {
    expect({
      aMoment: secondsUntil(NOW + 1, NOW),
      minute: secondsUntil(NOW + 60_000, NOW),
      never: secondsUntil(undefined, NOW),
    }).toEqual({ aMoment: 1, minute: 60, never: undefined });
  });
});

describe('where the spending of today is not known', () => {
  const lost = { reason: 'the ledger could not be read', until: NOW + 6 * HOUR };

  it('only a budget that is about it ends the command', () => {
    expect({
      none: budgetUnknown(lost, {}, NOW),
      noReserve: budgetUnknown(lost, { keep: 0 }, NOW),
      unset: budgetUnknown(lost, { keep: undefined, daily: undefined }, NOW),
    }).toEqual({ none: undefined, noReserve: undefined, unset: undefined });
  });

  it.each([
    {
      budgets: { daily: 25, keep: 100 },
      until: lost.until,
      message: 'SCREENER_DAILY=25 cannot be kept',
      hint: 'Wait until 2026-11-30 00:00:00 UTC, in 6 hours, or leave out SCREENER_DAILY.',
      retryAfter: 6 * 3600,
    },
    {
      budgets: { keep: 100 },
      until: undefined,
      message: '--keep 100 cannot be kept',
      hint: 'Repair the ledger, or leave out --keep (SCREENER_KEEP).',
      retryAfter: undefined,
    },
  ])('$message', ({ budgets, until, message, hint, retryAfter }) => {
    expect(budgetUnknown({ ...lost, until }, budgets, NOW)).toMatchObject({
      code: 'budget_unknown',
      message: `${message}: the ledger could not be read, so what was spent today is not known.`,
      hint,
      retryAfter,
      retryAt: until,
    });
  });
});
