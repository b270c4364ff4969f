/**
 * What an export run may still spend: it stops by itself before a request that would go beyond.
 */

import type { Account } from '../credits/account.ts';
import { atMost, creditsLeft, type LimitName } from '../credits/credit-ceiling.ts';

export interface Budget {
  /** Credits left under the narrowest limit; never negative. */
  left(): number;
  /** The narrowest limit. */
  narrowest(): LimitName;
}

/**
 * @param remaining credits left this month as `/access` has just said, or undefined where it was not asked
 * @param maxCredits the ceiling of this invocation
 * @param keep credits of the month that stay untouched
 */
export function makeBudget(
  account: Account,
  remaining: number | undefined,
  maxCredits: number | undefined,
  keep = 0,
): Budget {
  const spentBefore = atMost(account.spent());
  const left = () => {
    const spent = account.spent();
    const month = remaining === undefined ? undefined : remaining - (atMost(spent) - spentBefore);
    return creditsLeft({ maxCredits, keep, spent, today: account.today(), month });
  };
  return { left: () => left().credits, narrowest: () => left().limit };
}
