/** What exports will buy and spend if they keep to their pace: until the reset, and in the months after it. Pure. */
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, dayAndMonth, dayNumber, pluralize } from '../../base/units.ts';
import type { Survey } from './survey.ts';

/** What exports will do. */
export interface Outlook {
  /** When the month's credits are reset, API time. */
  readonly resets_at: string;
  /** Outcomes bought until the reset. */
  readonly bought_by_reset: number;
  /** API time from which on no due outcome waits; null if that is later than `MOST_MONTHS` after the reset. */
  readonly all_bought_by: string | null;
  /** Outcomes that come due a day. */
  readonly due_a_day: number;
  /** Outcomes bought a day in the month after the reset. */
  readonly bought_a_day_then: number;
  /** Credits that exports spend a day until the reset. */
  readonly credits_a_day: number;
}

/** Days of a month after the reset. */
export const MONTH_DAYS = 30;

/** How many months after the reset are foreseen. A date within them needs no year. */
const MOST_MONTHS = 10;

/** The credits that an outlook is made from. An outcome costs one. */
interface OutlookPlan {
  /** Epoch milliseconds UTC. */
  readonly resetsAt: number;
  /** Credits for outcomes until the reset. */
  readonly forOutcomes: number;
  /** Outcomes bought today. */
  readonly boughtToday: number;
  /** Credits that the limits of the day leave of today. */
  readonly leftToday: number;
  /** Credits for outcomes in each month after the reset. */
  readonly forOutcomesThen: number;
  /** The most credits for outcomes on a day. */
  readonly mostPerDay: number;
  /** Credits that exports spend a day on everything but outcomes. */
  readonly forOthersPerDay: number;
}

/** Days in a row, and what may be spent on outcomes in them. */
interface BuyingPeriod {
  /** Days since 1970, UTC. */
  readonly firstDay: number;
  readonly days: number;
  readonly credits: number;
}

export function foresee(
  { at: now, due, cardsPerDay }: Pick<Survey, 'at' | 'due' | 'cardsPerDay'>,
  plan: OutlookPlan,
): Outlook {
  const { resetsAt, forOutcomes, boughtToday, leftToday, forOutcomesThen, mostPerDay } = plan;
  const today = dayNumber(now);
  const mostToday = Math.max(0, Math.min(mostPerDay - boughtToday, leftToday));
  let backlog = due.length;
  let lastWaitEnds = now;
  /** Works out a period day by day. Changes `backlog` and `lastWaitEnds`. @returns outcomes bought a day */
  const buy = ({ firstDay, days, credits }: BuyingPeriod): number => {
    // Today brings no new cards here: what comes due today is already in the backlog.
    const daysOfNewCards = firstDay === today ? days - 1 : days;
    const isAllAffordable = backlog + daysOfNewCards * cardsPerDay <= credits;
    const perDay = isAllAffordable ? mostPerDay : Math.min(mostPerDay, credits / days);
    let bought = 0;
    let perDayLater = perDay;
    for (let day = firstDay; day < firstDay + days; day += 1) {
      if (day > today) backlog += cardsPerDay;
      const mostOfDay = day === today ? Math.min(perDay, mostToday) : perDayLater;
      const buys = Math.max(0, Math.min(backlog, mostOfDay, credits - bought));
      bought += buys;
      backlog -= buys;
      // What today cannot buy is spread over the other days.
      if (day === today && mostToday < perDay)
        perDayLater = Math.min(mostPerDay, (credits - bought) / (days - 1));
      // Something still waits at the end of this day.
      if (backlog >= 1) lastWaitEnds = (day + 1) * DAY;
    }
    return bought / days;
  };
  const days = Math.max(1, Math.ceil(resetsAt / DAY) - today);
  const perDay = buy({ firstDay: today, days, credits: forOutcomes });
  const month = { firstDay: today + days, days: MONTH_DAYS, credits: forOutcomesThen };
  const perDayThen = buy(month);
  for (let months = 1; backlog >= 1 && months < MOST_MONTHS; months += 1)
    buy({ ...month, firstDay: month.firstDay + months * MONTH_DAYS });
  return {
    resets_at: formatApiTime(resetsAt),
    bought_by_reset: Math.round(perDay * days),
    all_bought_by: backlog >= 1 ? null : formatApiTime(lastWaitEnds),
    due_a_day: Math.round(cardsPerDay),
    bought_a_day_then: Math.round(perDayThen),
    // Today's share includes what was already bought today, so that is added.
    credits_a_day: Math.round(perDay + boughtToday / days + plan.forOthersPerDay),
  };
}

/** Whether the credits will not cover all outcomes within `MOST_MONTHS`: exports then buy a random sample of them. */
export function isSampleBought({ all_bought_by }: Pick<Outlook, 'all_bought_by'>): boolean {
  return all_bought_by === null;
}

/**
 * `993 outcomes to buy`, `43 not due yet`: the outcomes that are not settled, in four kinds. An outcome is counted in one only.
 * @param isSampleEnough whether to say so of those to buy, because the credits will not cover all of them
 */
export function openOutcomes(
  counts: Readonly<Record<'to_buy' | 'pending' | 'not_due' | 'gone', number>>,
  isSampleEnough = false,
): string[] {
  const open = [
    { n: counts.to_buy, what: isSampleEnough ? 'to buy (a random sample is enough)' : 'to buy' },
    { n: counts.pending, what: 'bought without a figure (asked again after all others)' },
    { n: counts.not_due, what: 'not due yet' },
    { n: counts.gone, what: 'the service no longer has' },
  ].filter(({ n }) => n > 0);
  return open.map(({ n, what }, i) => {
    const number = i === 0 ? pluralize(n, 'outcome') : n;
    return `${number} ${what}`;
  });
}

/**
 * `all are bought by 4 Dec`. If that is too far away: how many are bought by the reset, and how many a day after it. If fewer
 * are bought than come due, they are chosen at random.
 * @param boughtFirst the types of --focus, whose outcomes are bought before all others
 */
export function outlookSentence(outlook: Outlook, boughtFirst: readonly string[] = []): string {
  const { all_bought_by, bought_by_reset: byReset, bought_a_day_then: then } = outlook;
  if (all_bought_by !== null) return `all are bought by ${dayAndMonth(at(all_bought_by))}`;
  if (byReset === 0 && then === 0) return 'no credits are left for outcomes';
  const reset = dayAndMonth(at(outlook.resets_at));
  const sum = byReset === 0 ? 'none' : `about ${byReset}`;
  const daily = dailyWords(outlook, boughtFirst);
  return `${sum} are bought by ${reset}, when the credits reset; after that, ${daily}`;
}

/** How many outcomes are bought a day after the reset. */
function dailyWords(
  { bought_a_day_then: then, due_a_day: due }: Outlook,
  boughtFirst: readonly string[],
): string {
  if (then >= due) return `as many each day as come due (${due})`;
  if (then === 0) return `none of the ${due} that come due each day`;
  const choice = boughtFirst.length === 0 ? 'chosen at random' : `${boughtFirst.join(', ')} first`;
  return `${then} of the ${due} that come due each day, ${choice}`;
}

/**
 * A share in words. Below a quarter `1 in 12`; above it the simplest fraction within 4 percentage points: `3 in 4`. Empty for
 * 0, and for more than 94 %, which no such fraction is near.
 */
export function shareInWords(share: number): string {
  // Below a quarter, four percentage points are too many: they would call 0.1 `1 in 8`.
  if (share < 0.25) return share === 0 ? '' : `1 in ${Math.round(1 / share)}`;
  for (let whole = 2; whole <= 10; whole += 1) {
    const part = Math.max(1, Math.round(share * whole));
    const isNear = Math.abs(part / whole - share) <= 0.04;
    if (part < whole && isNear) return `${part} in ${whole}`;
  }
  return '';
}
