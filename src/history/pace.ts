/**
 * How many outcomes may be bought today, so that the month's credits last: the list never stops being kept for want of
 * them, and no day until the reset goes without outcomes. Pure.
 */
import { LIMITS } from '../api/limits.ts';
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

/**
 * @param survey what is due, and how many cards come
 * @param manifest what was done on the last days
 * @param month `credits` left this month, --keep subtracted; `resetsAt` and `now`: epoch milliseconds UTC
 */
export function paceOf(
  { due, later, cardsPerDay }: Survey,
  { lateness, days }: ExportManifest,
  { credits, resetsAt, now }: { readonly credits: number; readonly resetsAt: number; readonly now: number },
): Pace {
  const today = utcDay(now);
  const runs = days.filter(({ day }) => day !== today).map((one) => one.runs);
  const runsPerDay = Math.max(1, runs.sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 1);
  const forList = Math.ceil((Math.max(0, resetsAt - now) / DAY) * (cardsPerDay / LIMITS.cardsPerPage + runsPerDay));
  const forOutcomes = Math.max(0, credits - forList);
  const known = later.filter((at) => at < resetsAt).length;
  const expected = Math.round((Math.max(0, resetsAt - now - dueAfter(lateness)) / DAY) * cardsPerDay);
  if (due.length + known + expected <= forOutcomes) return { now: Number.POSITIVE_INFINITY, perDay: null };
  const bought = days.find(({ day }) => day === today)?.outcomes ?? 0;
  const daysLeft = Math.max(1, Math.ceil(resetsAt / DAY) - dayNumber(now));
  const perDay = (forOutcomes + bought) / daysLeft;
  // Fewer credits than days: one a day while they last.
  const most = Math.max(Math.floor(perDay), Math.min(1, forOutcomes + bought));
  return { now: Math.max(0, most - bought), perDay };
}
