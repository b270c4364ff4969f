import type { Client } from '../api/client.ts';
import type { Access } from '../api/contract/resources.ts';
import { OPERATIONS } from '../api/operations.ts';
import type { Account } from './account.ts';

/**
 * A client whose account hears every answer of `/access`. With --keep requests go one by one: `/access` may or may not
 * include one in flight.
 */
export function guarded(client: Client, account: Account): Client {
  let last: Promise<unknown> = Promise.resolve();
  const guard: Client = {
    ...client,
    async call(name, params, signal, how) {
      const probe = mayLift(account, OPERATIONS[name].path) ? 'probe' : undefined;
      if (name === 'access') {
        const access = await client.call(name, params, signal, how ?? probe);
        account.observe(access as Access);
        return access;
      }
      if (probe !== undefined) await guard.call('access', {}, signal, probe);
      if (account.keep === 0) return client.call(name, params, signal, how);
      const answer = last.then(async () => {
        if (!account.knowsCreditsLeft()) await guard.call('access', {}, signal);
        return client.call(name, params, signal, how);
      });
      last = answer.catch(() => undefined);
      return answer;
    },
  };
  return guard;
}

/** Whether another operation's refusal alone holds this one: `/access` may lift that. */
export function mayLift({ gate }: Pick<Account, 'gate'>, operation: string): boolean {
  const cause = gate.blocked(operation)?.operation;
  return cause != null && cause !== operation && cause !== OPERATIONS.access.path;
}
