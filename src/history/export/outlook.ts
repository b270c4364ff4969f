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
  /** Credits that may still be spent today, by the daily limits. */
  readonly leftToday: number;
  /** Credits for outcomes in each month after the reset. */
  readonly forOutcomesAfterReset: number;
  /** The most credits for outcomes on a day. */
  readonly mostPerDay: number;
  /** Credits that exports spend a day on everything but outcomes. */
  readonly forOthersPerDay: number;
}

/** Days in a row after today, and what may be spent on outcomes in them. */
interface BuyingPeriod {
  /** Days since 1970, UTC. */
  readonly firstDay: number;
  readonly days: number;
  readonly credits: number;
  /** What of the credits is spent before the first day. */
  readonly boughtBefore: number;
}

export function foresee(
  { at: now, buyable, cardsPerDay }: Pick<Survey, 'at' | 'buyable' | 'cardsPerDay'>,
  plan: OutlookPlan,
): Outlook {
  const { resetsAt, forOutcomes, boughtToday, leftToday, forOutcomesAfterReset, mostPerDay } = plan;
  const today = dayNumber(now);
  const mostToday = Math.max(0, Math.min(mostPerDay - boughtToday, leftToday));
  let backlog = buyable.length;
  let lastWaitEnds = now;
  /** Outcomes to buy on each of so many days: the usual most if the credits then cover all, else an equal share. */
  const shareOfDay = (credits: number, days: number, daysOfNewCards: number): number => {
    const isAllAffordable = backlog + daysOfNewCards * cardsPerDay <= credits;
    return isAllAffordable ? mostPerDay : Math.min(mostPerDay, credits / days);
  };
  /** Takes one day's purchases from `backlog`. Sets `lastWaitEnds` if something still waits. @returns outcomes bought */
  const buyOn = (day: number, most: number): number => {
    const bought = Math.max(0, Math.min(backlog, most));
    backlog -= bought;
    if (backlog >= 1) lastWaitEnds = (day + 1) * DAY;
    return bought;
  };
  /** @returns outcomes bought with the credits, `boughtBefore` included */
  const buyDaily = (period: BuyingPeriod, perDay: number): number => {
    const { firstDay, days, credits, boughtBefore } = period;
    let bought = boughtBefore;
    for (let day = firstDay; day < firstDay + days; day += 1) {
      backlog += cardsPerDay;
      bought += buyOn(day, Math.min(perDay, credits - bought));
    }
    return bought;
  };

  const days = Math.max(1, Math.ceil(resetsAt / DAY) - today);
  // Today brings no new cards here: what comes due today is already in the backlog.
  const otherDays = days - 1;
  const perDay = shareOfDay(forOutcomes, days, otherDays);
  const buysToday = buyOn(today, Math.min(perDay, mostToday, forOutcomes));
  // What today cannot buy is spread over the other days.
  const shareOfOtherDay = Math.min(mostPerDay, (forOutcomes - buysToday) / otherDays);
  const perOtherDay = mostToday < perDay ? shareOfOtherDay : perDay;
  const untilReset = {
    firstDay: today + 1,
    days: otherDays,
    credits: forOutcomes,
    boughtBefore: buysToday,
  };
  const boughtByReset = buyDaily(untilReset, perOtherDay);

  const buyInMonth = (monthsAfterReset: number): number => {
    const firstDay = today + days + monthsAfterReset * MONTH_DAYS;
    const month = { firstDay, days: MONTH_DAYS, credits: forOutcomesAfterReset, boughtBefore: 0 };
    return buyDaily(month, shareOfDay(forOutcomesAfterReset, MONTH_DAYS, MONTH_DAYS));
  };
  const boughtInFirstMonth = buyInMonth(0);
  for (let months = 1; backlog >= 1 && months < MOST_MONTHS; months += 1) buyInMonth(months);

  // `boughtByReset` lacks what was bought today before this moment.
  const outcomesPerDay = boughtByReset / days + boughtToday / days;
  return {
    resets_at: formatApiTime(resetsAt),
    bought_by_reset: Math.round(boughtByReset),
    all_bought_by: backlog >= 1 ? null : formatApiTime(lastWaitEnds),
    due_a_day: Math.round(cardsPerDay),
    bought_a_day_then: Math.round(boughtInFirstMonth / MONTH_DAYS),
    credits_a_day: Math.round(outcomesPerDay + plan.forOthersPerDay),
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
  const { all_bought_by, bought_by_reset: byReset, bought_a_day_then: afterReset } = outlook;
  if (all_bought_by !== null) return `all are bought by ${dayAndMonth(at(all_bought_by))}`;
  if (byReset === 0 && afterReset === 0) return 'no credits are left for outcomes';
  const reset = dayAndMonth(at(outlook.resets_at));
  const sum = byReset === 0 ? 'none' : `about ${byReset}`;
  const daily = dailyWords(outlook, boughtFirst);
  return `${sum} are bought by ${reset}, when the credits reset; after that, ${daily}`;
}

/** How many outcomes are bought a day after the reset. */
function dailyWords(
  { bought_a_day_then: bought, due_a_day: due }: Outlook,
  boughtFirst: readonly string[],
): string {
  if (bought >= due) return `as many each day as come due (${due})`;
  if (bought === 0) return `none of the ${due} that come due each day`;
  const choice = boughtFirst.length === 0 ? 'chosen at random' : `${boughtFirst.join(', ')} first`;
  return `${bought} of the ${due} that come due each day, ${choice}`;
}
