/** How many outcomes a run buys, so that each day until the reset gets its share. */
import { DAY, dayNumber, utcDay } from '../../base/units.ts';
import { dueAfter, type ExportManifest } from '../store/manifest.ts';
import type { CreditShares } from './shares.ts';
import type { Survey } from './survey.ts';

export interface Pace {
  /** Outcomes that this run may buy; Infinity if the credits cover everything. */
  readonly now: number;
  /** Outcomes a day until the reset; null if the credits cover everything. */
  readonly perDay: number | null;
}

export const UNPACED: Pace = { now: Number.POSITIVE_INFINITY, perDay: null };

/**
 * @param resetsAt epoch milliseconds UTC
 * @returns `UNPACED` if the credits cover what is due now and until the reset
 */
export function paceOf(
  {
    buyable,
    later,
    cardsPerDay,
    at: now,
  }: Pick<Survey, 'buyable' | 'later' | 'cardsPerDay' | 'at'>,
  { lateness, days }: Pick<ExportManifest, 'lateness' | 'days'>,
  { forOutcomes, ifOthersSpendNothing, firstOutcomes }: CreditShares,
  resetsAt: number,
): Pace {
  const listedToCome = later.filter((at) => at < resetsAt).length;
  // Cards that are still to come count only if their outcomes are due before the reset.
  const daysOfNewCards = Math.max(0, resetsAt - now - dueAfter(lateness)) / DAY;
  const newToCome = Math.round(daysOfNewCards * cardsPerDay);
  if (buyable.length + listedToCome + newToCome <= forOutcomes) return UNPACED;
  const boughtToday = outcomesToday(days, now);
  const daysLeft = Math.max(1, Math.ceil(resetsAt / DAY) - dayNumber(now));
  const perDay = (forOutcomes + boughtToday) / daysLeft;
  // If there are fewer credits than days, or if others usually spend all: one outcome a day, as long as there are credits.
  const oneADay = Math.min(1, ifOthersSpendNothing + boughtToday);
  const mostToday = Math.max(Math.floor(perDay), oneADay);
  const affordableFirst = Math.min(firstOutcomes, ifOthersSpendNothing);
  return { now: Math.max(0, mostToday - boughtToday, affordableFirst), perDay };
}

/** How many were bought on this UTC day. @param now epoch milliseconds UTC */
export function outcomesToday(days: ExportManifest['days'], now: number): number {
  return days.find(({ day }) => day === utcDay(now))?.outcomes ?? 0;
}
