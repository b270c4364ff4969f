/** What was spent and what is left: pure functions of the ledger's usage. */
import { parseApiTime } from '../api/time.ts';
import { lastMinute } from './schedule.ts';
import type { Spending, Today } from './types.ts';
import { dayNumber, dayOf, type Usage } from './usage.ts';

/** The spending of the UTC day of `now`. */
export function spentToday(usage: Usage, now: number): Today {
  const byOperation = structuredClone(usage.days.find(({ day }) => day === dayNumber(now))?.operations ?? {});
  return {
    day: dayOf(now),
    ...total(Object.values(byOperation)),
    byOperation,
    lastMinute: lastMinute(usage, now),
    perMinute: usage.perMinute,
  };
}

/**
 * Credits left of the month as far as this machine knows: what `/access` last said, less what may have been spent here
 * since.
 * @returns undefined where `/access` was not asked this month
 */
export function monthLeft({ access, sinceAccess }: Usage, now: number): number | undefined {
  if (access === null || (parseApiTime(access.resetsAt) ?? Number.POSITIVE_INFINITY) <= now) return undefined;
  return Math.max(0, access.remaining - sinceAccess.charged - sinceAccess.uncertain);
}

function total(parts: readonly Spending[]): Spending {
  const sum = { requests: 0, charged: 0, uncertain: 0 };
  for (const part of parts) {
    sum.requests += part.requests;
    sum.charged += part.charged;
    sum.uncertain += part.uncertain;
  }
  return sum;
}
