/** The credits that exports may reckon with until the month is reset. */
import { CREDITS_A_DAY, LIMITS } from '../../api/limits.ts';
import { smallestOf } from '../../base/numbers.ts';
import { DAY, dayNumber, utcDay } from '../../base/units.ts';
import type { Account, CreditsKnown } from '../../credits/account.ts';
import { atMost, type DaySpending, resetOf, spentIn, usualPerDay } from '../../credits/usage.ts';
import type { ExportManifest } from '../store/manifest.ts';

/** All in credits; times in epoch milliseconds UTC. */
export interface Budget {
  /** What this run may spend, by the limits of the user, the day and the month. */
  readonly forThisRun: number;
  /** Whether --max-credits or SCREENER_DAILY limits this run more than the service does. */
  readonly isLimitedByUser: boolean;
  /** What can be spent until the reset, day by day, above the reserve (--keep). */
  readonly untilReset: number;
  readonly resetsAt: number;
  /** Days until the reset, with a fraction. */
  readonly daysLeft: number;
  /** What others usually spend from the last answer of `/access` to the reset. */
  readonly othersUntilReset: number;
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
export function readBudget(account: Account, { days }: ExportManifest, now: number): Budget {
  const known = account.known();
  const { access, dailyOfUser, leftOfUsersDay, leftOfServiceDay } = known;
  const { left, resetsAt, asOf } = monthCreditsOf(known, now);
  const limit = access?.credits.limit ?? LIMITS.creditsPerMonth;
  // The document gives a daily limit only for accounts with 1,000 credits a month. For others only the month's limit bounds a day.
  const perDayOfService = leftOfServiceDay === undefined ? limit : CREDITS_A_DAY;
  const perDay = Math.min(dailyOfUser ?? perDayOfService, perDayOfService);
  const leftToday = smallestOf([leftOfUsersDay, leftOfServiceDay]) ?? left;
  const wholeDays = Math.max(0, Math.ceil(resetsAt / DAY) - dayNumber(now) - 1);
  const othersPerDay = usualOthersPerDay(known.days, days, now);
  const { credits: forThisRun, limit: narrowestLimit } = account.left();
  const daysFromAccessToReset = Math.max(0, resetsAt - asOf) / DAY;
  return {
    forThisRun,
    isLimitedByUser: narrowestLimit === 'max_credits' || narrowestLimit === 'daily',
    untilReset: Math.min(left - account.keep, leftToday + wholeDays * perDay),
    resetsAt,
    daysLeft: Math.max(0, resetsAt - now) / DAY,
    othersUntilReset: Math.ceil(daysFromAccessToReset * othersPerDay),
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
  readonly asOf: number;
}

/** From the last answer of `/access`; if there is none of this month, from the ledger. */
function monthCreditsOf(
  { access, monthLeft, monthByLedger }: CreditsKnown,
  now: number,
): MonthCredits {
  if (access === undefined || monthLeft === undefined) return { ...monthByLedger, asOf: now };
  const resetsAt = resetOf(access.credits, now);
  return { left: monthLeft, resetsAt, asOf: Math.min(access.at, now) };
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
  // `credits` lacks what a killed run spent, and files of earlier versions have no `credits`. But each run and each outcome cost one:
  // at least so many were spent.
  const exportCredits = new Map(
    exportDays.map(({ day, credits, outcomes, runs }) => [day, Math.max(credits, outcomes + runs)]),
  );
  const besideExports = ({ day, operations, elsewhere }: DaySpending) => {
    const otherCommands = atMost(spentIn(operations)) - (exportCredits.get(utcDay(day * DAY)) ?? 0);
    return elsewhere + Math.max(0, otherCommands);
  };
  return usualPerDay(spending, dayNumber(now), besideExports) ?? 0;
}
