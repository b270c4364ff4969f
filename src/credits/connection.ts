import type { Client } from '../api/client.ts';
import type { Account } from './account.ts';

/** One account of the service, ready to be asked: the client sends nothing its account does not allow. */
export interface Connection {
  readonly client: Client;
  readonly account: Account;
}
