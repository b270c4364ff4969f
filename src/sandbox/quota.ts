import { type Allowances, DOCUMENTED, LIMITS, windowsOf } from '../api/limits.ts';

export interface Refusal {
  readonly reason: string;
  readonly retryAfter: number;
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
  let day = { begins: 0, used: 0 };
  let month = { begins: 0, used: 0 };

  const turn = (now: number): void => {
    if (day.begins !== midnight(now)) day = { begins: midnight(now), used: 0 };
    if (month.begins !== firstOfMonth(now)) month = { begins: firstOfMonth(now), used: 0 };
  };

  return {
    allowances,
    monthCredits,
    /** Counts one request against each window's allowance, or says why it is refused. */
    enter(now: number): Refusal | undefined {
      counted = counted.filter((at) => now - at < longest);
      for (const { name, millis, allowance } of windows) {
        const inTheWay = counted.filter((at) => now - at < millis).at(-allowance);
        if (inTheWay !== undefined) return refusal(`${allowance} requests per ${name}`, inTheWay + millis, now);
      }
      counted.push(now);
      return undefined;
    },
    count: (now: number) => void counted.push(now),
    /** Whether day and month have room for `cost` more credits; else why not. */
    afford(cost: number, now: number): Refusal | undefined {
      turn(now);
      if (cost === 0) return undefined;
      // The month comes first: it resets later.
      if (month.used + cost > monthCredits)
        return refusal(`${monthCredits} credits per month`, firstOfMonth(now, 1), now);
      if (day.used + cost > dayCredits) return refusal(`${dayCredits} credits per day`, midnight(now, 1), now);
      return undefined;
    },
    /** @param today false for what was spent on an earlier day of this month */
    charge(credits: number, now: number, today = true): void {
      turn(now);
      month.used += credits;
      if (today) day.used += credits;
    },
    used(now: number): Used {
      turn(now);
      return { month: month.used, day: day.used };
    },
    resetsAt: (now: number) => firstOfMonth(now, 1),
  };
}

function refusal(reason: string, until: number, now: number): Refusal {
  return { reason, retryAfter: Math.max(1, Math.ceil((until - now) / 1000)) };
}

function midnight(now: number, daysAhead = 0): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + daysAhead);
}

function firstOfMonth(now: number, monthsAhead = 0): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsAhead, 1);
}
