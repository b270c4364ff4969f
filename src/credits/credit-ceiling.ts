import { LIMITS } from '../api/limits.ts';
import { timeOf } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import { dayNumber, durationInWords, nextDay, SECOND } from '../runtime/units.ts';
import type { UnknownSpending } from './ledger.ts';
import { atMost, monthLeft, resetOf, type Spending, spentOn, type Usage } from './usage.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

export type LimitName = keyof ReturnType<typeof limitsOf>;

/** Credits, as the user set them; undefined is no limit. */
export type Budgets = Readonly<
  Partial<Record<'maxCredits' | 'keep' | 'daily', number | undefined>>
>;

/** The credits that each limit leaves; Infinity if it is none. @param spent by this command */
export function limitsOf(usage: Usage, budgets: Budgets, spent: Spending, now: number) {
  const { maxCredits = NO_LIMIT, daily = NO_LIMIT, keep } = budgets;
  const month = monthLeft(usage, now) ?? NO_LIMIT;
  // That the API's day turns at UTC midnight is an assumption.
  const today = atMost(spentOn(usage, dayNumber(now)));
  return {
    max_credits: maxCredits - atMost(spent),
    daily: daily - today,
    day: LIMITS.creditsPerDay - today,
    month,
    keep: keep ? month - keep : NO_LIMIT,
  };
}

/** @returns credits from 0 on */
export function narrowest(limits: Readonly<Partial<Record<LimitName, number>>>) {
  const all = Object.entries(limits) as [LimitName, number][];
  const [limit, credits] = all.reduce((a, b) => (b[1] < a[1] ? b : a));
  return { limit, credits: Math.max(0, credits) };
}

/**
 * That a limit is reached, and what to do. Epoch milliseconds UTC.
 * @returns `until`: when there are more credits, undefined where waiting is of no use; `when`: the same in words
 */
export function reached(
  limit: LimitName,
  { maxCredits, keep, daily }: Budgets,
  { access }: Pick<Usage, 'access'>,
  now: number,
) {
  const midnight = nextDay(now);
  const reset = access === null ? undefined : resetOf(access.credits, now);
  const { what, until, or } = {
    max_credits: {
      what: `--max-credits ${maxCredits} is reached`,
      until: undefined,
      or: 'Raise --max-credits',
    },
    keep: {
      what: `--keep ${keep} is reached`,
      until: reset,
      or: 'Lower --keep (or SCREENER_KEEP), or wait',
    },
    daily: {
      what: `SCREENER_DAILY=${daily} is reached`,
      until: midnight,
      or: 'Raise SCREENER_DAILY, or wait',
    },
    day: { what: "The day's credits are spent", until: midnight, or: 'Wait' },
    month: { what: "The month's credits are spent", until: reset, or: 'Wait' },
  }[limit];
  const when = until === undefined ? '' : whenInWords(until, now);
  return { what, until, when, hint: `${or}${when && ` until ${when}`}.` };
}

/** @returns what to throw where the spending is unknown that a budget is about; undefined if there is no such budget */
export function budgetUnknown(
  { reason, until }: UnknownSpending,
  { keep, daily }: Budgets,
  now: number,
): ScreenerError | undefined {
  if (daily === undefined && !keep) return undefined;
  const budget = daily === undefined ? `--keep ${keep}` : `SCREENER_DAILY=${daily}`;
  const option = daily === undefined ? '--keep (SCREENER_KEEP)' : 'SCREENER_DAILY';
  const remedy = until === undefined ? 'Mend it' : `Wait until ${whenInWords(until, now)}`;
  return new ScreenerError(
    'budget_unknown',
    `${budget} cannot be kept: ${reason}, so what was spent today is not known.`,
    {
      hint: `${remedy}, or leave out ${option}.`,
      retryAt: until,
      retryAfter: secondsUntil(until, now),
    },
  );
}

function whenInWords(until: number, now: number): string {
  return `${timeOf(until)}, in ${durationInWords(until - now)}`;
}

/** Rounded up; undefined for never. */
export function secondsUntil(until: number | undefined, now: number): number | undefined {
  return until === undefined ? undefined : Math.ceil((until - now) / SECOND);
}
