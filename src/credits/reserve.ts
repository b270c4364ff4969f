import type { Client } from '../api/client.ts';
import type { Access } from '../api/contract/resources.ts';
import { OPERATIONS } from '../api/operations.ts';
import type { Account } from './account.ts';

/**
 * A client whose account hears every answer of `/access`. With --keep it is asked again before a
 * request, once its answer is too old.
 */
export function guarded(client: Client, account: Account): Client {
  const guard: Client = {
    ...client,
    async call(name, params, how) {
      const probe = mayLift(account, OPERATIONS[name].path) ? 'probe' : undefined;
      if (name === 'access') {
        const access = await client.call(name, params, how ?? probe);
        account.observe(access as Access);
        return access;
      }
      const isOld = account.keep > 0 && !account.knowsCreditsLeft();
      if (probe !== undefined || isOld) await guard.call('access', {}, probe);
      return client.call(name, params, how);
    },
  };
  return guard;
}

/** Whether another operation's refusal alone holds this one: `/access` may lift that. */
export function mayLift({ gate }: Pick<Account, 'gate'>, operation: string): boolean {
  const cause = gate.blocked(operation)?.operation;
  return cause != null && cause !== operation && cause !== OPERATIONS.access.path;
}
