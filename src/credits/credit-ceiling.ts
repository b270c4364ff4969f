import { ScreenerError } from '../errors.ts';
import { DAY, durationInWords, pluralize, SECOND } from '../runtime/units.ts';

export type LimitName = 'max_credits' | 'daily' | 'day' | 'month' | 'keep';

/** @param limits the credits that each of them leaves; Infinity if it is none @returns credits from 0 on */
export function narrowest(limits: Readonly<Partial<Record<LimitName, number>>>) {
  const all = Object.entries(limits) as [LimitName, number][];
  const [limit, credits] = all.reduce((a, b) => (b[1] < a[1] ? b : a));
  return { limit, credits: Math.max(0, credits) };
}

/** @param spent by this invocation, requests that wait for their turn included @throws ScreenerError budget_reached */
export function checkCeiling(maxCredits: number, spent: number, cost: number): void {
  const left = Math.max(0, maxCredits - spent);
  if (cost <= left) return;
  const text = `--max-credits ${maxCredits} leaves ${left}, and the next request costs ${cost}.`;
  const hint = 'Raise --max-credits, or continue later from where this stopped.';
  throw new ScreenerError('budget_reached', text, { hint });
}

/** @param left credits of the month, those under way taken off; undefined if unknown @throws ScreenerError budget_reached */
export function checkReserve(keep: number, left: number | undefined, cost: number): void {
  if (keep === 0 || cost === 0 || left === undefined || left - cost >= keep) return;
  const text = `${pluralize(left, 'credit')} left this month, and the next request costs ${cost}.`;
  const hint = 'Lower --keep (or SCREENER_KEEP), or wait until the credits reset.';
  throw new ScreenerError('budget_reached', `--keep ${keep} is reached: ${text}`, { hint });
}

/** @param spent by all programs here today, requests under way included @throws ScreenerError budget_reached */
export function checkDaily(daily: number, spent: number, cost: number, now: number): void {
  const left = Math.max(0, daily - spent);
  if (cost <= left) return;
  const isSpent = `The day's ${daily} of SCREENER_DAILY are spent`;
  const text = left === 0 ? isSpent : `SCREENER_DAILY leaves ${left} of ${daily}, and the next request costs ${cost}`;
  const wait = DAY - (now % DAY);
  const hint = 'Wait until then, or raise SCREENER_DAILY.';
  const details = { hint, retryAfter: Math.ceil(wait / SECOND), retryAt: now + wait };
  throw new ScreenerError('budget_reached', `${text}; more from 00:00 UTC, in ${durationInWords(wait)}.`, details);
}
