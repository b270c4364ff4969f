import type { Client } from '../api/client.ts';
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS, type ResourceOf } from '../api/operations.ts';
import { dayNumber, HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import { monthLeft, spentOn, type Usage } from './usage.ts';

/** An answer of `/access` holds for an hour, with a reserve for 5 minutes, near it for one request. */
export function knowsCreditsLeft(usage: Usage, keep: number, now: number): boolean {
  if (usage.access === null || monthLeft(usage, now) === undefined) return false;
  const age = now - usage.access.at;
  if (keep === 0) return age < HOUR;
  return isReserveNear(usage, keep, now) ? age < SECOND && usage.sinceAccess.requests === 0 : age < 5 * MINUTE;
}

/** Whether today's allowance could cross the reserve. */
export function isReserveNear(usage: Usage, keep: number, now: number): boolean {
  const today = dayNumber(now);
  const elsewhere = usage.days.find(({ day }) => day === today)?.elsewhere ?? 0;
  const leftToday = LIMITS.creditsPerDay - spentOn(usage, today).charged - elsewhere;
  return keep > 0 && (monthLeft(usage, now) ?? 0) - keep <= leftToday;
}

interface Guarded {
  readonly keep: number;
  mayLift(operation: string): boolean;
  knowsCreditsLeft(): boolean;
  isReserveNear(): boolean;
  observe(access: ResourceOf<'access'>): unknown;
}

/**
 * Asks `/access` (free) if it may lift a hold and, with --keep, unless the credits left are known. Near the reserve
 * requests go one by one: `/access` may or may not include a request in flight.
 */
export function guarded(client: Client, account: Guarded): Client {
  let last: Promise<void> = Promise.resolve();
  return {
    ...client,
    async call(name, params, signal, how) {
      const { cost, path } = OPERATIONS[name];
      const mayLift = account.mayLift(path);
      if (cost === 0) return client.call(name, params, signal, how ?? (mayLift ? 'probe' : undefined));
      if (mayLift) account.observe(await client.call('access', {}, signal, 'probe'));
      if (account.keep === 0) return client.call(name, params, signal, how);
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
