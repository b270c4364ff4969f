/** What exports will buy and spend, as their pace plans it: this month, and a month from the reset. Pure. */
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, dayAndMonth, dayNumber, pluralize } from '../../base/units.ts';
import type { Survey } from './survey.ts';

/** What exports will do. */
export interface Outlook {
  /** API time. */
  readonly resets_at: string;
  /** Outcomes bought by then. */
  readonly bought_by_reset: number;
  /** API time from which on nothing due waits; null if that is not within `MOST_MONTHS` after the reset. */
  readonly all_bought_by: string | null;
  /** Outcomes that come due a day. */
  readonly due_a_day: number;
  /** Outcomes bought a day after the reset. */
  readonly bought_a_day_then: number;
  /** Credits of exports a day, until the reset. */
  readonly credits_a_day: number;
}

export const MONTH_DAYS = 30;

/** How long exports are foreseen after the reset. A date within it needs no year. */
const MOST_MONTHS = 10;

/** Credits; `boughtToday` in outcomes. */
interface OutlookPlan {
  /** Epoch milliseconds UTC. */
  readonly resetsAt: number;
  /** For outcomes until the reset. */
  readonly forOutcomes: number;
  readonly boughtToday: number;
  /** For outcomes in the month from the reset on. */
  readonly afterwards: number;
  /** For outcomes on a day, at most. */
  readonly mostPerDay: number;
  /** For all else on a day. */
  readonly besides: number;
}

export function foresee(
  { at: now, due, cardsPerDay }: Pick<Survey, 'at' | 'due' | 'cardsPerDay'>,
  plan: OutlookPlan,
): Outlook {
  const { resetsAt, forOutcomes, boughtToday, afterwards, mostPerDay, besides } = plan;
  const today = dayNumber(now);
  let backlog = due.length;
  let waitsUntil = now;
  /** Buys for so many days: changes the backlog, and until when outcomes wait. @returns outcomes a day */
  const buyForDays = (first: number, days: number, credits: number) => {
    const coming = (first === today ? days - 1 : days) * cardsPerDay;
    const perDay = backlog + coming <= credits ? mostPerDay : Math.min(mostPerDay, credits / days);
    let bought = 0;
    for (let day = first; day < first + days; day += 1) {
      if (day > today) backlog += cardsPerDay;
      const buys = Math.max(0, Math.min(backlog, perDay, credits - bought));
      bought += buys;
      backlog -= buys;
      if (backlog >= 1) waitsUntil = (day + 1) * DAY;
    }
    return bought / days;
  };
  const days = Math.max(1, Math.ceil(resetsAt / DAY) - today);
  const perDay = buyForDays(today, days, forOutcomes);
  const resetDay = today + days;
  const perDayThen = buyForDays(resetDay, MONTH_DAYS, afterwards);
  for (let month = 1; backlog >= 1 && month < MOST_MONTHS; month += 1)
    buyForDays(resetDay + month * MONTH_DAYS, MONTH_DAYS, afterwards);
  return {
    resets_at: formatApiTime(resetsAt),
    bought_by_reset: Math.round(perDay * days),
    all_bought_by: backlog >= 1 ? null : formatApiTime(waitsUntil),
    due_a_day: Math.round(cardsPerDay),
    bought_a_day_then: Math.round(perDayThen),
    // Today's share may be spent already.
    credits_a_day: Math.round(perDay + boughtToday / days + besides),
  };
}

/** `993 outcomes to buy`, `43 not due yet`: what is not bought for good, none of it twice. */
export function openOutcomes(
  counts: Readonly<Record<'to_buy' | 'pending' | 'not_due' | 'gone', number>>,
): string[] {
  const open = [
    { n: counts.to_buy, what: 'to buy' },
    { n: counts.pending, what: 'bought without a figure (asked again after all others)' },
    { n: counts.not_due, what: 'not due yet' },
    { n: counts.gone, what: 'the service no longer has' },
  ].filter(({ n }) => n > 0);
  return open.map(({ n, what }, i) => `${i === 0 ? pluralize(n, 'outcome') : n} ${what}`);
}

/** `all are bought by 4 Dec`, or how many by the reset, and of how many a day from then on: a sample only if fewer. */
export function outlookSentence(outlook: Outlook): string {
  const { all_bought_by, bought_a_day_then: then, due_a_day: due } = outlook;
  if (all_bought_by !== null) return `all are bought by ${dayAndMonth(at(all_bought_by))}`;
  const reset = dayAndMonth(at(outlook.resets_at));
  const daily =
    then < due
      ? `${then} of the ${due} that come due each day, chosen at random`
      : `as many each day as come due (${due})`;
  return `about ${outlook.bought_by_reset} are bought by ${reset}, when the credits reset; after that, ${daily}`;
}

/** `1 in 12`; from a quarter on `3 in 4`, the first fraction that is near; empty if it is nearly all, or nothing. */
export function shareInWords(share: number): string {
  // A fraction that is near by percentage points would be far off here: 0.1 is not 1 in 8.
  if (share < 0.25) return share === 0 ? '' : `1 in ${Math.round(1 / share)}`;
  for (let of = 2; of <= 10; of += 1) {
    const some = Math.max(1, Math.round(share * of));
    if (some < of && Math.abs(some / of - share) <= 0.04) return `${some} in ${of}`;
  }
  return '';
}
