/** The credits that exports may reckon with until the month is reset. */
import { CREDITS_A_DAY, LIMITS } from '../../api/limits.ts';
import { DAY, dayNumber, utcDay } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import { atMost, type DaySpending, resetOf, spentIn, usualPerDay } from '../../credits/usage.ts';
import type { ExportManifest } from '../store/manifest.ts';

/** Credits; times in epoch milliseconds UTC. */
export interface Budget {
  /** What this run may spend: the user's limits, the day's and the month's. */
  readonly ofRun: number;
  /** What can be spent until the reset, day by day, above the reserve. */
  readonly untilReset: number;
  readonly resetsAt: number;
  /** Days until then, with a fraction. */
  readonly daysLeft: number;
  /** What others usually spend until then, and have spent since the credits were last known. */
  readonly ofOthers: number;
  /** What others usually spend on a day: other commands here, and other machines. */
  readonly ofOthersPerDay: number;
  /** The most that may be spent on a day. */
  readonly perDay: number;
  /** What a whole month has, above the reserve. */
  readonly perMonth: number;
  /** The month's credits, the reserve included. */
  readonly limit: number;
}

/** @param now epoch milliseconds UTC */
export function readBudget(account: Account, { days }: ExportManifest, now: number): Budget {
  const known = account.known();
  const { access, daily = CREDITS_A_DAY, dailyLeft, dayLeft, monthLeft } = known;
  const isKnown = access !== undefined && monthLeft !== undefined;
  const left = isKnown ? monthLeft : known.monthByLedger.left;
  const resetsAt = isKnown ? resetOf(access.credits, now) : known.monthByLedger.resetsAt;
  const limit = access?.credits.limit ?? LIMITS.creditsPerMonth;
  const perDay = Math.min(daily, CREDITS_A_DAY);
  const wholeDays = Math.max(0, Math.ceil(resetsAt / DAY) - dayNumber(now) - 1);
  const ofOthersPerDay = othersPerDay(known.days, days, now);
  // Since that answer they have gone on, too.
  const asOf = isKnown ? Math.min(access.at, now) : now;
  const daysOfOthers = Math.max(0, resetsAt - asOf) / DAY;
  return {
    ofRun: account.left().credits,
    untilReset: Math.min(left - account.keep, Math.min(dailyLeft, dayLeft) + wholeDays * perDay),
    resetsAt,
    daysLeft: Math.max(0, resetsAt - now) / DAY,
    ofOthers: Math.ceil(daysOfOthers * ofOthersPerDay),
    ofOthersPerDay,
    perDay,
    perMonth: limit - account.keep,
    limit,
  };
}

/** What is usually spent on a day beside the exports into this history, here and elsewhere. */
function othersPerDay(
  spending: readonly DaySpending[],
  done: ExportManifest['days'],
  now: number,
): number {
  const exported = new Map(
    done.map(({ day, credits, outcomes, runs }) => [day, Math.max(credits, outcomes + runs)]),
  );
  const besideExports = ({ day, operations, elsewhere }: DaySpending) => {
    const own = atMost(spentIn(operations)) - (exported.get(utcDay(day * DAY)) ?? 0);
    return elsewhere + Math.max(0, own);
  };
  return usualPerDay(spending, dayNumber(now), besideExports) ?? 0;
}
