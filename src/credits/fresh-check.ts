import type { Client } from '../api/client.ts';
import { OPERATIONS } from '../api/operations.ts';
import { HOUR } from '../runtime/units.ts';
import type { Account } from './account.ts';

/**
 * Whether this machine knows the month's credits of the last hour: MCP and other machines spend credits that it does not
 * see.
 */
export function isFresh(account: Account, now: number): boolean {
  const known = account.known();
  return known !== undefined && account.monthLeft() !== undefined && now - known.at < HOUR;
}

/** A client that asks `/access` (free) before its first billable request, unless the credits left are known freshly. */
export function checkingFirst(client: Client, account: Account, clock: { now(): number }): Client {
  let checked: Promise<void> | undefined;
  const check = async (signal: AbortSignal | undefined) => {
    if (!isFresh(account, clock.now())) account.observe(await client.call('access', {}, signal));
  };
  return {
    async call(name, params, signal, how) {
      if (OPERATIONS[name].cost > 0) {
        checked ??= check(signal);
        await checked;
      }
      return client.call(name, params, signal, how);
    },
  };
}
