/** What an answer of `/access` tells the ledger: the credits left, what others spent, and which refusals bind no longer. */
import * as v from 'valibot';
import type { Access } from '../api/contract/resources.ts';
import { type Allowances, byAllowance } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { parseApiTime } from '../api/time.ts';
import { DAY, dayNumber, HOUR, MINUTE } from '../base/units.ts';
import { count, dayAt } from './record-usage.ts';
import { AccessCheck, atMost, NOTHING, type SentRequest, type Usage } from './usage.ts';

const ACCESS = OPERATIONS.access.path;
/** `/access` may be an hour late; the minutes are for clocks. */
const ACCESS_LAG = HOUR + 5 * MINUTE;
/** No price is so many times the document's: what is beyond it was spent by another program. */
const IMPLAUSIBLE_PRICE = 5;
/** Milliseconds. */
const LONGEST_MONTH = 31 * DAY;
/** For how long a program that was proved to run elsewhere is taken to go on. */
const NEIGHBOURS_REMEMBERED = 14 * DAY;

export type AccessSaid = Pick<Access, 'credits'> & Partial<Pick<Access, 'expires_at'>> & Allowances;

/** What an answer says of the time since the one before it. */
export interface SinceLastAnswer {
  /** When that one came, epoch milliseconds UTC. */
  readonly from: number;
  /** Requests that all programs here have sent since, the one for this answer among them. */
  readonly requests: number;
  /** Credits used that our own requests do not explain: others spent them, or prices are higher. */
  readonly unexplained: number;
  /** Whether another program is known to run elsewhere. */
  readonly hasNeighbours: boolean;
}

/**
 * Takes in an answer. What it says was used may be an hour old: what was charged here is carried over as `missing` until
 * `used` has grown by it.
 *
 * An example. At 9:00 `used` is 100. Five credits are charged here; at 9:10 `used` is 103. Its growth of 3 is less than
 * our 5: nobody else is known to have spent anything, and 2 of ours are missing. Four more are charged here; at 9:20
 * `used` is 120. Of its growth of 17 the 2 missing ones and the 4 are ours: 11 were spent elsewhere, nothing is missing.
 *
 * @param at when the answer came, epoch milliseconds UTC
 * @returns undefined in a new month, or for the first answer of all
 */
export function recordAccess(
  usage: Usage,
  access: AccessSaid,
  at: number,
): SinceLastAnswer | undefined {
  const before = usage.access;
  const check = v.parse(AccessCheck, { at, ...access });
  const isSameMonth = before !== null && areNear(before.credits.resets_at, check.credits.resets_at);
  const growth = isSameMonth ? Math.max(0, check.credits.used - before.credits.used) : undefined;
  const since =
    growth === undefined || before === null
      ? undefined
      : sinceAnswer(usage, { growth, from: before.at, at });
  if (since !== undefined)
    spreadElsewhere(usage, since.unexplained, { from: since.from, until: at });
  const askedAt = usage.requests.findLast(isAnsweredAccess)?.sent ?? at;
  carryOver(usage, growth, { askedAt, isLagOver: before === null || at - before.at > ACCESS_LAG });
  usage.allowances = byAllowance((field) => access[field]);
  usage.access = check;
  if (access.credits.remaining > 0) {
    for (const hold of usage.holds) if (hold.at <= askedAt) hold.isLifted = true;
  }
  return since;
}

function isAnsweredAccess({ operation, status }: SentRequest): boolean {
  return operation === ACCESS && status === 200;
}

/** Whether two answers mean the same reset: a service may work it out anew each time. */
function areNear(resetsAt: string, other: string): boolean {
  return Math.abs((parseApiTime(resetsAt) ?? 0) - (parseApiTime(other) ?? 0)) <= HOUR;
}

/** @param growth of `used`, in credits @param from when the answer before came, `at` when this one did */
function sinceAnswer(
  usage: Usage,
  { growth, from, at }: { readonly growth: number; readonly from: number; readonly at: number },
): SinceLastAnswer {
  const ours = usage.missing + atMost(usage.sinceAccess);
  const unexplained = Math.max(0, growth - ours);
  if (unexplained > IMPLAUSIBLE_PRICE * ours) usage.neighboursAt = at;
  const { neighboursAt, sinceAccess } = usage;
  return {
    from,
    requests: sinceAccess.requests,
    unexplained,
    hasNeighbours: neighboursAt !== null && at - neighboursAt < NEIGHBOURS_REMEMBERED,
  };
}

/**
 * Works out what `used` does not show yet of what was charged here. Of requests that were over, uncertain credits are no
 * longer counted for the month, since `used` shows what they cost (at most an hour late); the sums of the day keep them.
 * @param growth of `used`, in credits; undefined in a new month
 * @param askedAt when the answer was asked for: what was under way then, it may show or not
 */
function carryOver(
  usage: Usage,
  growth: number | undefined,
  { askedAt, isLagOver }: { readonly askedAt: number; readonly isLagOver: boolean },
): void {
  const underWay = usage.requests.filter(({ ended }) => ended === null || ended > askedAt);
  const chargedUnderWay = costOf(underWay.filter(({ status }) => status === 200));
  const chargedBefore = Math.max(0, usage.sinceAccess.charged - chargedUnderWay);
  // `used` may or may not show what was under way: it counts as not shown.
  let missing = chargedUnderWay;
  if (growth !== undefined) {
    const notShown = Math.max(0, usage.missing + chargedBefore - growth);
    // `/access` is at most an hour late. After that, what was missing before will not be shown any more: it is given up.
    const mayStillBeShown = isLagOver ? chargedBefore : usage.missing + chargedBefore;
    missing += Math.min(mayStillBeShown, notShown);
  }
  usage.missing = missing;
  usage.sinceAccess = { ...NOTHING, uncertain: costOf(underWay) - chargedUnderWay };
}

function costOf(requests: readonly SentRequest[]): number {
  return requests.reduce((total, { cost }) => total + cost, 0);
}

/**
 * Shares out over days what others spent between two answers. The time between them is cut into parts of about 24 hours, and
 * each part belongs to the UTC day in which its middle lies: what a daily run finds in the morning belongs to the day
 * before. Both answers are of one month. If the time between them is longer, a clock has jumped, and all belongs to the last
 * day.
 */
function spreadElsewhere(
  usage: Usage,
  credits: number,
  { from, until }: { readonly from: number; readonly until: number },
): void {
  const between = until - from > LONGEST_MONTH ? 0 : Math.max(0, until - from);
  const parts = Math.max(1, Math.round(between / DAY));
  const length = between / parts;
  for (let part = 0; part < parts; part += 1) {
    // The remainder is the newest days'.
    const share = Math.floor((credits + parts - 1 - part) / parts);
    const middle = until - (part + 0.5) * length;
    if (share > 0) dayAt(usage, dayNumber(middle)).elsewhere += share;
  }
}

/** Credits that were taken for others' were charged here, for more than the document's price. @param at epoch milliseconds UTC */
export function recordOvercharge(usage: Usage, credits: number, at: number): void {
  const charged = usage.requests.findLast(({ cost, status }) => cost > 0 && status === 200);
  if (charged === undefined) return;
  const day = dayAt(usage, dayNumber(at));
  day.elsewhere = Math.max(0, day.elsewhere - credits);
  count(usage, { ...charged, sent: at }, { requests: 0, charged: credits, uncertain: 0 });
  // `count` adds to `sinceAccess`, too, but `used` shows these credits already.
  usage.sinceAccess.charged -= credits;
}
