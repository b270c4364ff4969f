import * as v from 'valibot';
import { count } from '../api/contract/primitives.ts';
import { Access } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';
import { mean } from '../base/numbers.ts';
import { DAY, dayNumber } from '../base/units.ts';

/** Times in epoch milliseconds UTC, durations in milliseconds: up to what a Date can hold. */
const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

const Spending = v.object({
  requests: amount,
  charged: amount,
  uncertain: amount,
});

const SentRequest = v.object({
  id: v.string(),
  operation: v.string(),
  cost: count,
  isExport: v.optional(v.literal(true)),
  despiteHold: v.optional(v.picklist(['recheck', 'probe'])),
  sent: amount,
  ended: v.nullable(amount),
  status: v.nullable(count),
});

/** A 429 or 503 of `at` said to stay away for `millis`. */
const Hold = v.object({
  operation: v.string(),
  at: amount,
  millis: amount,
  status: count,
  /** `/access` said since that credits are left: only the operation itself is held. */
  isLifted: v.optional(v.literal(true)),
});

export const AccessCheck = v.object({
  at: amount,
  credits: v.object(Access.entries.credits.entries),
  expires_at: v.optional(v.string()),
});

/** The spending of one UTC day (`day`: days since 1970), by the time of sending. */
const DaySpending = v.object({
  day: count,
  operations: v.record(v.string(), Spending),
  elsewhere: amount,
  exports: v.optional(amount, 0),
});

export const NOTHING: Readonly<Spending> = { requests: 0, charged: 0, uncertain: 0 };

/** What one account spent on this machine; `v.parse(Usage, {})` is of one that is new. */
export const Usage = v.object({
  /** A clock that says less was set back. */
  latest: v.optional(amount, 0),
  requests: v.optional(v.array(SentRequest), []),
  /** The longest of each operation, of those that are lifted and of the others. */
  holds: v.optional(v.array(Hold), []),
  /** `/access` was refused at its last `times` turns, the latest of which was `at`; null once it answers. */
  accessRefused: v.optional(
    v.nullable(v.object({ at: amount, times: count, status: count })),
    null,
  ),
  /** Requests a minute, learnt from a 429 that pacing did not foresee: for an hour. */
  strict: v.optional(v.nullable(v.object({ at: amount, allowance: count })), null),
  access: v.optional(v.nullable(AccessCheck), null),
  /** Credits spent here since `access`; its `used` may hold the `uncertain` ones. */
  sinceAccess: v.optional(Spending, NOTHING),
  /** Credits charged before `access` that its `used` does not show yet. */
  missing: v.optional(amount, 0),
  /** Requests of each window, by its field of `/access`; the document's until it was asked. */
  allowances: v.optional(v.record(v.string(), count), {}),
  days: v.optional(v.array(DaySpending), []),
  /** When credits went that only another program can have spent. */
  neighboursAt: v.optional(v.nullable(amount), null),
  /** When the file could not be read, and was begun anew: what was spent before is not known. */
  lostAt: v.optional(v.nullable(amount), null),
});

export type Usage = v.InferOutput<typeof Usage>;
export type Spending = v.InferOutput<typeof Spending>;
export type SentRequest = v.InferOutput<typeof SentRequest>;
export type Hold = v.InferOutput<typeof Hold>;
export type DaySpending = v.InferOutput<typeof DaySpending>;

/** No sum goes below 0: a turn may be given back after the check of `/access` that took it in. */
export function add(sum: Spending, by: Spending): void {
  for (const key of ['requests', 'charged', 'uncertain'] as const)
    sum[key] = Math.max(0, sum[key] + by[key]);
}

/** Credits that are gone, or may be. */
export function atMost(spending: Pick<Spending, 'charged' | 'uncertain'> = NOTHING): number {
  return spending.charged + spending.uncertain;
}

export function spentOn({ days }: Pick<Usage, 'days'>, day: number): Spending {
  return spentIn(days.find((entry) => entry.day === day)?.operations ?? {});
}

/** Credits that are gone, or may be, from one day to another, both of them included. */
export function spentSince({ days }: Pick<Usage, 'days'>, first: number, last: number): number {
  const within = days.filter(({ day }) => day >= first && day <= last);
  return within.reduce((sum, { operations }) => sum + atMost(spentIn(operations)), 0);
}

export function spentIn(operations: DaySpending['operations']): Spending {
  const total = { ...NOTHING };
  for (const spending of Object.values(operations)) add(total, spending);
  return total;
}

/** Whole weeks, because traders rest at weekends. */
const HABIT_DAYS = 14;

/**
 * What is usually spent on a day, told from the last 14 whole UTC days: their mean since the last change, and without a
 * burst. (Of 17 kinds of neighbours over 60 mornings, .06 of the forecasts made from it are wrong by more than a tenth of
 * the month; .12 from a plain mean, .33 from the larger of the medians of 3 and of 14 days, which takes each weekend, and
 * every second day, for a change.)
 * @param creditsOf of a day with any spending
 * @returns credits; undefined before the first whole day
 */
export function usualPerDay(
  days: readonly DaySpending[],
  today: number,
  creditsOf: (day: DaySpending) => number,
): number | undefined {
  const credits = new Map(days.map((entry) => [entry.day, creditsOf(entry)]));
  const wholeDays = today - Math.min(today, ...credits.keys());
  if (wholeDays === 0) return undefined;
  const count = Math.min(HABIT_DAYS, wholeDays);
  const recent = Array.from({ length: count }, (_, i) => credits.get(today - 1 - i) ?? 0);
  return mean(sinceChange(recent) ?? withoutBurst(recent));
}

/** The latest days, two at least, that all lie above, or all below, those before. @param credits the newest day first */
function sinceChange(credits: readonly number[]): readonly number[] | undefined {
  for (let count = credits.length - 1; count >= 2; count -= 1) {
    const since = credits.slice(0, count);
    const before = credits.slice(count);
    const isMore = Math.min(...since) > Math.max(...before);
    const isLess = Math.max(...since) < Math.min(...before);
    if (isMore || isLess) return since;
  }
  return undefined;
}

/** The largest day counts as much as the second largest: what was done once is no habit. */
function withoutBurst(credits: readonly number[]): readonly number[] {
  if (credits.length === 1) return credits;
  const [, second = 0, ...others] = credits.toSorted((a, b) => b - a);
  return [second, second, ...others];
}

/**
 * Credits left this month; undefined if `/access` was never asked, or if the month was reset since. An answer that came
 * after its own `resets_at` counts: this machine's clock may be ahead.
 */
export function monthLeft(
  { access, sinceAccess, missing }: Usage,
  now: number,
): number | undefined {
  if (access === null) return undefined;
  const resetsAt = parseApiTime(access.credits.resets_at) ?? Number.POSITIVE_INFINITY;
  const isReset = access.at < resetsAt && resetsAt <= now;
  if (isReset) return undefined;
  return Math.max(0, access.credits.remaining - missing - atMost(sinceAccess));
}

/** Epoch milliseconds UTC: never later than a month can be long. */
export function resetOf({ resets_at }: { readonly resets_at: string }, now: number): number {
  return Math.min(parseApiTime(resets_at) ?? now, now + 31 * DAY);
}

const LONGEST_MONTH = 31;

export interface MonthByLedger {
  /** Credits. */
  readonly left: number;
  /** Epoch milliseconds UTC. */
  readonly resetsAt: number;
}

/**
 * The month where `/access` does not say it: 31 days from the reset that it announced, or from the first day with any
 * spending.
 */
export function monthByLedger(
  { access, days }: Pick<Usage, 'access' | 'days'>,
  now: number,
): MonthByLedger {
  const today = dayNumber(now);
  const reset = access === null ? undefined : dayNumber(resetOf(access.credits, now));
  const isReset = reset !== undefined && reset <= today;
  const earliest = Math.max(today - LONGEST_MONTH + 1, isReset ? reset : 0);
  const recent = days.filter(({ day }) => day >= earliest && day <= today);
  const spent = recent.reduce(
    (sum, { elsewhere, operations }) => sum + elsewhere + atMost(spentIn(operations)),
    0,
  );
  const first = isReset ? earliest : Math.min(today, ...recent.map(({ day }) => day));
  const limit = access?.credits.limit ?? LIMITS.creditsPerMonth;
  return { left: Math.max(0, limit - spent), resetsAt: (first + LONGEST_MONTH) * DAY };
}
