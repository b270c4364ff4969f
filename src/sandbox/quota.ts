import { type Allowances, DOCUMENTED, LIMITS, windowsOf } from '../api/limits.ts';
import { monthOf } from '../history/store/layout.ts';
import { DAY, utcDay } from '../runtime/units.ts';
import { Refusal } from './response.ts';

interface Limits {
  readonly allowances?: Partial<Allowances> | undefined;
  readonly dayCredits?: number | undefined;
  readonly monthCredits?: number | undefined;
}

export type Quota = ReturnType<typeof createQuota>;

/**
 * What the limits leave. Assumptions, since the document is silent: day and month turn at UTC midnight; every answered
 * request counts in the minute, `/access` included, refused ones do not; the minute is the last 60 seconds. Times are
 * epoch milliseconds UTC.
 */
export function createQuota(limits: Limits = {}) {
  const { dayCredits = LIMITS.creditsPerDay, monthCredits = LIMITS.creditsPerMonth } = limits;
  const allowances = { ...DOCUMENTED, ...limits.allowances };
  const windows = windowsOf(allowances);
  const longest = Math.max(...windows.map(({ millis }) => millis));
  let times: number[] = [];
  /** Credits by UTC month, `2026-11`, and by UTC day, `2026-11-20`. */
  const charges = new Map<string, number>();
  const usedIn = (period: string) => charges.get(period) ?? 0;
  const used = (now: number) => ({ month: usedIn(monthOf(now)), day: usedIn(utcDay(now)) });

  return {
    allowances,
    monthCredits,
    used,
    /** Counts one request against each window's allowance. @throws Refusal */
    enter(now: number): void {
      times = times.filter((at) => now - at < longest);
      for (const { name, millis, allowance } of windows) {
        const oldest = times.filter((at) => now - at < millis).at(-allowance);
        if (oldest !== undefined) throw exhausted(`${allowance} requests per ${name}`, oldest + millis - now);
      }
      times.push(now);
    },
    /** Looks whether day and month have room for `cost` more credits. @throws Refusal */
    afford(cost: number, now: number): void {
      const { month, day } = used(now);
      if (cost === 0) return;
      // The month comes first: it resets later.
      if (month + cost > monthCredits) throw exhausted(`${monthCredits} credits per month`, nextMonth(now) - now);
      if (day + cost > dayCredits) throw exhausted(`${dayCredits} credits per day`, DAY - (now % DAY));
    },
    /** @param today false for what was spent on an earlier day of this month */
    charge(credits: number, now: number, today = true): void {
      const periods = today ? [monthOf(now), utcDay(now)] : [monthOf(now)];
      for (const period of periods) charges.set(period, usedIn(period) + credits);
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
