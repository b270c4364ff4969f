import type { Client } from '../api/client.ts';
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS, type ResourceOf } from '../api/operations.ts';
import { dayNumber, HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import { monthLeft, type Usage } from './usage.ts';

/**
 * Whether `/access` (free) need not be asked before the next billable request: MCP and other machines spend credits that
 * this machine does not see. Without a reserve an answer holds for an hour, with one for some minutes; and where the
 * reserve is near, for one request.
 *
 * Near: no more is left above the reserve than all together may still spend today.
 */
export function knowsCreditsLeft(usage: Usage, keep: number, now: number): boolean {
  const left = monthLeft(usage, now);
  if (usage.access === null || left === undefined) return false;
  const age = now - usage.access.at;
  if (keep === 0) return age < HOUR;
  if (left - keep > leftToday(usage, now)) return age < 5 * MINUTE;
  return age < SECOND && usage.sinceAccess.requests === 0;
}

/** Credits of today's 150 that nobody has spent for certain. */
function leftToday({ days }: Usage, now: number): number {
  const today = days.find(({ day }) => day === dayNumber(now));
  const own = Object.values(today?.operations ?? {}).reduce((sum, { charged }) => sum + charged, 0);
  return LIMITS.creditsPerDay - own - (today?.elsewhere ?? 0);
}

/** A client that asks `/access` (free) before a billable request, unless the credits left are known. */
export function guardingReserve(
  client: Client,
  account: { knowsCreditsLeft(): boolean; observe(access: ResourceOf<'access'>): unknown },
): Client {
  let asking: Promise<void> | undefined;
  const ask = async () => void account.observe(await client.call('access', {}));
  return {
    now: () => client.now(),
    async call(name, params, signal, how) {
      if (OPERATIONS[name].cost > 0 && !account.knowsCreditsLeft()) {
        asking ??= ask().finally(() => {
          asking = undefined;
        });
        await asking;
      }
      return client.call(name, params, signal, how);
    },
  };
}
