import { createHash } from 'node:crypto';

/**
 * The name of an account's folder: a hash of base URL and key that reveals neither. Spellings of the same base URL
 * (capitals in the host, a default port, a trailing slash) give the same account.
 */
export function accountId(baseUrl: string, key: string): string {
  const { origin, pathname } = new URL(baseUrl);
  const account = `${origin}${pathname.replace(/\/+$/, '')}\n${key}`;
  return createHash('sha256').update(account).digest('hex').slice(0, 24);
}
