/** How many outcomes a run buys. If credits are scarce, each day until the reset gets its share. */
import { DAY, dayNumber, utcDay } from '../../base/units.ts';
import { dueAfter, type ExportManifest } from '../store/manifest.ts';
import type { CreditShares } from './shares.ts';
import type { Survey } from './survey.ts';

export interface Pace {
  /** Outcomes that this run may buy; Infinity if the credits cover everything. */
  readonly mostThisRun: number;
  /** Outcomes a day until the reset, with a fraction; null if the credits cover everything. */
  readonly perDay: number | null;
}

interface SharesOfRun extends CreditShares {
  /**
   * Outcomes that are still needed before the service's medians can be asked for the first time. This run buys them even if they
   * exceed the day's share.
   */
  readonly firstOutcomes: number;
}

/** The credits cover everything: a run buys all that it can. */
export const UNPACED: Pace = { mostThisRun: Number.POSITIVE_INFINITY, perDay: null };

/**
 * Spreads the credits over the days until the reset, if they do not cover all outcomes until then. With 288 credits for outcomes,
 * ten days and 12 outcomes bought today, each day has 30: this run buys 18. With 25 first outcomes it buys 25.
 * @param resetsAt epoch milliseconds UTC
 */
export function paceOf(
  {
    buyable,
    buyableLater,
    cardsPerDay,
    now,
  }: Pick<Survey, 'buyable' | 'buyableLater' | 'cardsPerDay' | 'now'>,
  { lateness, days }: Pick<ExportManifest, 'lateness' | 'days'>,
  { outcomesIfOthersSpendAsUsual, outcomesIfOthersSpendNothing, firstOutcomes }: SharesOfRun,
  resetsAt: number,
): Pace {
  const laterUntilReset = buyableLater.filter((time) => time < resetsAt).length;
  // Cards that are not recorded yet count if their outcomes will be due before the reset.
  const lastNewCardAt = resetsAt - dueAfter(lateness);
  const daysOfNewCards = Math.max(0, lastNewCardAt - now) / DAY;
  const newUntilReset = Math.round(daysOfNewCards * cardsPerDay);
  const outcomesUntilReset = buyable.length + laterUntilReset + newUntilReset;
  if (outcomesUntilReset <= outcomesIfOthersSpendAsUsual) return UNPACED;
  const boughtToday = outcomesToday(days, now);
  // UTC days, today included.
  const calendarDaysLeft = Math.max(1, Math.ceil(resetsAt / DAY) - dayNumber(now));
  const perDay = (outcomesIfOthersSpendAsUsual + boughtToday) / calendarDaysLeft;
  // While there is a credit, at least one outcome a day is bought, even if the day's share is less than one: there may be fewer
  // credits than days, or other programs may usually spend all of them.
  const leastOfToday = Math.min(1, boughtToday + outcomesIfOthersSpendNothing);
  const shareOfToday = Math.max(Math.floor(perDay), leastOfToday);
  const leftOfShare = Math.max(0, shareOfToday - boughtToday);
  const affordableFirst = Math.min(firstOutcomes, outcomesIfOthersSpendNothing);
  return { mostThisRun: Math.max(leftOfShare, affordableFirst), perDay };
}

/** How many outcomes were bought on this UTC day. @param now epoch milliseconds UTC */
export function outcomesToday(days: ExportManifest['days'], now: number): number {
  return days.find(({ day }) => day === utcDay(now))?.outcomes ?? 0;
}
