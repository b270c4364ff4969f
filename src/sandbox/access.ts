import type { Access } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import type { Quota } from './quota.ts';

/** `operations` holds names of the sandbox's own: the document shows none. */
export function access(quota: Quota, now: number): Access {
  const { limits } = quota;
  const used = quota.used(now).month;
  const date = new Date(now);
  return {
    beta: true,
    plan: 'PRO',
    expires_at: formatApiTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 1)),
    credits: {
      used,
      limit: limits.monthCredits,
      remaining: Math.max(0, limits.monthCredits - used),
      resets_at: formatApiTime(quota.resetsAt(now)),
    },
    operations: ['access', 'market_snapshot', 'screeners', 'signals', 'signal_detail', 'signal_stats'],
    per_minute: limits.perMinute,
  };
}
