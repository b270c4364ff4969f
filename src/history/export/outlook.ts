/** Foresees what exports buy and spend if they go on at their pace: until the month's credits reset, and in the months after that. */
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, dayAndMonth, dayNumber, pluralize } from '../../base/units.ts';
import type { Survey } from './survey.ts';

/** What exports will do. */
export interface Outlook {
  /** When the month's credits are reset, API time. */
  readonly resets_at: string;
  /** Outcomes bought until the reset. */
  readonly bought_by_reset: number;
  /** When no due outcome will wait any more, API time; null if outcomes still wait 10 months after the reset. */
  readonly all_bought_by: string | null;
  /** How many outcomes come due per day. */
  readonly due_a_day: number;
  /** How many outcomes are bought per day in the month after the reset. */
  readonly bought_a_day_then: number;
  /** How many credits exports spend per day until the reset. */
  readonly credits_a_day: number;
}

/** Days of a month after the reset. */
export const MONTH_DAYS = 30;

/** How many months after the reset are foreseen. They are fewer than 12, so that a date such as `4 Dec` needs no year. */
const MOST_MONTHS = 10;

/** The credits that an outlook is made from. An outcome costs one. */
interface OutlookPlan {
  /** Epoch milliseconds UTC. */
  readonly resetsAt: number;
  /** Credits for outcomes until the reset. */
  readonly creditsForOutcomes: number;
  /** Outcomes that were bought today before this run. */
  readonly boughtEarlierToday: number;
  /** Credits that may still be spent today, by the daily limits. */
  readonly leftToday: number;
  /** Credits for outcomes in each month after the reset. */
  readonly creditsForOutcomesAfterReset: number;
  /** The most credits for outcomes on a day. */
  readonly mostPerDay: number;
  /** Credits that exports spend a day on everything but outcomes. */
  readonly otherCreditsPerDay: number;
}

/** Credits for outcomes, and the days that share them. */
interface CreditsForDays {
  readonly credits: number;
  readonly days: number;
  /** For how many days new cards add to the backlog. */
  readonly daysOfNewCards: number;
}

/** Days in a row after today, and what may be spent on outcomes in them. */
interface BuyingPeriod {
  /** Whole UTC days since 1970. */
  readonly firstDay: number;
  readonly days: number;
  readonly credits: number;
}

/**
 * Goes through the coming days, one by one, from today. Each day after today first adds the new cards to the backlog of outcomes.
 * Then each day, today too, takes its purchases from the backlog.
 */
export function foresee(
  { now, buyable, cardsPerDay }: Pick<Survey, 'now' | 'buyable' | 'cardsPerDay'>,
  plan: OutlookPlan,
): Outlook {
  const {
    resetsAt,
    creditsForOutcomes,
    boughtEarlierToday,
    leftToday,
    creditsForOutcomesAfterReset,
    mostPerDay,
  } = plan;
  const today = dayNumber(now);
  const mostToday = Math.max(0, Math.min(mostPerDay - boughtEarlierToday, leftToday));
  // Each of the functions below goes on from these two values, and changes them. So the order of the calls counts.
  let backlog = buyable.length;
  let earliestAllBought = now;
  /** The backlog is a fraction, because the cards of a day are an average: less than one outcome counts as none. */
  const isAnyWaiting = () => backlog >= 1;
  /**
   * How many outcomes may be bought on each of `days` days. If the credits pay for the backlog and for the new cards of
   * `daysOfNewCards` days, the only limit is `mostPerDay`. Otherwise each day gets an equal share of the credits.
   */
  const mostOfEachDay = ({ credits, days, daysOfNewCards }: CreditsForDays): number => {
    const isAllAffordable = backlog + daysOfNewCards * cardsPerDay <= credits;
    return isAllAffordable ? mostPerDay : Math.min(mostPerDay, credits / days);
  };
  /** Takes one day's purchases from the backlog. @returns outcomes bought */
  const buyOn = (day: number, most: number): number => {
    const bought = Math.max(0, Math.min(backlog, most));
    backlog -= bought;
    // As long as an outcome waits after a day, all are bought on the next day at the earliest.
    if (isAnyWaiting()) earliestAllBought = (day + 1) * DAY;
    return bought;
  };
  /** Goes through the days of a period. @returns outcomes bought */
  const buyDaily = ({ firstDay, days, credits }: BuyingPeriod): number => {
    const perDay = mostOfEachDay({ credits, days, daysOfNewCards: days });
    let bought = 0;
    for (let day = firstDay; day < firstDay + days; day += 1) {
      backlog += cardsPerDay;
      bought += buyOn(day, Math.min(perDay, credits - bought));
    }
    return bought;
  };

  const days = Math.max(1, Math.ceil(resetsAt / DAY) - today);
  // Exports run once a day, and this is today's run: what comes due later today is bought tomorrow. So new cards come on one day
  // fewer than outcomes are bought.
  const daysAfterToday = days - 1;
  const shareOfToday = mostOfEachDay({
    credits: creditsForOutcomes,
    days,
    daysOfNewCards: daysAfterToday,
  });
  const toBuyToday = buyOn(today, Math.min(shareOfToday, mostToday, creditsForOutcomes));
  let boughtByReset = toBuyToday;
  // Without days, a day's share of the credits would be no number.
  if (daysAfterToday > 0) {
    boughtByReset += buyDaily({
      firstDay: today + 1,
      days: daysAfterToday,
      credits: creditsForOutcomes - toBuyToday,
    });
  }

  /** Goes through a month. @param monthsAfterReset 0 for the first month after the reset @returns outcomes bought */
  const buyInMonth = (monthsAfterReset: number): number => {
    const firstDay = today + days + monthsAfterReset * MONTH_DAYS;
    return buyDaily({ firstDay, days: MONTH_DAYS, credits: creditsForOutcomesAfterReset });
  };
  const boughtInFirstMonth = buyInMonth(0);
  // The further months only show how long outcomes wait. Their purchases are not counted, but `buyOn` changes `backlog` and
  // `earliestAllBought`.
  for (let months = 1; isAnyWaiting() && months < MOST_MONTHS; months += 1) buyInMonth(months);

  // `days` begin with today, so what was bought earlier today counts, too.
  const outcomesPerDay = (boughtByReset + boughtEarlierToday) / days;
  return {
    resets_at: formatApiTime(resetsAt),
    bought_by_reset: Math.round(boughtByReset),
    all_bought_by: isAnyWaiting() ? null : formatApiTime(earliestAllBought),
    due_a_day: Math.round(cardsPerDay),
    bought_a_day_then: Math.round(boughtInFirstMonth / MONTH_DAYS),
    credits_a_day: Math.round(outcomesPerDay + plan.otherCreditsPerDay),
  };
}

/**
 * Whether exports will buy only a sample of the outcomes, because the credits of 10 months do not cover all. The sample is random,
 * unless --focus names the types to buy first.
 */
export function isSampleBought({ all_bought_by }: Pick<Outlook, 'all_bought_by'>): boolean {
  return all_bought_by === null;
}

/**
 * `993 outcomes to buy`, `43 not due yet`: how many outcomes of each kind have no figure. Each outcome is of one kind.
 * @param isSampleEnough true if the credits will not cover all outcomes: then the text says that a random sample is enough
 */
export function openOutcomes(
  counts: Readonly<Record<'to_buy' | 'pending' | 'not_due' | 'gone', number>>,
  isSampleEnough = false,
): string[] {
  const kinds = [
    { n: counts.to_buy, what: isSampleEnough ? 'to buy (a random sample is enough)' : 'to buy' },
    { n: counts.pending, what: 'bought without a figure (asked again later)' },
    { n: counts.not_due, what: 'not due yet' },
    { n: counts.gone, what: 'that the service no longer has' },
  ].filter(({ n }) => n > 0);
  return kinds.map(({ n, what }, i) => {
    const number = i === 0 ? pluralize(n, 'outcome') : n;
    return `${number} ${what}`;
  });
}

/**
 * `all are bought by 4 Dec`, or `about 300 are bought by 1 Dec, when the credits reset; after that, 28 of the 38 that come due
 * each day, chosen at random`.
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

/** `as many each day as come due (38)`, `28 of the 38 that come due each day, chosen at random`. */
function dailyWords(
  { bought_a_day_then: bought, due_a_day: due }: Outlook,
  boughtFirst: readonly string[],
): string {
  if (bought >= due) return `as many each day as come due (${due})`;
  if (bought === 0) return `none of the ${due} that come due each day`;
  const choice = boughtFirst.length === 0 ? 'chosen at random' : `${boughtFirst.join(', ')} first`;
  return `${bought} of the ${due} that come due each day, ${choice}`;
}
