import type { Access } from '../api/contract/resources.ts';
import type { Connection } from '../credits/account.ts';
import { type Invocation, withProgress } from './invocation.ts';

/** Asks `/access` (free) for the month's credits before some are spent, and lets the account know. */
export async function askCreditsLeft(
  invocation: Pick<Invocation, 'notes'>,
  { client, account }: Connection,
): Promise<Access['credits']> {
  const access = await withProgress(invocation, 'Asking for the credits left', client.call('access', {}));
  account.observe(access);
  return access.credits;
}

/** As `askCreditsLeft`, unless this machine knows them. */
export async function knowCreditsLeft(invocation: Pick<Invocation, 'notes'>, connection: Connection): Promise<void> {
  if (!connection.account.knowsCreditsLeft()) await askCreditsLeft(invocation, connection);
}
