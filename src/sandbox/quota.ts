/** How many credits and requests the sandbox's account may still use. */
import {
  type Allowances,
  CREDIT_PERIODS,
  DOCUMENTED_ALLOWANCES,
  LIMITS,
  windowsOf,
} from '../api/limits.ts';
import { DAY, utcDay } from '../base/units.ts';
import { monthOf } from '../history/store/layout.ts';
import { Refusal } from './response.ts';

/** The credits that an account has used. */
interface UsedCredits {
  /** In this UTC month. */
  readonly month: number;
  /** On this UTC day. */
  readonly day: number;
}

/** One account's quota. Times are epoch milliseconds UTC. */
export interface Quota {
  /** How many requests each window allows. */
  readonly allowances: Allowances;
  /** Credits allowed a month. */
  readonly perMonth: number;
  used(now: number): UsedCredits;
  /** Counts one request in each window. @throws Refusal, if a window has no room for it */
  countRequest(now: number): void;
  /** Checks that `cost` more credits may be used. @throws Refusal, if the month or a period of days has fewer left */
  checkCredits(cost: number, now: number): void;
  /** Counts credits as used. */
  charge(credits: number, now: number): void;
}

/**
 * Keeps one account's quota. Assumptions, since the API document is silent:
 * - Day and month turn at UTC midnight.
 * - A window of requests (a minute, say) is the time just before `now`, and not a minute of the clock.
 * - All requests with a right key count in a window, those of `/access`, too. A request that is refused because a window is full
 *   does not count.
 */
export function createQuota(
  allowancesOfAccount: Partial<Allowances>,
  {
    perDay = LIMITS.creditsPerDay,
    perMonth = LIMITS.creditsPerMonth,
  }: { perDay?: number; perMonth?: number } = {},
): Quota {
  const allowances = { ...DOCUMENTED_ALLOWANCES, ...allowancesOfAccount };
  const periods = CREDIT_PERIODS.map(({ name, days, credits }) => {
    // An account may have another limit a day. The other periods have the limits of the API document.
    return { name, days, credits: name === 'day' ? perDay : credits };
  });
  /** When each request came, epoch milliseconds UTC. */
  const times: number[] = [];
  /** Credits used, by UTC month: `2026-11`. */
  const chargesByMonth = new Map<string, number>();
  /** Credits used, by UTC day: `2026-11-20`. */
  const chargesByDay = new Map<string, number>();
  const used = (now: number) => ({
    month: chargesByMonth.get(monthOf(now)) ?? 0,
    day: chargesByDay.get(utcDay(now)) ?? 0,
  });
  /** Credits used in the last `days` UTC days, today included. */
  const usedWithin = (days: number, now: number) => {
    const dates = Array.from({ length: days }, (_, ago) => utcDay(now - ago * DAY));
    return dates.reduce((sum, date) => sum + (chargesByDay.get(date) ?? 0), 0);
  };

  return {
    allowances,
    perMonth,
    used,
    countRequest(now) {
      for (const { name, millis, allowance } of windowsOf(allowances)) {
        // The window is full if the request `allowance` places back is still in it. There is room again when it leaves.
        const blockingAt = times.at(-allowance);
        if (blockingAt !== undefined && now - blockingAt < millis)
          throw exhausted(`${allowance} requests per ${name}`, blockingAt + millis - now);
      }
      times.push(now);
    },
    checkCredits(cost, now) {
      // A free request passes, whatever is used.
      if (cost === 0) return;
      const { month } = used(now);
      // The month is checked first: if both are used up, the client has to wait for the month.
      if (month + cost > perMonth)
        throw exhausted(`${perMonth} credits per month`, nextMonth(now) - now);
      // At midnight, the oldest day leaves each period.
      const untilMidnight = DAY - (now % DAY);
      for (const { name, days, credits } of periods) {
        if (usedWithin(days, now) + cost > credits)
          throw exhausted(`${credits} credits per ${name}`, untilMidnight);
      }
    },
    charge(credits, now) {
      const month = monthOf(now);
      const day = utcDay(now);
      chargesByMonth.set(month, (chargesByMonth.get(month) ?? 0) + credits);
      chargesByDay.set(day, (chargesByDay.get(day) ?? 0) + credits);
    },
  };
}

/** The refusal if a limit is used up. @param limit `15 requests per minute` @param millis until there may be room again */
function exhausted(limit: string, millis: number): Refusal {
  return new Refusal(429, `Quota exhausted: ${limit}.`, Math.max(1, Math.ceil(millis / 1000)));
}

/** When the next UTC month begins, epoch milliseconds UTC. @param now epoch milliseconds UTC */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
