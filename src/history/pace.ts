/**
 * How many outcomes may be bought today, so that the month's credits last: the list never stops being kept for want of
 * them, and no day until the reset goes without outcomes. Pure.
 */
import { LIMITS } from '../api/limits.ts';
import { DAY } from '../runtime/units.ts';
import type { ExportManifest } from './export-manifest.ts';
import { dueAfter } from './lateness.ts';
import { dayOf, type Survey } from './survey.ts';

export interface PaceFacts {
  /** Credits left this month, --keep subtracted. */
  readonly credits: number;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** When the month's credits are reset, epoch milliseconds UTC. */
  readonly resetsAt: number;
  /** Outcomes due now. */
  readonly due: number;
  /** Outcomes that come due before the reset: of known cards, and of cards expected at the present rate. */
  readonly toCome: number;
  readonly cardsPerDay: number;
  readonly runsPerDay: number;
  /** Outcomes bought this UTC day. */
  readonly boughtToday: number;
}

export interface Pace {
  /** Outcomes that may be bought now; Infinity where the credits cover everything. */
  readonly now: number;
  /** Outcomes a day until the reset; null where the credits cover everything. */
  readonly perDay: number | null;
  /** Credits set aside for the list until the reset. */
  readonly forList: number;
}

function paceOf(facts: PaceFacts): Pace {
  const { credits, now, resetsAt, due, toCome, cardsPerDay, runsPerDay, boughtToday } = facts;
  const left = Math.max(0, resetsAt - now) / DAY;
  const forList = Math.ceil(left * (cardsPerDay / LIMITS.cardsPerPage + runsPerDay));
  const forOutcomes = Math.max(0, credits - forList);
  if (due + toCome <= forOutcomes) return { now: Number.POSITIVE_INFINITY, perDay: null, forList };
  const days = Math.max(1, Math.ceil(resetsAt / DAY) - Math.floor(now / DAY));
  const perDay = (forOutcomes + boughtToday) / days;
  // Fewer credits than days: one a day while they last.
  const today = Math.max(Math.floor(perDay), Math.min(1, forOutcomes + boughtToday));
  return { now: Math.max(0, today - boughtToday), perDay, forList };
}

/** The pace by what a history has and what was done on the last days. */
export function paceNow(
  { due, later, cardsPerDay }: Survey,
  { lateness, days }: ExportManifest,
  { credits, resetsAt, now }: { readonly credits: number; readonly resetsAt: number; readonly now: number },
): Pace {
  const today = dayOf(now);
  const known = later.filter((at) => at < resetsAt).length;
  const expected = Math.round((Math.max(0, resetsAt - now - dueAfter(lateness)) / DAY) * cardsPerDay);
  const runs = days.filter(({ day }) => day !== today).map((one) => one.runs);
  return paceOf({
    credits,
    now,
    resetsAt,
    due: due.length,
    toCome: known + expected,
    cardsPerDay,
    runsPerDay: Math.max(1, runs.sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 1),
    boughtToday: days.find(({ day }) => day === today)?.outcomes ?? 0,
  });
}
