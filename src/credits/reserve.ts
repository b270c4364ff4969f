import type { Client } from '../api/client.ts';
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS, type ResourceOf } from '../api/operations.ts';
import { dayNumber, HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import { monthLeft, type Usage } from './usage.ts';

/**
 * Whether `/access` (free) need not be asked before the next billable request: MCP and other machines spend credits that
 * this machine does not see. Without a reserve an answer holds for an hour, with one for some minutes; and where the
 * reserve is near, for one request.
 */
export function knowsCreditsLeft(usage: Usage, keep: number, now: number): boolean {
  if (usage.access === null || monthLeft(usage, now) === undefined) return false;
  const age = now - usage.access.at;
  if (keep === 0) return age < HOUR;
  return isReserveNear(usage, keep, now) ? age < SECOND && usage.sinceAccess.requests === 0 : age < 5 * MINUTE;
}

/** Whether no more is left above the reserve than all together may still spend today. */
export function isReserveNear(usage: Usage, keep: number, now: number): boolean {
  return keep > 0 && (monthLeft(usage, now) ?? 0) - keep <= leftToday(usage, now);
}

/** Credits of today's 150 that nobody has spent for certain. */
function leftToday({ days }: Usage, now: number): number {
  const today = days.find(({ day }) => day === dayNumber(now));
  const own = Object.values(today?.operations ?? {}).reduce((sum, { charged }) => sum + charged, 0);
  return LIMITS.creditsPerDay - own - (today?.elsewhere ?? 0);
}

interface Guarded {
  knowsCreditsLeft(): boolean;
  isReserveNear(): boolean;
  observe(access: ResourceOf<'access'>): unknown;
}

/**
 * A client that asks `/access` (free) before a billable request, unless the credits left are known. Near the reserve its
 * requests go one after the other: of one under way nobody knows whether an answer of `/access` has counted it.
 */
export function guardingReserve(client: Client, account: Guarded): Client {
  let last: Promise<void> = Promise.resolve();
  return {
    ...client,
    async call(name, params, signal, how) {
      if (OPERATIONS[name].cost === 0) return client.call(name, params, signal, how);
      const before = last;
      let letNextGo = () => {};
      last = new Promise((resolve) => {
        letNextGo = resolve;
      });
      await before;
      try {
        if (!account.knowsCreditsLeft()) account.observe(await client.call('access', {}, signal));
        if (!account.isReserveNear()) letNextGo();
        return await client.call(name, params, signal, how);
      } finally {
        letNextGo();
      }
    },
  };
}
