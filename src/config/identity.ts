import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The name of an account's folder: a hash of base URL and key that reveals neither. Spellings of the same base URL
 * (capitals in the host, a default port, a trailing slash) give the same account.
 *
 * Node's own hash would bring all of node:crypto, some 4 ms at every start. Only TLS needs more of it, and brings it.
 */
export function accountId(baseUrl: string, key: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return bytesToHex(sha256(utf8ToBytes(`${origin}${pathname.replace(/\/+$/, '')}\n${key}`))).slice(0, 24);
}
