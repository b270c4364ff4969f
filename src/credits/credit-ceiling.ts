import { timeOf } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import { DAY, durationInWords, pluralize, SECOND } from '../runtime/units.ts';

export type LimitName = 'max_credits' | 'daily' | 'day' | 'month' | 'keep';

/** Credits, as the user set them; undefined is no limit. */
export type Budgets = Readonly<Partial<Record<'maxCredits' | 'keep' | 'daily', number | undefined>>>;

/** @param limits the credits that each of them leaves; Infinity if it is none @returns credits from 0 on */
export function narrowest(limits: Readonly<Partial<Record<LimitName, number>>>) {
  const all = Object.entries(limits) as [LimitName, number][];
  const [limit, credits] = all.reduce((a, b) => (b[1] < a[1] ? b : a));
  return { limit, credits: Math.max(0, credits) };
}

/**
 * That a limit is reached, and what to do. Epoch milliseconds UTC.
 * @param resetsAt of the month's credits; undefined if unknown
 * @returns `until`: when there are more credits, undefined where waiting is of no use; `when`: the same in words
 */
export function reached(limit: LimitName, { maxCredits, keep, daily }: Budgets, now: number, resetsAt?: number) {
  const [midnight, none] = [now - (now % DAY) + DAY, undefined];
  const { what, until, or } = {
    max_credits: { what: `--max-credits ${maxCredits} is reached`, until: none, or: 'Raise --max-credits' },
    keep: { what: `--keep ${keep} is reached`, until: resetsAt, or: 'Lower --keep (or SCREENER_KEEP), or wait' },
    daily: { what: `SCREENER_DAILY=${daily} is reached`, until: midnight, or: 'Raise SCREENER_DAILY, or wait' },
    day: { what: "The day's credits are spent", until: midnight, or: 'Wait' },
    month: { what: "The month's credits are spent", until: resetsAt, or: 'Wait' },
  }[limit];
  const when = until === undefined ? '' : `${timeOf(until)}, in ${durationInWords(until - now)}`;
  return { what, until, when, hint: `${or}${when && ` until ${when}`}.` };
}

/** @param left credits that the budget leaves, requests under way taken off @throws ScreenerError budget_reached */
export function checkBudget(
  limit: 'max_credits' | 'keep' | 'daily',
  budgets: Budgets,
  { left, cost, now, resetsAt }: { left: number; cost: number; now: number; resetsAt?: number | undefined },
): void {
  if (cost <= Math.max(0, left)) return;
  const { what, hint, until } = reached(limit, budgets, now, resetsAt);
  const all = limit === 'keep' ? left + (budgets.keep ?? 0) : Math.max(0, left);
  const ofWhat = { max_credits: 'of it', keep: 'this month', daily: 'today' }[limit];
  const text = `${what}: ${pluralize(all, 'credit')} left ${ofWhat}, and the next request costs ${cost}.`;
  const retryAfter = until && Math.ceil((until - now) / SECOND);
  throw new ScreenerError('budget_reached', text, { hint, retryAfter, retryAt: until });
}
