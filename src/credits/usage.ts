import * as v from 'valibot';
import { count } from '../api/contract/primitives.ts';
import { Access } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';
import { matches } from '../base/collections.ts';
import { mean } from '../base/numbers.ts';
import { DAY, dayNumber, HOUR, MINUTE } from '../base/units.ts';

/**
 * A count, a time in epoch milliseconds UTC, or a duration in milliseconds. None is above 8.64e15, the latest time that a Date
 * can hold.
 */
const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

const Spending = v.object({
  requests: amount,
  charged: amount,
  uncertain: amount,
});

const SentRequest = v.object({
  id: v.string(),
  /** The path of the operation. */
  operation: v.string(),
  cost: count,
  isExport: v.optional(v.literal(true)),
  /** Why it was sent although its operation was held. */
  despiteHold: v.optional(v.picklist(['recheck', 'probe'])),
  sent: amount,
  /** --timeout of its command, milliseconds; absent in files that an older program wrote. */
  timeout: v.optional(v.number()),
  /** Null while it is under way. */
  ended: v.nullable(amount),
  /** Null while it is under way, and if the answer was lost. */
  status: v.nullable(count),
});

/** A refusal, 429 or 503, that came at `at`, and after which the client stays away for `millis`. */
const Hold = v.object({
  operation: v.string(),
  at: amount,
  millis: amount,
  status: count,
  /** Set once `/access` says that credits are left: other operations may then be called again, this one is still held. */
  isLifted: v.optional(v.literal(true)),
  /** Set if the answer was no Envelope. A web page, for example, does not come from the service. */
  isForeign: v.optional(v.literal(true)),
});

/** What is kept of an answer of `/access`, and when it came. */
export const AccessCheck = v.object({
  at: amount,
  credits: v.object(Access.entries.credits.entries),
  expires_at: v.optional(v.string()),
  /** The service's time by the answer's Date header, which may be years off: epoch milliseconds UTC; absent without a header. */
  serviceAt: v.exactOptional(v.number()),
});

/** The spending of one UTC day. A request belongs to the day on which it was sent. */
const DaySpending = v.object({
  /** Days since 1970. */
  day: count,
  /** By the path of the operation. */
  operations: v.record(v.string(), Spending),
  /** Credits that other programs and machines spent. */
  elsewhere: amount,
  /** Credits that exports were charged, but for those of requests that failed; `operations` has them, too. */
  exports: v.optional(amount, 0),
});

/** Credits of failed requests that an answer of `/access`, asked for at `at`, did not show as used. A later answer may. */
const NotShown = v.object({
  /** Days since 1970. */
  day: count,
  /** The path of the operation. */
  operation: v.string(),
  credits: count,
  at: amount,
});

export const NO_SPENDING: Readonly<Spending> = { requests: 0, charged: 0, uncertain: 0 };

/** What one account has spent, as far as this machine knows. `v.parse(Usage, {})` is the usage of a new account. */
export const Usage = v.object({
  /** The latest time of a change. A clock that shows an earlier one was set back. */
  latest: v.optional(amount, 0),
  requests: v.optional(v.array(SentRequest), []),
  /** For each operation at most one hold without `isLifted`: the longest. */
  holds: v.optional(v.array(Hold), []),
  /** The last `times` requests of `/access` failed, the latest at `at`; null once it is answered. */
  accessRefused: v.optional(
    v.nullable(v.object({ at: amount, times: count, status: count })),
    null,
  ),
  /** How many requests a minute are allowed, learnt from a 429 that pacing did not foresee. It counts for an hour. */
  strict: v.optional(v.nullable(v.object({ at: amount, allowance: count })), null),
  access: v.optional(v.nullable(AccessCheck), null),
  /** Credits spent here since `access` came. */
  sinceAccess: v.optional(Spending, NO_SPENDING),
  /** Surely charged: credits of requests before `access` came, which its `used` does not show yet. */
  missing: v.optional(amount, 0),
  /** Perhaps charged: credits of failed requests, which a later answer of `/access` may show. Those of older answers come first. */
  notShown: v.optional(v.array(NotShown), []),
  /** Requests that each window allows, by its field of `/access`. A field that is missing has the document's value. */
  allowances: v.optional(v.record(v.string(), count), {}),
  days: v.optional(v.array(DaySpending), []),
  /** When `/access` last showed more credits used than this machine can have spent: a program elsewhere spent them. */
  neighboursAt: v.optional(v.nullable(amount), null),
  /** When the file could not be read, and a new one was begun. What was spent before is not known. */
  lostAt: v.optional(v.nullable(amount), null),
});

export type Usage = v.InferOutput<typeof Usage>;
export type Spending = v.InferOutput<typeof Spending>;
export type SentRequest = v.InferOutput<typeof SentRequest>;
export type Hold = v.InferOutput<typeof Hold>;
export type NotShown = v.InferOutput<typeof NotShown>;
export type DaySpending = v.InferOutput<typeof DaySpending>;

/**
 * Adds to a sum. The sum does not go below 0: a request that never left is subtracted, but an answer of `/access` may have set
 * the sum to 0 before that.
 */
export function add(sum: Spending, by: Spending): void {
  for (const key of ['requests', 'charged', 'uncertain'] as const)
    sum[key] = Math.max(0, sum[key] + by[key]);
}

/** Adds credits to those of an operation. */
export function addTo(sums: Map<string, number>, operation: string, credits: number): void {
  sums.set(operation, (sums.get(operation) ?? 0) + credits);
}

/** Credits that are spent, or may be. */
export function spentAtMost(
  spending: Pick<Spending, 'charged' | 'uncertain'> = NO_SPENDING,
): number {
  return spending.charged + spending.uncertain;
}

/** What was spent here on a day. @param day days since 1970, UTC */
export function spentOn({ days }: Pick<Usage, 'days'>, day: number): Spending {
  return spentIn(days.find((entry) => entry.day === day)?.operations ?? {});
}

/** What was spent here on some days. @param first the first of them, days since 1970, UTC @param last the last of them */
export function spentWithin({ days }: Pick<Usage, 'days'>, first: number, last: number): Spending {
  const total = { ...NO_SPENDING };
  for (const { day, operations } of days) {
    if (day >= first && day <= last) add(total, spentIn(operations));
  }
  return total;
}

/** Credits spent on a UTC day, as every page says it. */
export interface SpentOfDay {
  /** Those charged, and those only possibly charged. */
  readonly spent: number;
  /** Those of `spent` that are only possibly charged: their requests failed. */
  readonly possiblySpent: number;
}

/**
 * Works out what was possibly charged: the uncertain credits, but at most what the charged ones leave of the day's limit. With
 * 195 charged, 10 uncertain and a limit of 200, 5 are possibly charged.
 * @param limit the service's daily limit, credits; undefined if it is not documented for the account
 */
export function spentOfDay(
  { charged, uncertain }: Spending,
  limit: number | undefined,
): SpentOfDay {
  const left = limit === undefined ? uncertain : Math.max(0, limit - charged);
  const possiblySpent = Math.min(uncertain, left);
  return { spent: charged + possiblySpent, possiblySpent };
}

/** The sum of what was spent on all operations. */
export function spentIn(operations: DaySpending['operations']): Spending {
  const total = { ...NO_SPENDING };
  for (const spending of Object.values(operations)) add(total, spending);
  return total;
}

/** How many days show what is usual. They are whole weeks, because traders rest at weekends. */
const HABIT_DAYS = 14;

/**
 * What is usually spent on a day, by the last 14 whole UTC days: the mean since spending last changed clearly. If it did not
 * change, it is the mean of all, with the largest day counted as the second largest. (Simulated with 17 kinds of neighbours over 60
 * mornings: 6 % of the forecasts made from it are wrong by more than a tenth of the month. With a plain mean 12 % are. With
 * the larger of the medians of 3 and of 14 days 33 % are: it takes each weekend for a change.)
 * @param today days since 1970, UTC
 * @param creditsOf the credits of a day that has an entry
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
  const length = Math.min(HABIT_DAYS, wholeDays);
  const creditsOfDays = Array.from({ length }, (_, i) => credits.get(today - 1 - i) ?? 0);
  return mean(sinceChange(creditsOfDays) ?? withoutBurst(creditsOfDays));
}

/**
 * The days since spending changed: the longest run of latest days, two or more, that are all above, or all below, every earlier
 * day. Of 9, 8, 2, 3, 2 (the newest first) this run is 9 and 8.
 * @returns undefined if spending has not changed
 */
function sinceChange(credits: readonly number[]): readonly number[] | undefined {
  for (let length = credits.length - 1; length >= 2; length -= 1) {
    const since = credits.slice(0, length);
    const before = credits.slice(length);
    const isMore = Math.min(...since) > Math.max(...before);
    const isLess = Math.max(...since) < Math.min(...before);
    if (isMore || isLess) return since;
  }
  return undefined;
}

/** The largest day counts as the second largest: what was done once is no habit. 9, 2, 3 become 3, 3, 2. */
function withoutBurst(credits: readonly number[]): readonly number[] {
  if (credits.length === 1) return credits;
  const [, second = 0, ...others] = credits.toSorted((a, b) => b - a);
  return [second, second, ...others];
}

/**
 * Credits left this month; undefined if `/access` was never answered, or if the month was reset since. An answer that came after
 * its own `resets_at` counts for the present month: this machine's clock may be ahead.
 */
export function monthLeft(
  { access, sinceAccess, missing }: Usage,
  now: number,
): number | undefined {
  if (access === null) return undefined;
  // A time that cannot be read counts as never: the answer then holds for the present month.
  const resetsAt = parseApiTime(access.credits.resets_at) ?? Number.POSITIVE_INFINITY;
  const isReset = access.at < resetsAt && resetsAt <= now;
  if (isReset) return undefined;
  return Math.max(0, access.credits.remaining - missing - spentAtMost(sinceAccess));
}

/**
 * What was possibly charged since the last answer of `/access`: the uncertain credits, but at most what the charged ones
 * leave of the month. With 1 credit left and 3 uncertain, 1 is possibly charged.
 */
export function possiblySpentOfMonth({ access, sinceAccess, missing }: Usage): number {
  const { charged, uncertain } = sinceAccess;
  if (access === null) return uncertain;
  const left = Math.max(0, access.credits.remaining - missing - charged);
  return Math.min(uncertain, left);
}

/** The greatest age of the numbers in an answer of `/access`, milliseconds: an hour, and five minutes because clocks differ. */
export const ACCESS_LAG = HOUR + 5 * MINUTE;

/**
 * Credits that failed requests may have cost, and that answers of `/access` may still show. The user's budgets count them as
 * spent. The API's own limits do not: the service keeps those itself.
 * @param day days since 1970, UTC; undefined for all days
 */
export function notShownYet(
  { notShown }: Pick<Usage, 'notShown'>,
  now: number,
  day?: number,
): number {
  const ofDay = notShown.filter((entry) => matches(entry.day, day) && entry.at + ACCESS_LAG > now);
  return sumOfCredits(ofDay);
}

export function sumOfCredits(entries: readonly Pick<NotShown, 'credits'>[]): number {
  return entries.reduce((total, { credits }) => total + credits, 0);
}

/** How long an answer of `/access` counts as new, milliseconds. After that others may have spent credits. */
export const ACCESS_RECENT = 5 * MINUTE;

/** The last answer of `/access`; undefined if there is none, or if it is 5 minutes old or older. */
export function recentAccess(
  { access }: Pick<Usage, 'access'>,
  now: number,
): NonNullable<Usage['access']> | undefined {
  return access !== null && now - access.at < ACCESS_RECENT ? access : undefined;
}

/** How many days the longest month has. */
const LONGEST_MONTH_DAYS = 31;

/** When the month is reset, epoch milliseconds UTC: at most 31 days from now, whatever the service says. An unreadable time is now. */
export function resetOf({ resets_at }: { readonly resets_at: string }, now: number): number {
  return Math.min(parseApiTime(resets_at) ?? now, now + LONGEST_MONTH_DAYS * DAY);
}

/** The month by the ledger alone. */
export interface MonthByLedger {
  /** Credits left. */
  readonly left: number;
  /** Epoch milliseconds UTC. */
  readonly resetsAt: number;
}

/**
 * The month as it is reckoned if `/access` is not answered. It has 31 days. It begins with the reset that `/access` announced
 * last, if that reset has come, but at most 30 days ago. Without such a reset it begins with the first of the last 31 days on
 * which credits were spent.
 */
export function monthByLedger(
  { access, days }: Pick<Usage, 'access' | 'days'>,
  now: number,
): MonthByLedger {
  const today = dayNumber(now);
  const reset = access === null ? undefined : dayNumber(resetOf(access.credits, now));
  const isReset = reset !== undefined && reset <= today;
  const earliest = Math.max(today - LONGEST_MONTH_DAYS + 1, isReset ? reset : 0);
  const daysOfMonth = days.filter(({ day }) => day >= earliest && day <= today);
  const spent = daysOfMonth.reduce(
    (sum, { elsewhere, operations }) => sum + elsewhere + spentAtMost(spentIn(operations)),
    0,
  );
  const first = isReset ? earliest : Math.min(today, ...daysOfMonth.map(({ day }) => day));
  const limit = access?.credits.limit ?? LIMITS.creditsPerMonth;
  return { left: Math.max(0, limit - spent), resetsAt: (first + LONGEST_MONTH_DAYS) * DAY };
}
