/** What was spent, where and by whom: pure functions of the ledger's state. */

import { parseApiTime } from '../api/time.ts';
import type { Accessed } from './ledger-records.ts';
import { lastMinute } from './schedule.ts';
import { dayNumber, dayOf, type State } from './state.ts';
import type { Elsewhere, Observation, Spending, Today } from './types.ts';
import { straddling } from './usage.ts';

/** The spending of the UTC day of `now`. */
export function todayOf(state: State, now: number): Today {
  const number = dayNumber(now);
  const byOperation = structuredClone(state.days.find(({ day }) => day === number)?.operations ?? {});
  return {
    day: dayOf(now),
    ...total(Object.values(byOperation)),
    byOperation,
    lastMinute: lastMinute(state, now),
    perMinute: state.pace.perMinute,
  };
}

export function observationOf({ seen }: State): Observation | undefined {
  return seen === null ? undefined : { ...seen };
}

/**
 * What a new look at `/access` says of spending elsewhere, by the state before it. Requests that failed or were under
 * way at either look may or may not be in the difference: they make it a range.
 * @returns undefined where there is no earlier look of the same month
 */
export function spentElsewhere(state: State, look: Accessed): Elsewhere | undefined {
  const { seen, since } = state;
  if (seen === null || !sameInstant(seen.resetsAt, look.resets_at)) return undefined;
  const difference = look.used - seen.used;
  const unsure = Math.min(since.charged, straddling(state, look.from).charged);
  return {
    least: Math.max(0, difference - since.charged - since.uncertain),
    most: Math.max(0, difference - since.charged + unsure),
    since: seen.at,
  };
}

function sameInstant(one: string, other: string): boolean {
  return one === other || parseApiTime(one) === parseApiTime(other);
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
