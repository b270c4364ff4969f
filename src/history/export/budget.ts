/** The credits that exports can count on until the month is reset. */
import { LIMITS } from '../../api/limits.ts';
import { smallestOf } from '../../base/numbers.ts';
import { DAY, dayNumber, utcDay } from '../../base/units.ts';
import type { Account, CreditsKnown } from '../../credits/account.ts';
import {
  type DaySpending,
  resetOf,
  spentAtMost,
  spentIn,
  usualPerDay,
} from '../../credits/usage.ts';
import type { ExportManifest } from '../store/manifest.ts';

/** All in credits, unless said otherwise. Times in epoch milliseconds UTC. */
export interface Budget {
  /** What this run may spend, by the limits of the user, the day and the month. */
  readonly forThisRun: number;
  /** Whether --max-credits or SCREENER_DAILY limits this run more than the service does. */
  readonly isLimitedByUser: boolean;
  /**
   * What can be spent until the reset, above the reserve (--keep). With 700 left this month, 40 left today and three more days of
   * 150 each, these are 490.
   */
  readonly creditsUntilReset: number;
  readonly resetsAt: number;
  /** Days until the reset, with a fraction. */
  readonly daysLeft: number;
  /**
   * What others are likely to spend until the reset. It is counted from the last answer of `/access`, which may be hours old:
   * others may have spent since then.
   */
  readonly othersCreditsUntilReset: number;
  /** What others usually spend on a day: other commands here, and other machines. */
  readonly othersPerDay: number;
  /** The most that may be spent on a day. */
  readonly perDay: number;
  /** What the daily limits leave of today. */
  readonly leftToday: number;
  /** What a whole month has, above the reserve. */
  readonly perMonth: number;
  /** The month's credits, the reserve included. */
  readonly limit: number;
}

/** @param now epoch milliseconds UTC */
export function readBudget(
  account: Account,
  { days: exportDays }: Pick<ExportManifest, 'days'>,
  now: number,
): Budget {
  const known = account.known();
  const { access, today, dailyOfUser, leftOfUsersDay, leftOfServiceDay } = known;
  const { left: monthLeft, resetsAt, knownAt } = monthCreditsOf(known, now);
  const limit = access?.credits.limit ?? LIMITS.creditsPerMonth;
  // The document gives a daily limit only for accounts with 1,000 credits a month. Others may spend the month's limit on a day.
  const perDayOfService = today.dailyLimitOfService ?? limit;
  const perDay = Math.min(dailyOfUser ?? perDayOfService, perDayOfService);
  const leftToday = smallestOf([leftOfUsersDay, leftOfServiceDay]) ?? monthLeft;
  // Days that begin after today and before the reset.
  const daysAfterToday = Math.max(0, Math.ceil(resetsAt / DAY) - dayNumber(now) - 1);
  const leftByDays = leftToday + daysAfterToday * perDay;
  const othersPerDay = usualOthersPerDay(known.days, exportDays, now);
  const daysOfOthers = Math.max(0, resetsAt - knownAt) / DAY;
  const { credits: forThisRun, limit: narrowestLimit } = account.left();
  return {
    forThisRun,
    isLimitedByUser: narrowestLimit === 'max_credits' || narrowestLimit === 'daily',
    creditsUntilReset: Math.min(monthLeft - account.keep, leftByDays),
    resetsAt,
    daysLeft: Math.max(0, resetsAt - now) / DAY,
    othersCreditsUntilReset: Math.ceil(daysOfOthers * othersPerDay),
    othersPerDay,
    perDay,
    leftToday,
    perMonth: limit - account.keep,
    limit,
  };
}

/** What is known of the month's credits. Times in epoch milliseconds UTC. */
interface MonthCredits {
  /** Credits, the reserve included. */
  readonly left: number;
  readonly resetsAt: number;
  /** The time for which `left` is known: others may have spent some of it since. */
  readonly knownAt: number;
}

/** Takes the credits from the last answer of `/access`, or from the ledger if there is no answer of this month. */
function monthCreditsOf(
  { access, monthLeft, monthByLedger }: CreditsKnown,
  now: number,
): MonthCredits {
  if (access === undefined || monthLeft === undefined) return { ...monthByLedger, knownAt: now };
  const resetsAt = resetOf(access.credits, now);
  return { left: monthLeft, resetsAt, knownAt: Math.min(access.at, now) };
}

/**
 * What is usually spent on a day, here and elsewhere, but not by exports into this history.
 * @param exportDays what these exports did on each day
 */
function usualOthersPerDay(
  spending: readonly DaySpending[],
  exportDays: ExportManifest['days'],
  now: number,
): number {
  const exportCredits = new Map(exportDays.map((day) => [day.day, leastSpentOn(day)]));
  const besideExports = ({ day, operations, elsewhere }: DaySpending) => {
    const spentHere = spentAtMost(spentIn(operations));
    const spentByExports = exportCredits.get(utcDay(day * DAY)) ?? 0;
    return elsewhere + Math.max(0, spentHere - spentByExports);
  };
  return usualPerDay(spending, dayNumber(now), besideExports) ?? 0;
}

/**
 * The least that exports spent on a day. `credits` may be too low: it lacks what a killed run spent. But each run and each outcome cost
 * at least one credit.
 */
function leastSpentOn({ credits, outcomes, runs }: ExportManifest['days'][number]): number {
  return Math.max(credits, outcomes + runs);
}
