import { DAY, MINUTE } from '../runtime/units.ts';
import type { Behaviour } from './behaviour.ts';
import { bucketLimiter, fixedLimiter, type Limiter, slidingLimiter } from './limiter.ts';

export interface QuotaOptions {
  readonly perMinute: number;
  readonly dayCredits: number;
  readonly monthCredits: number;
}

/** The switches that concern the minute. */
export type MinuteBehaviour = Pick<Behaviour, 'limiter' | 'refusals' | 'countAt' | 'latency'>;

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
  /** Counts one request against the minute's allowance, or says why it is refused. */
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
 * Assumptions, since the document is silent: day and month turn at UTC midnight; every answered request counts in the
 * minute, `/access` included. How the minute is measured and whether refused requests count is for switches to say.
 */
export function createQuota(limits: QuotaOptions, minute: MinuteBehaviour): Quota {
  const limiter = limiterOf(minute, limits.perMinute);
  let answered: number[] = [];
  let day = { key: -1, used: 0 };
  let month = { key: -1, used: 0 };

  const turn = (now: number): void => {
    answered = answered.filter((at) => now - at < MINUTE);
    if (day.key !== dayOf(now)) day = { key: dayOf(now), used: 0 };
    if (month.key !== monthOf(now)) month = { key: monthOf(now), used: 0 };
  };

  const count = (now: number): void => {
    turn(now);
    answered.push(now);
    limiter.count(minute.countAt === 'answer' ? now + minute.latency : now);
  };

  return {
    limits,
    enter(now) {
      if (limiter.freeAt(now) <= now) {
        count(now);
        return undefined;
      }
      if (minute.refusals.counted) limiter.count(now);
      return {
        reason: `${limits.perMinute} requests per minute`,
        retryAfter: secondsUntil(limiter.freeAt(now), now),
      };
    },
    count,
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
      return { month: month.used, day: day.used, minute: answered.length };
    },
    resetsAt: nextMonth,
  };
}

function limiterOf({ limiter }: MinuteBehaviour, perMinute: number): Limiter {
  switch (limiter.kind) {
    case 'sliding':
      return slidingLimiter(perMinute);
    case 'fixed':
      return fixedLimiter(perMinute);
    case 'bucket':
      return bucketLimiter(perMinute, limiter.size);
  }
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
