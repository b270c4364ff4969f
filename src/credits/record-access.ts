/** What an answer of `/access` tells the ledger: the credits left, what others spent, and which refusals are over. */
import * as v from 'valibot';
import type { Access } from '../api/contract/resources.ts';
import { type Allowances, byAllowance } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { parseApiTime } from '../api/time.ts';
import { DAY, dayNumber, HOUR } from '../base/units.ts';
import { addSpending, dayAt } from './record-usage.ts';
import {
  ACCESS_LAG,
  AccessCheck,
  NO_SPENDING,
  type NotShown,
  type SentRequest,
  spentAtMost,
  sumOfCredits,
  type Usage,
} from './usage.ts';

const ACCESS = OPERATIONS.access.path;
/**
 * If more than this many times the credits that were spent here are unexplained, another program spent them: no price is that
 * much higher than the document's.
 */
export const IMPLAUSIBLE_PRICE = 5;
/** No two answers of one month lie further apart, milliseconds. */
const LONGEST_MONTH = 31 * DAY;
/** How long a program that runs elsewhere is remembered after it was last seen to spend, milliseconds. */
const NEIGHBOURS_REMEMBERED = 14 * DAY;

/** What is learnt from an answer of `/access`. */
export interface AccessLesson {
  /** Undefined for the first answer of the month, and for the first answer ever. */
  readonly since: SinceLastAnswer | undefined;
  /** Credits of failed requests that the answer shows as used: before it, they were only possibly charged. */
  readonly chargedOfFailed: number;
}

/** The parts of an answer of `/access` that the ledger needs. */
export type AccessSaid = Pick<Access, 'credits'> & Partial<Pick<Access, 'expires_at'>> & Allowances;

/** What an answer says of the time since the one before it. */
export interface SinceLastAnswer {
  /** When the answer before came, epoch milliseconds UTC. */
  readonly from: number;
  /** Requests that all programs on this machine have sent since then, with the one for this answer. */
  readonly requests: number;
  /** Credits used that the requests of this machine do not explain: others spent them, or prices are higher. */
  readonly unexplained: number;
  /** Whether another program of the account is known to run elsewhere. */
  readonly hasNeighbours: boolean;
}

/**
 * Takes in an answer. Its `used` may be an hour old. Credits that were charged here and are not in `used` yet are kept as
 * `missing`.
 *
 * An example. At 9:00 `used` is 100. Five credits are charged here; at 9:10 `used` is 103. Its growth of 3 is less than
 * our 5: no other program is known to have spent anything, and 2 of ours are missing. Four more are charged here; at 9:20
 * `used` is 120. It has grown by 17 credits: 6 of them are ours (the 2 missing ones and these 4), and 11 were spent elsewhere.
 * Nothing is missing.
 *
 * @param at when the answer came, epoch milliseconds UTC
 * @param serviceAt the same by the service's Date header; undefined if there was none
 */
export function recordAccess(
  usage: Usage,
  access: AccessSaid,
  at: number,
  serviceAt?: number,
): AccessLesson {
  const answerBefore = usage.access;
  const { credits, expires_at } = access;
  // Only these fields are taken: an undocumented field of the answer could have the name of a field of the ledger.
  const check = v.parse(AccessCheck, {
    at,
    credits,
    expires_at,
    ...(serviceAt !== undefined && { serviceAt }),
  });
  // If the ledger does not know the request, the time of the answer is taken.
  const askedAt = usage.requests.findLast(isAnsweredAccess)?.sent ?? at;
  const isLagOver = answerBefore === null || at - answerBefore.at > ACCESS_LAG;
  let usedGrowth: number | undefined;
  let since: SinceLastAnswer | undefined;
  if (
    answerBefore !== null &&
    isSameReset(answerBefore.credits.resets_at, check.credits.resets_at)
  ) {
    // If `used` fell, the service corrected it: that is no growth.
    usedGrowth = Math.max(0, check.credits.used - answerBefore.credits.used);
    since = sinceAnswer(usage, { usedGrowth, from: answerBefore.at, at });
    spreadElsewhere(usage, since.unexplained, { from: since.from, until: at });
  }
  const chargedOfFailed = carryOver(usage, usedGrowth, {
    used: check.credits.used,
    askedAt,
    isLagOver,
  });
  usage.allowances = byAllowance((field) => access[field]);
  usage.access = check;
  if (access.credits.remaining > 0) {
    for (const hold of usage.holds) {
      // A refusal that came after this answer was asked for still holds all operations.
      if (hold.at <= askedAt) hold.isLifted = true;
    }
  }
  return { since, chargedOfFailed };
}

function isAnsweredAccess({ operation, status }: SentRequest): boolean {
  return operation === ACCESS && status === 200;
}

/** Whether two answers mean the same reset. The times may differ by a little, if the service works them out for each answer. */
function isSameReset(resetsAt: string, otherResetsAt: string): boolean {
  const difference = (parseApiTime(resetsAt) ?? 0) - (parseApiTime(otherResetsAt) ?? 0);
  return Math.abs(difference) <= HOUR;
}

/** Two answers of the same month. */
interface AnswersOfMonth {
  /** By how much `used` has grown from the first to the second, credits. */
  readonly usedGrowth: number;
  /** When the first answer came, epoch milliseconds UTC. */
  readonly from: number;
  /** When the second answer came, epoch milliseconds UTC. */
  readonly at: number;
}

/** What the second answer says of the time since the first one. */
function sinceAnswer(usage: Usage, { usedGrowth, from, at }: AnswersOfMonth): SinceLastAnswer {
  const spentHere = usage.missing + spentAtMost(usage.sinceAccess) + sumOfCredits(usage.notShown);
  const unexplained = Math.max(0, usedGrowth - spentHere);
  if (unexplained > IMPLAUSIBLE_PRICE * spentHere) usage.neighboursAt = at;
  const { neighboursAt, sinceAccess } = usage;
  return {
    from,
    requests: sinceAccess.requests,
    unexplained,
    hasNeighbours: neighboursAt !== null && at - neighboursAt < NEIGHBOURS_REMEMBERED,
  };
}

interface LastAnswer {
  /** Credits used this month. */
  readonly used: number;
  /** When the answer was asked for, epoch milliseconds UTC. */
  readonly askedAt: number;
  /** Whether the answer before is so old that this answer shows all credits that were missing in the earlier one. */
  readonly isLagOver: boolean;
}

/**
 * Works out `missing`: what was charged here and is not in `used` yet. The uncertain credits of requests that ended before the
 * answer was asked for are settled: `used` shows what those requests cost, at most an hour late.
 *
 * An example. 5 credits were charged here since the last answer, and `used` has grown by 3: 2 are missing. If `used` has grown
 * by 6, none is missing, and 1 is left for failed requests (`settleFailed`).
 * @param usedGrowth by how much `used` has grown, credits; undefined for the first answer of the month, and for the first ever
 */
function carryOver(
  usage: Usage,
  usedGrowth: number | undefined,
  { used, askedAt, isLagOver }: LastAnswer,
): number {
  // Requests that had not ended when the answer was asked for. Some have been answered with 200 since.
  const underWay = usage.requests.filter(({ ended }) => ended === null || ended > askedAt);
  const chargedUnderWay = costOf(underWay.filter(({ status }) => status === 200));
  const chargedBefore = Math.max(0, usage.sinceAccess.charged - chargedUnderWay);
  const chargedHere = usage.missing + chargedBefore;
  // Without an answer before, all of `used` may be of the failed requests.
  const growth = usedGrowth ?? used;
  const growthBeyondCharged = Math.max(0, growth - chargedHere);
  const chargedOfFailed = settleFailed(usage, growthBeyondCharged, { underWay, askedAt });
  // It is not known whether `used` shows requests that were under way: they count as not shown.
  let missing = chargedUnderWay;
  if (usedGrowth !== undefined) {
    const notInGrowth = Math.max(0, chargedHere - usedGrowth);
    // `/access` is at most an hour late: credits that are missing for longer were not charged, and are given up.
    const couldBeMissing = isLagOver ? chargedBefore : chargedHere;
    missing += Math.min(couldBeMissing, notInGrowth);
  }
  usage.missing = missing;
  usage.sinceAccess = { ...NO_SPENDING, uncertain: costOf(underWay) - chargedUnderWay };
  return chargedOfFailed;
}

interface RequestsAtAnswer {
  /** Requests that had not ended when the answer was asked for: it is not known whether the answer shows them. */
  readonly underWay: readonly SentRequest[];
  /** When the answer was asked for, epoch milliseconds UTC. */
  readonly askedAt: number;
}

/**
 * Settles the uncertain credits of failed requests. `used` may have grown by more than the charged credits. That many uncertain
 * credits count as charged, and the rest as not charged. (Otherwise an outage would use up the day's credits for
 * exports, though nothing was charged.) The answer may be an hour old. The rest is therefore kept in `notShown`: if a later answer
 * shows more growth, the credits in `notShown` are the first to count as charged.
 *
 * An example. 3 requests for 1 credit each failed, and `used` has grown by 1 more than was charged: 1 of the 3 credits counts as
 * charged, and 2 are kept in `notShown` for about an hour.
 * @param growth by how much `used` has grown beyond the charged credits
 * @param requests those under way are not settled
 * @returns the credits that count as charged
 */
function settleFailed(
  usage: Usage,
  growth: number,
  { underWay, askedAt }: RequestsAtAnswer,
): number {
  const failed = [...usage.notShown, ...takeFailed(usage, underWay, askedAt)];
  let growthLeft = growth;
  for (const entry of failed) {
    const charged = Math.min(entry.credits, growthLeft);
    entry.credits -= charged;
    growthLeft -= charged;
    chargeOn(usage, entry, charged);
  }
  usage.notShown = failed.filter(({ credits, at }) => credits > 0 && at + ACCESS_LAG > askedAt);
  return growth - growthLeft;
}

/**
 * Takes the uncertain credits of failed requests out of the sums of the days.
 * @returns these credits, the newest day first
 */
function takeFailed(usage: Usage, underWay: readonly SentRequest[], askedAt: number): NotShown[] {
  const stillUncertain = underWay.filter(({ status }) => status !== 200);
  const failed: NotShown[] = [];
  for (const { day, operations } of usage.days.toReversed()) {
    for (const [operation, spending] of Object.entries(operations)) {
      const unsettled = stillUncertain.filter(
        (sent) => sent.operation === operation && dayNumber(sent.sent) === day,
      );
      const credits = Math.max(0, spending.uncertain - costOf(unsettled));
      spending.uncertain -= credits;
      failed.push({ day, operation, credits, at: askedAt });
    }
  }
  return failed;
}

/** Counts credits as charged on the day of the requests that cost them. */
function chargeOn(usage: Usage, { day, operation }: NotShown, credits: number): void {
  if (credits === 0) return;
  const { operations } = dayAt(usage, day);
  const spending = operations[operation] ?? { ...NO_SPENDING };
  operations[operation] = { ...spending, charged: spending.charged + credits };
}

function costOf(requests: readonly SentRequest[]): number {
  return requests.reduce((total, { cost }) => total + cost, 0);
}

/**
 * Spreads what others spent between two answers of one month over the days between them. The time is cut into parts of about
 * 24 hours, with equal shares. Each share belongs to the UTC day on which the middle of its part lies. So the credits that a daily
 * run finds in the morning belong to the day before. If the answers are more than a month apart, a clock has jumped: all credits
 * then belong to the last day.
 */
function spreadElsewhere(
  usage: Usage,
  credits: number,
  { from, until }: { readonly from: number; readonly until: number },
): void {
  // A clock that was set back leaves no time between the answers.
  const between = until - from > LONGEST_MONTH ? 0 : Math.max(0, until - from);
  const parts = Math.max(1, Math.round(between / DAY));
  const length = between / parts;
  for (let part = 0; part < parts; part += 1) {
    // 7 credits in 3 parts are 3, 2 and 2: the newest parts get the remainder.
    const share = Math.floor((credits + parts - 1 - part) / parts);
    const middle = until - (part + 0.5) * length;
    if (share > 0) dayAt(usage, dayNumber(middle)).elsewhere += share;
  }
}

/**
 * Records that the price is higher than the document's. These credits were charged here, but were counted as spent by others:
 * they move to the operation that was charged last.
 * @param at epoch milliseconds UTC
 */
export function recordOvercharge(usage: Usage, credits: number, at: number): void {
  const charged = usage.requests.findLast(({ cost, status }) => cost > 0 && status === 200);
  if (charged === undefined) return;
  let rest = credits;
  // The loop begins with the newest day. `spreadElsewhere` may have put some of the credits on the day before, but none on a day
  // before the answers that show them: nothing is left to move when the loop comes to such a day.
  for (const day of usage.days.toReversed()) {
    const moved = Math.min(day.elsewhere, rest);
    day.elsewhere -= moved;
    rest -= moved;
  }
  addSpending(usage, { ...charged, sent: at }, { requests: 0, charged: credits, uncertain: 0 });
  // `addSpending` adds to `sinceAccess`, too, but `used` shows these credits already.
  usage.sinceAccess.charged -= credits;
}
