import { createHash } from 'node:crypto';

/** An account's name: a hash that reveals neither base URL nor key, whatever the URL's spelling. */
export function accountId(baseUrl: string, key: string): string {
  const { origin, pathname } = new URL(baseUrl);
  const account = `${origin}${pathname.replace(/\/+$/, '')}\n${key}`;
  return createHash('sha256').update(account).digest('hex').slice(0, 24);
}
