/** Paces outcomes, so that the list and every day until the reset have credits. Pure. */
import { LIMITS } from '../../api/limits.ts';
import type { Account } from '../../credits/account.ts';
import { atMost, type DaySpending, habit, resetOf, spentIn } from '../../credits/usage.ts';
import { DAY, dayNumber, utcDay } from '../../runtime/units.ts';
import type { ExportManifest } from '../store/manifest.ts';
import { dueAfter } from './apply-journal.ts';
import type { Survey } from './survey.ts';

interface Pace {
  /** Outcomes; Infinity if the credits cover everything. */
  readonly now: number;
  /** Outcomes a day until the reset; null if the credits cover everything. */
  readonly perDay: number | null;
}

export const UNPACED: Pace = { now: Number.POSITIVE_INFINITY, perDay: null };

export interface BillingMonth {
  /** Left of it, --keep subtracted; Infinity if nobody knows. */
  readonly credits: number;
  readonly limit: number;
  /** Epoch milliseconds UTC. */
  readonly resetsAt: number;
  readonly now: number;
}

export function billingMonth(account: Account, now: number): BillingMonth {
  const { access, monthLeft: left = Number.POSITIVE_INFINITY } = account.known();
  const { limit = LIMITS.creditsPerMonth, resets_at = '' } = access?.credits ?? {};
  return { credits: left - account.keep, limit, resetsAt: resetOf({ resets_at }, now), now };
}

/** @param others asked for before the outcomes' share is reckoned */
export function paceOf(
  account: Account,
  { due, later, cardsPerDay, at: now }: Survey,
  { lateness, days }: ExportManifest,
  others: { readonly credits: number; readonly later: number },
): Pace {
  const month = billingMonth(account, now);
  const { resetsAt } = month;
  const credits = month.credits - others.credits;
  const today = utcDay(now);
  const until = Math.max(0, resetsAt - now) / DAY;
  const beyondList = Math.max(0, credits - listCredits({ cardsPerDay }, { days }, month) - others.later);
  const forOutcomes = Math.max(0, beyondList - Math.ceil(until * othersPerDay(account.known().days, { days }, now)));
  const known = later.filter((at) => at < resetsAt).length;
  const expected = Math.round((Math.max(0, resetsAt - now - dueAfter(lateness)) / DAY) * cardsPerDay);
  if (due.length + known + expected <= forOutcomes) return UNPACED;
  const bought = days.find(({ day }) => day === today)?.outcomes ?? 0;
  const daysLeft = Math.max(1, Math.ceil(resetsAt / DAY) - dayNumber(now));
  const perDay = (forOutcomes + bought) / daysLeft;
  // Fewer credits than days, or others who usually spend all: one a day while they last.
  const most = Math.max(Math.floor(perDay), Math.min(1, beyondList + bought));
  return { now: Math.max(0, most - bought), perDay };
}

/** @param perDay outcomes that the credits allow @returns null if as many come due */
export function daysToCatchUp(
  due: number,
  perDay: number,
  { cardsPerDay }: Pick<Survey, 'cardsPerDay'>,
): number | null {
  return perDay > cardsPerDay ? Math.ceil(due / (perDay - cardsPerDay)) : null;
}

export function listCredits(
  { cardsPerDay }: Pick<Survey, 'cardsPerDay'>,
  { days }: Pick<ExportManifest, 'days'>,
  { resetsAt, now }: BillingMonth,
): number {
  const runs = days.filter(({ day }) => day !== utcDay(now)).map((one) => one.runs);
  const runsPerDay = Math.max(1, runs.sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 1);
  return Math.ceil((Math.max(0, resetsAt - now) / DAY) * (cardsPerDay / LIMITS.cardsPerPage + runsPerDay + 1));
}

function othersPerDay(
  spending: readonly DaySpending[],
  { days: done }: Pick<ExportManifest, 'days'>,
  now: number,
): number {
  const today = dayNumber(now);
  const { recent, count } = habit(spending, today);
  const exported = new Map(done.map(({ day, credits, outcomes, runs }) => [day, Math.max(credits, outcomes + runs)]));
  let sum = 0;
  for (const { day, operations, elsewhere } of recent) {
    const own = day === today ? 0 : atMost(spentIn(operations));
    sum += elsewhere + Math.max(0, own - (exported.get(utcDay(day * DAY)) ?? 0));
  }
  return sum / count;
}
