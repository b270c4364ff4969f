import { type Allowances, DOCUMENTED, LIMITS, windowsOf } from '../api/limits.ts';

export class QuotaExhausted extends Error {
  /** Seconds. */
  readonly retryAfter: number;

  constructor(limit: string, until: number, now: number) {
    super(`Quota exhausted: ${limit}.`);
    this.retryAfter = Math.max(1, Math.ceil((until - now) / 1000));
  }
}

interface Limits {
  readonly allowances?: Partial<Allowances> | undefined;
  readonly dayCredits?: number | undefined;
  readonly monthCredits?: number | undefined;
}

export type Quota = ReturnType<typeof createQuota>;

export interface Used {
  readonly month: number;
  readonly day: number;
}

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
  let counted: number[] = [];
  /** Credits by UTC month, `2026-11`, and by UTC day, `2026-11-20`. */
  const charged = new Map<string, number>();
  const usedIn = (period: string): number => charged.get(period) ?? 0;

  return {
    allowances,
    monthCredits,
    /** Counts one request against each window's allowance. @throws QuotaExhausted */
    enter(now: number): void {
      counted = counted.filter((at) => now - at < longest);
      for (const { name, millis, allowance } of windows) {
        const inTheWay = counted.filter((at) => now - at < millis).at(-allowance);
        if (inTheWay !== undefined)
          throw new QuotaExhausted(`${allowance} requests per ${name}`, inTheWay + millis, now);
      }
      counted.push(now);
    },
    /** Looks whether day and month have room for `cost` more credits. @throws QuotaExhausted */
    afford(cost: number, now: number): void {
      const used = this.used(now);
      if (cost === 0) return;
      // The month comes first: it resets later.
      if (used.month + cost > monthCredits)
        throw new QuotaExhausted(`${monthCredits} credits per month`, nextMonth(now), now);
      if (used.day + cost > dayCredits) throw new QuotaExhausted(`${dayCredits} credits per day`, nextDay(now), now);
    },
    /** @param today false for what was spent on an earlier day of this month */
    charge(credits: number, now: number, today = true): void {
      const { month, day } = periodsOf(now);
      charged.set(month, usedIn(month) + credits);
      if (today) charged.set(day, usedIn(day) + credits);
    },
    used(now: number): Used {
      const { month, day } = periodsOf(now);
      return { month: usedIn(month), day: usedIn(day) };
    },
  };
}

function periodsOf(now: number): { readonly month: string; readonly day: string } {
  const text = new Date(now).toISOString();
  return { month: text.slice(0, 7), day: text.slice(0, 10) };
}

const nextDay = (now: number): number => new Date(now).setUTCHours(24, 0, 0, 0);

export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
