/** How many credits each limit leaves to a command, and what to tell the user if a limit is reached. Pure. */
import {
  CREDIT_PERIOD_NAMES,
  CREDIT_PERIODS,
  type CreditPeriodName,
  LIMITS,
} from '../api/limits.ts';
import { timeOf } from '../api/time.ts';
import { smallestOf } from '../base/numbers.ts';
import { dayNumber, durationInWords, nextDay, SECOND } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import type { UnknownSpending } from './ledger.ts';
import {
  monthLeft,
  notShownYet,
  recentAccess,
  resetOf,
  type Spending,
  type SpentOfDay,
  spentAtMost,
  spentOfDay,
  spentOn,
  spentWithin,
  type Usage,
} from './usage.ts';

/** The limits of what a command may spend. The first three are the user's, the others the API's. */
export const LIMIT_NAMES = [
  'max_credits',
  'daily',
  'keep',
  ...CREDIT_PERIOD_NAMES,
  'month',
] as const;
export type StandingLimit = (typeof LIMIT_NAMES)[number];
/** `run` is a limit that the run of an export sets itself: the credits that are left when it begins. */
export type LimitName = StandingLimit | 'run';

/** The limits that the user, or a run, sets: credits; undefined is no limit. */
export interface Budgets {
  /** --max-credits: the most that this command may spend, retries included. */
  readonly maxCredits?: number | undefined;
  /** --keep: how many credits are to be left of the month. */
  readonly keep?: number | undefined;
  /** SCREENER_DAILY: the most that all programs on this machine may spend on a UTC day. */
  readonly daily?: number | undefined;
  /** The most that this command may spend while the run of an export lasts. A new day or month does not raise it. */
  readonly run?: number | undefined;
}

/** Whether the account has more credits a month than documented. The daily limit of such an account is not documented. */
function hasLargerMonth({ access }: Pick<Usage, 'access'>): boolean {
  return access !== null && access.credits.limit > LIMITS.creditsPerMonth;
}

/**
 * Whether the account's daily limit is not known here, so that only the service keeps it. If the month's credits are not known
 * either (for example after the reset), the documented daily limit holds until `/access` is answered, so that something bounds
 * the command.
 */
function isDailyLimitUnknown(usage: Usage, now: number): boolean {
  return hasLargerMonth(usage) && monthLeft(usage, now) !== undefined;
}

/** What is known of the credits of this UTC day. */
export interface CreditsOfDay extends Spending, SpentOfDay {
  /** What the service allows a day: 150; undefined if the account's daily limit is not documented. */
  readonly dailyLimitOfService: number | undefined;
  /** `dailyLimitOfService`, or SCREENER_DAILY if that is lower; undefined if there is neither. */
  readonly limit: number | undefined;
}

/** What is known of today's credits. @param daily SCREENER_DAILY; undefined if it is not set */
export function creditsOfToday(usage: Usage, daily: number | undefined, now: number): CreditsOfDay {
  const today = dayNumber(now);
  const isUnknown = isDailyLimitUnknown(usage, now);
  const dailyLimitOfService = isUnknown ? undefined : LIMITS.creditsPerDay;
  const spending = spentOn(usage, today);
  // Credits that `/access` does not show yet count against SCREENER_DAILY, too.
  const notShown = daily === undefined ? 0 : notShownYet(usage, now, today);
  const uncertain = spending.uncertain + notShown;
  return withLimits({ ...spending, uncertain }, { dailyLimitOfService, daily });
}

interface LimitsOfDay extends Pick<CreditsOfDay, 'dailyLimitOfService'> {
  /** SCREENER_DAILY; undefined if it is not set. */
  readonly daily?: number | undefined;
}

/** The spending of a day, with the limits of that day. */
export function withLimits(
  spending: Spending,
  { dailyLimitOfService, daily }: LimitsOfDay,
): CreditsOfDay {
  return {
    ...spending,
    ...spentOfDay(spending, dailyLimitOfService),
    dailyLimitOfService,
    limit: smallestOf([daily, dailyLimitOfService]),
  };
}

/** The credits that each limit leaves. They are below 0 if a limit was exceeded, and undefined if it is not set or not known. */
export type CreditsByLimit = Readonly<Record<LimitName, number | undefined>>;

/** What each limit leaves. @param spent what this command has spent */
export function creditsByLimit(
  usage: Usage,
  { maxCredits, daily, keep = 0, run }: Budgets,
  spent: Spending,
  now: number,
): CreditsByLimit {
  const month = monthLeft(usage, now);
  const today = dayNumber(now);
  const isUnknown = isDailyLimitUnknown(usage, now);
  const periods = CREDIT_PERIODS.map(({ name, days, credits }) => {
    const spentHere = spentAtMost(spentWithin(usage, today - days + 1, today));
    return [name, isUnknown ? undefined : credits - spentHere] as const;
  });
  const spentByCommand = spentAtMost(spent);
  return {
    max_credits: minus(maxCredits, spentByCommand),
    daily: minus(daily, spentAtMost(spentOn(usage, today)) + notShownYet(usage, now, today)),
    ...(Object.fromEntries(periods) as Record<CreditPeriodName, number | undefined>),
    month,
    keep: keep === 0 ? undefined : minus(month, keep + notShownYet(usage, now)),
    run: minus(run, spentByCommand),
  };
}

/** What is left of a limit after these credits. @returns undefined if there is no limit */
function minus(limit: number | undefined, credits: number): number | undefined {
  return limit === undefined ? undefined : limit - credits;
}

/** A limit, and the credits that it leaves. */
export interface CreditsLeft<Limit extends LimitName = LimitName> {
  readonly limit: Limit;
  /** Never below 0. */
  readonly credits: number;
}

/** A period that leaves too few credits. */
interface SpentPeriod extends CreditsLeft<CreditPeriodName> {
  /** The period in `2 credits are left today`: `today`. */
  readonly words: string;
}

/**
 * Finds a period of the document that leaves fewer credits than a request costs: the service would refuse the request. Credits
 * that are only possibly charged do not count: a request that may still be answered is sent.
 *
 * In two cases no period is found, and the request is sent, because only the service knows what is left: if the account's daily
 * limit is not known here, and if the service's clock has another day than this machine's.
 * @param cost of the request, credits
 * @param serviceNow the time by the service's clock, epoch milliseconds UTC. Without it the last answer of `/access` tells
 *   that time, if it came within 5 minutes.
 * @returns the period and the credits that it leaves; undefined if the request may be answered
 */
export function periodWithTooFew(
  usage: Usage,
  cost: number,
  now: number,
  serviceNow = serviceTimeByAccess(usage, now),
): SpentPeriod | undefined {
  const today = dayNumber(now);
  const isOtherDayThere = dayNumber(serviceNow) !== today;
  if (cost === 0 || isDailyLimitUnknown(usage, now) || isOtherDayThere) return undefined;
  for (const { name, words, days, credits } of CREDIT_PERIODS) {
    const left = credits - spentWithin(usage, today - days + 1, today).charged;
    if (left < cost) return { limit: name, words, credits: Math.max(0, left) };
  }
  return undefined;
}

/** The service's time as a recent answer of `/access` tells it; otherwise this machine's time. Epoch milliseconds UTC. */
function serviceTimeByAccess(usage: Usage, now: number): number {
  const { at, serviceAt } = recentAccess(usage, now) ?? {};
  return at === undefined || serviceAt === undefined ? now : now + (serviceAt - at);
}

/** The limit that leaves the fewest credits; among equals the first. @returns undefined if none is set and known */
export function narrowest<Limit extends LimitName>(
  limits: Readonly<Record<Limit, number | undefined>>,
): CreditsLeft<Limit> | undefined {
  const all = Object.entries(limits) as [Limit, number | undefined][];
  const fewest = smallestOf(all.map(([, left]) => left));
  const narrowestLimit = all.find(([, left]) => left !== undefined && left === fewest);
  if (fewest === undefined || narrowestLimit === undefined) return undefined;
  return { limit: narrowestLimit[0], credits: Math.max(0, fewest) };
}

/** A sentence for errors: what can be done without credits. */
export const FREE_MEANWHILE =
  'With --local, `signals`, `screeners` and `stats` read your history for free.';

/** A limit that is reached, in words. */
export interface ReachedLimit {
  /** A sentence without its full stop. */
  readonly what: string;
  /** When there will be more credits, epoch milliseconds UTC; undefined if waiting does not help. */
  readonly until: number | undefined;
  /** `until` in words; empty if waiting does not help. */
  readonly when: string;
  /** What to do about it: a sentence. */
  readonly hint: string;
}

/** Says that a limit is reached, until when, and what to do about it. */
export function limitReached(
  limit: LimitName,
  budgets: Budgets,
  { access, days }: Pick<Usage, 'access' | 'days'>,
  now: number,
): ReachedLimit {
  const reset = access === null ? undefined : resetOf(access.credits, now);
  const isDocumented = !hasLargerMonth({ access });
  const period = CREDIT_PERIODS.find(({ name }) => name === limit);
  const today = dayNumber(now);
  const firstDay = period === undefined ? today : today - period.days + 1;
  const spending = spentWithin({ days }, firstDay, today);
  const { possiblySpent } = spentOfDay(spending, isDocumented ? period?.credits : undefined);
  const { what, until, remedy } = limitInWords(limit, budgets, {
    midnight: nextDay(now),
    reset,
    period,
    possiblySpent,
    isDocumented,
  });
  if (until === undefined) return { what, until, when: '', hint: `${remedy}.` };
  const when = timeInWords(until, now);
  return { what, until, when, hint: `${remedy} until ${when}.` };
}

interface LimitInWords extends Pick<ReachedLimit, 'what' | 'until'> {
  /** What to do about it: the beginning of a sentence, to which `until` may be added. */
  readonly remedy: string;
}

/** What is known when a limit is reached. */
interface AtLimit {
  /** When the next UTC day begins, epoch milliseconds UTC. */
  readonly midnight: number;
  /** When the next month begins, epoch milliseconds UTC; undefined if `/access` was never answered. */
  readonly reset: number | undefined;
  /** The period of the limit; undefined if the limit is for no period of whole days. */
  readonly period: (typeof CREDIT_PERIODS)[number] | undefined;
  /** Credits of that period that are only possibly charged. */
  readonly possiblySpent: number;
  /** Whether the limits of the document hold for the account. */
  readonly isDocumented: boolean;
}

/** Says that a limit is reached. Each limit has its own sentence, end and remedy. */
function limitInWords(
  limit: LimitName,
  { maxCredits, keep, daily }: Budgets,
  { midnight, reset, period, possiblySpent, isDocumented }: AtLimit,
): LimitInWords {
  switch (limit) {
    case 'max_credits':
      return {
        what: `--max-credits ${maxCredits} is reached`,
        until: undefined,
        remedy: 'Raise --max-credits',
      };
    case 'keep':
      return {
        what: `--keep ${keep} is reached`,
        until: reset,
        remedy: 'Lower --keep (or SCREENER_KEEP), or wait',
      };
    case 'daily':
      return {
        what: `SCREENER_DAILY=${daily} is reached`,
        until: midnight,
        remedy: 'Raise SCREENER_DAILY, or wait',
      };
    case 'month':
      return { what: "The month's credits are spent", until: reset, remedy: 'Wait' };
    case 'run':
      return {
        what: 'The credits that were left when this run began are spent',
        until: undefined,
        remedy: 'Run it again',
      };
    default: {
      const allowance = isDocumented ? `${period?.credits} ` : '';
      const inDoubt = possiblySpent === 0 ? '' : ` (${possiblySpent} only possibly)`;
      // Of a period of several days, only what was spent on its first day would come back then.
      return {
        what: `The ${limit}'s ${allowance}credits are spent${inDoubt}`,
        until: midnight,
        remedy: 'Wait',
      };
    }
  }
}

/** The error for a budget that cannot be kept, because what was spent is not known; undefined if no such budget is set. */
export function budgetUnknown(
  { reason, until }: UnknownSpending,
  { keep, daily }: Budgets,
  now: number,
): ScreenerError | undefined {
  if (daily === undefined && !keep) return undefined;
  let budget = `--keep ${keep}`;
  let option = '--keep (SCREENER_KEEP)';
  if (daily !== undefined) {
    budget = `SCREENER_DAILY=${daily}`;
    option = 'SCREENER_DAILY';
  }
  const remedy =
    until === undefined ? 'Repair the ledger' : `Wait until ${timeInWords(until, now)}`;
  return new ScreenerError(
    'budget_unknown',
    `${budget} cannot be kept: ${reason}, so what was spent today is not known.`,
    {
      hint: `${remedy}, or leave out ${option}.`,
      retryAt: until,
      retryAfter: secondsUntil(until, now),
    },
  );
}

function timeInWords(until: number, now: number): string {
  return `${timeOf(until)}, in ${durationInWords(until - now)}`;
}

/** Whole seconds until a time, rounded up; undefined if there is no time. */
export function secondsUntil(until: number | undefined, now: number): number | undefined {
  return until === undefined ? undefined : Math.ceil((until - now) / SECOND);
}
