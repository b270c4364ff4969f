import { DAY } from '../runtime/units.ts';

export const RATE_DAYS = 28;

/**
 * Cards a day in the `days` before `until`, but not before `since`, silent days counted; at least of one day.
 * @param until epoch milliseconds UTC, as `since`
 */
export function cardsPerDay(
  cards: readonly { readonly at: number }[],
  until: number,
  { days = RATE_DAYS, since }: { days?: number; since: number },
): number {
  const within = cards.filter(({ at }) => at > until - days * DAY && at >= since && at <= until);
  return within.length / Math.max(1, Math.min(days, (until - since) / DAY));
}

export function twoDecimals(rate: number): number {
  return Number(rate.toFixed(2));
}

/**
 * Of the due cards: whether one half, by time, has a clearly larger share of them bought, so that no random sample is.
 * @returns nine of ten bought ones are of that side of `at`, epoch milliseconds UTC; undefined: chance may have done it
 */
export function unevenly(due: readonly { readonly at: number; readonly isBought: boolean }[]) {
  const inOrder = due.toSorted((one, other) => one.at - other.at);
  const bought = inOrder.filter(({ isBought }) => isBought);
  const early = inOrder.slice(0, Math.ceil(due.length / 2)).filter(({ isBought }) => isBought).length;
  const late = bought.length - early;
  if (Math.abs(late - early) <= Math.max(0.2 * bought.length, 3 * Math.sqrt(bought.length))) return undefined;
  const place = Math.floor(bought.length * (late > early ? 0.1 : 0.9));
  return { side: late > early ? ('since' as const) : ('until' as const), at: bought[place]?.at ?? 0 };
}
