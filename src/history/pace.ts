/**
 * How many outcomes may be bought today, so that the month's credits last: the list never stops being kept for want of
 * them, and no day until the reset goes without outcomes. Pure.
 */
import { LIMITS } from '../api/limits.ts';
import { atMost } from '../credits/credit-ceiling.ts';
import type { DaySpending } from '../credits/usage.ts';
import { DAY, dayNumber, utcDay } from '../runtime/units.ts';
import type { ExportManifest } from './export-manifest.ts';
import { dueAfter } from './lateness.ts';
import type { Survey } from './survey.ts';

interface Pace {
  /** Outcomes that may be bought now; Infinity where the credits cover everything. */
  readonly now: number;
  /** Outcomes a day until the reset; null where the credits cover everything. */
  readonly perDay: number | null;
}

interface Month {
  /** Left this month, --keep subtracted. */
  readonly credits: number;
  /** Epoch milliseconds UTC. */
  readonly resetsAt: number;
  readonly now: number;
  /** Credits a day that others usually spend. */
  readonly others: number;
  /** Credits of the medians that become due until the reset. */
  readonly medians: number;
}

/**
 * @param survey what is due, and how many cards come
 * @param manifest what was done on the last days
 */
export function paceOf(
  { due, later, cardsPerDay }: Survey,
  { lateness, days }: ExportManifest,
  { credits, resetsAt, now, others, medians }: Month,
): Pace {
  const today = utcDay(now);
  const until = Math.max(0, resetsAt - now) / DAY;
  const beyondList = Math.max(0, credits - listCredits({ cardsPerDay }, { days }, { resetsAt, now }) - medians);
  const forOutcomes = Math.max(0, beyondList - Math.ceil(until * others));
  const known = later.filter((at) => at < resetsAt).length;
  const expected = Math.round((Math.max(0, resetsAt - now - dueAfter(lateness)) / DAY) * cardsPerDay);
  if (due.length + known + expected <= forOutcomes) return { now: Number.POSITIVE_INFINITY, perDay: null };
  const bought = days.find(({ day }) => day === today)?.outcomes ?? 0;
  const daysLeft = Math.max(1, Math.ceil(resetsAt / DAY) - dayNumber(now));
  const perDay = (forOutcomes + bought) / daysLeft;
  // Fewer credits than days, or others who usually spend all: one a day while they last.
  const most = Math.max(Math.floor(perDay), Math.min(1, beyondList + bought));
  return { now: Math.max(0, most - bought), perDay };
}

/** Credits that the list, and the settings, need until the reset. */
export function listCredits(
  { cardsPerDay }: Pick<Survey, 'cardsPerDay'>,
  { days }: Pick<ExportManifest, 'days'>,
  { resetsAt, now }: Pick<Month, 'resetsAt' | 'now'>,
): number {
  const runs = days.filter(({ day }) => day !== utcDay(now)).map((one) => one.runs);
  const runsPerDay = Math.max(1, runs.sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 1);
  return Math.ceil((Math.max(0, resetsAt - now) / DAY) * (cardsPerDay / LIMITS.cardsPerPage + runsPerDay + 1));
}

/** From so many days what others usually spend is taken: whole weeks, because traders rest at weekends. */
const HABIT_DAYS = 14;

/**
 * Credits a day that are spent by others than exports into this history: other commands of this machine included. Pure.
 * @param spending of the account, as this machine knows it
 * @param done what exports into this history did
 */
export function othersPerDay(
  spending: readonly DaySpending[],
  { days: done }: Pick<ExportManifest, 'days'>,
  now: number,
): number {
  const today = dayNumber(now);
  const recent = spending.filter(({ day }) => day >= today - HABIT_DAYS && day <= today);
  const exported = new Map(done.map(({ day, credits, outcomes, runs }) => [day, credits ?? outcomes + runs]));
  let sum = 0;
  for (const { day, operations, elsewhere } of recent) {
    // Of today, only the run under way knows what of it is its own.
    const own = day === today ? 0 : Object.values(operations).reduce((total, one) => total + atMost(one), 0);
    sum += elsewhere + Math.max(0, own - (exported.get(utcDay(day * DAY)) ?? 0));
  }
  // What another machine spent shows at the next look: after the first day.
  return sum / Math.max(1, today - Math.min(today, ...recent.map(({ day }) => day)));
}
