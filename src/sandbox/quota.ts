import { DAY, MINUTE } from '../runtime/units.ts';
export interface QuotaOptions {
  readonly perMinute: number;
  readonly dayCredits: number;
  readonly monthCredits: number;
}

/** Why a request is refused with 429, and for how long. */
export interface Refusal {
  readonly reason: string;
  /** Whole seconds, rounded up, at least 1. */
  readonly retryAfter: number;
}

/** Credits used in the current UTC month and day, and requests in the last 60 seconds. */
export interface Used {
  readonly month: number;
  readonly day: number;
  readonly minute: number;
}

/** The three limits of part 8 of the API document. Times are epoch milliseconds UTC. */
export interface Quota {
  /** Counts one request against the minute's allowance, or says why it is refused. A refused one does not count. */
  enter(now: number): Refusal | undefined;
  /** Counts one request whatever the allowance says. */
  count(now: number): void;
  /** Whether day and month have room for `cost` more credits. */
  afford(cost: number, now: number): Refusal | undefined;
  charge(cost: number, now: number): void;
  /** Credits spent by another client of the account; `today: false` for an earlier day of this month. */
  spend(credits: number, now: number, today: boolean): void;
  used(now: number): Used;
  /** When the month's credits reset. */
  resetsAt(now: number): number;
  readonly limits: QuotaOptions;
}

/**
 * Assumptions, since the document is silent: day and month turn at UTC midnight; the minute is a sliding window of 60
 * seconds in which every answered request counts, `/access` included, and refused ones do not.
 */
export function createQuota(limits: QuotaOptions): Quota {
  let entered: number[] = [];
  let day = { key: -1, used: 0 };
  let month = { key: -1, used: 0 };

  const turn = (now: number): void => {
    entered = entered.filter((at) => now - at < MINUTE);
    if (day.key !== dayOf(now)) day = { key: dayOf(now), used: 0 };
    if (month.key !== monthOf(now)) month = { key: monthOf(now), used: 0 };
  };

  return {
    limits,
    enter(now) {
      turn(now);
      if (entered.length < limits.perMinute) {
        entered.push(now);
        return undefined;
      }
      const freed = (entered[entered.length - limits.perMinute] ?? now) + MINUTE;
      return { reason: `${limits.perMinute} requests per minute`, retryAfter: secondsUntil(freed, now) };
    },
    count(now) {
      turn(now);
      entered.push(now);
    },
    afford(cost, now) {
      turn(now);
      // The month first: whoever has used up both must wait for the later one.
      if (cost > 0 && month.used + cost > limits.monthCredits) {
        return { reason: `${limits.monthCredits} credits per month`, retryAfter: secondsUntil(nextMonth(now), now) };
      }
      if (cost > 0 && day.used + cost > limits.dayCredits) {
        return { reason: `${limits.dayCredits} credits per day`, retryAfter: secondsUntil(nextDay(now), now) };
      }
      return undefined;
    },
    charge(cost, now) {
      turn(now);
      day.used += cost;
      month.used += cost;
    },
    spend(credits, now, today) {
      turn(now);
      month.used += credits;
      if (today) day.used += credits;
    },
    used(now) {
      turn(now);
      return { month: month.used, day: day.used, minute: entered.length };
    },
    resetsAt: nextMonth,
  };
}

const dayOf = (now: number): number => Math.floor(now / DAY);
const nextDay = (now: number): number => (dayOf(now) + 1) * DAY;

function monthOf(now: number): number {
  const date = new Date(now);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000));
