import { type Allowances, CREDIT_PERIODS, DOCUMENTED, LIMITS, windowsOf } from '../api/limits.ts';
import { DAY, utcDay } from '../base/units.ts';
import { monthOf } from '../history/store/layout.ts';
import { Refusal } from './response.ts';

/** What an account has used, in credits: of the UTC month and of the UTC day. */
interface UsedCredits {
  readonly month: number;
  readonly day: number;
}

export interface Quota {
  /** Requests of each window. */
  readonly allowances: Allowances;
  /** Credits. */
  readonly perMonth: number;
  used(now: number): UsedCredits;
  /** Counts one request against each window's allowance. @throws Refusal */
  enter(now: number): void;
  /** Looks whether month, day and other periods have room for `cost` more credits. @throws Refusal */
  afford(cost: number, now: number): void;
  charge(credits: number, now: number): void;
}

/**
 * What the limits leave. Assumptions, since the document is silent: day and month turn at UTC midnight; every answered
 * request counts in the minute, `/access` included, refused ones do not; the minute is the last 60 seconds. Times are
 * epoch milliseconds UTC.
 */
export function createQuota(
  allowancesOfAccount: Partial<Allowances>,
  {
    perDay = LIMITS.creditsPerDay,
    perMonth = LIMITS.creditsPerMonth,
  }: { perDay?: number; perMonth?: number } = {},
): Quota {
  const allowances = { ...DOCUMENTED, ...allowancesOfAccount };
  const periods = CREDIT_PERIODS.map(({ name, days, credits }) => {
    return { name, days, credits: name === 'day' ? perDay : credits };
  });
  const times: number[] = [];
  /** Credits by UTC month, `2026-11`, and by UTC day, `2026-11-20`. */
  const charges = new Map<string, number>();
  const used = (now: number) => ({
    month: charges.get(monthOf(now)) ?? 0,
    day: charges.get(utcDay(now)) ?? 0,
  });
  /** Credits of so many UTC days, today the last of them. */
  const usedWithin = (days: number, now: number) => {
    const dates = Array.from({ length: days }, (_, ago) => utcDay(now - ago * DAY));
    return dates.reduce((sum, date) => sum + (charges.get(date) ?? 0), 0);
  };

  return {
    allowances,
    perMonth,
    used,
    enter(now) {
      for (const { name, millis, allowance } of windowsOf(allowances)) {
        const oldest = times.at(-allowance);
        if (oldest !== undefined && now - oldest < millis)
          throw exhausted(`${allowance} requests per ${name}`, oldest + millis - now);
      }
      times.push(now);
    },
    afford(cost, now) {
      const { month } = used(now);
      if (cost === 0) return;
      // The month comes first: it resets later.
      if (month + cost > perMonth)
        throw exhausted(`${perMonth} credits per month`, nextMonth(now) - now);
      for (const { name, days, credits } of periods) {
        if (usedWithin(days, now) + cost > credits)
          throw exhausted(`${credits} credits per ${name}`, DAY - (now % DAY));
      }
    },
    charge(credits, now) {
      for (const period of [monthOf(now), utcDay(now)])
        charges.set(period, (charges.get(period) ?? 0) + credits);
    },
  };
}

function exhausted(limit: string, millis: number): Refusal {
  return new Refusal(429, `Quota exhausted: ${limit}.`, Math.max(1, Math.ceil(millis / 1000)));
}

export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
