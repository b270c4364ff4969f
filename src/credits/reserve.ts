import type { Client } from '../api/client.ts';
import { OPERATIONS } from '../api/operations.ts';
import type { Account } from './account.ts';

/** With --keep requests go one by one: `/access` may or may not include one in flight. */
export function guarded(client: Client, account: Account): Client {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...client,
    async call(name, params, signal, how) {
      const { cost, path } = OPERATIONS[name];
      const mayLift = account.mayLift(path);
      if (cost === 0) return client.call(name, params, signal, how ?? (mayLift ? 'probe' : undefined));
      if (mayLift) account.observe(await client.call('access', {}, signal, 'probe'));
      if (account.keep === 0) return client.call(name, params, signal, how);
      const answer = last.then(async () => {
        if (!account.knowsCreditsLeft()) account.observe(await client.call('access', {}, signal));
        return client.call(name, params, signal, how);
      });
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}
