import { hash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * The name of an account's folder: a hash of base URL and key that reveals neither. Spellings of the same base URL
 * (capitals in the host, a default port, a trailing slash) give the same account.
 */
export function accountId(baseUrl: string, key: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return hash('sha256', `${origin}${pathname.replace(/\/+$/, '')}\n${key}`).slice(0, 24);
}

/**
 * Where a process id is valid: this machine and, on Linux, this namespace of processes. Containers that share a state
 * directory do not see each other's processes, and must not take them for dead.
 */
export function place(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux, or /proc is closed to this process: the name of the machine has to do.
  }
  return `${hostname()} ${namespace}`;
}
