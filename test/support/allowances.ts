import { type Allowances, byAllowance } from '../../src/api/limits.ts';

/** What `/access` may announce: so many requests a minute, and in any longer window more than a test sends. */
export function aMinute(requests: number): Allowances {
  return { ...byAllowance(() => 1_000_000), per_minute: requests };
}
