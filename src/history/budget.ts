/**
 * What an export run may still spend: it stops by itself before a request that would go beyond.
 */

import { LIMITS } from '../api/limits.ts';
import type { Account, Spending } from '../credits/types.ts';

/** Which limit forbids the next credit. */
export type Limit = 'max_credits' | 'day' | 'month';

export interface Budget {
  /** Credits left under the narrowest limit; never negative. */
  left(): number;
  /** The narrowest limit. */
  narrowest(): Limit;
}

/** Credits that are gone, or may be: the document does not say whether failed requests count. */
export function atMost(spending: Spending): number {
  return spending.charged + spending.uncertain;
}

/**
 * @param remaining credits left this month as `/access` has just said, or undefined where it was not asked
 * @param maxCredits the ceiling of this invocation
 */
export function makeBudget(account: Account, remaining: number | undefined, maxCredits: number | undefined): Budget {
  const spentBefore = atMost(account.spent());
  const limits = (): [Limit, number][] => {
    const spent = atMost(account.spent());
    return [
      ['max_credits', (maxCredits ?? Number.POSITIVE_INFINITY) - spent],
      ['day', LIMITS.creditsPerDay - atMost(account.today())],
      ['month', (remaining ?? Number.POSITIVE_INFINITY) - (spent - spentBefore)],
    ];
  };
  const narrowest = () => limits().reduce((a, b) => (b[1] < a[1] ? b : a));
  return {
    left: () => Math.max(0, narrowest()[1]),
    narrowest: () => narrowest()[0],
  };
}
