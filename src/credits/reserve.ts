import type { Client } from '../api/client.ts';
import type { Access } from '../api/contract/resources.ts';
import { OPERATIONS } from '../api/operations.ts';
import { ScreenerError } from '../errors.ts';
import type { Notes } from '../runtime/context.ts';
import type { Account, Connection } from './account.ts';

/** A client whose account hears every answer of `/access`, which with --keep is asked anew before a request. */
export function guarded(client: Client, account: Account): Client {
  const guard: Client = {
    ...client,
    async call(name, params, how) {
      const isHeld = account.gate.mayLift(OPERATIONS[name].path);
      if (name === 'access') {
        const access = await client.call(
          name,
          params,
          isHeld ? { despiteHold: 'probe', ...how } : how,
        );
        account.observe(access as Access);
        return access;
      }
      if (account.keep > 0 && !account.knowsCreditsLeft()) await guard.call('access', {});
      // Refused, it has lifted nothing: the gate says so.
      else if (isHeld) await guard.call('access', {}).catch(unlessAccessAlone);
      return client.call(name, params, how);
    },
  };
  return guard;
}

/**
 * Asks `/access`. Refused alone, it is no reason to stop without a reserve, and is asked at growing intervals.
 * @throws ScreenerError, as the client
 */
export async function askAccess(
  { client, account }: Connection,
  { warn }: Pick<Notes, 'warn'>,
): Promise<void> {
  const before = account.keep > 0 ? null : account.accessRefusal();
  let status = before?.status;
  try {
    if (before?.isDue !== false) {
      await client.call('access', {}, { once: before !== null });
      return;
    }
  } catch (error) {
    if (account.keep > 0 || account.gate.blocked() !== undefined) throw error;
    status = unlessAccessAlone(error);
  }
  warn(`The service refuses /access (${status}): the credits left are as this machine knows them.`);
}

/** @returns the status of a refusal that may be of `/access` alone @throws what is none */
function unlessAccessAlone(error: unknown): number {
  const status = error instanceof ScreenerError ? (error.status ?? 0) : 0;
  if (status < 400 || status === 401) throw error;
  return status;
}
