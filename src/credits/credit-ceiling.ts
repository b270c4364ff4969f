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
  atMost,
  monthLeft,
  notShownYet,
  recentAccess,
  resetOf,
  type Spending,
  type SpentOfDay,
  spentOfDay,
  spentOn,
  spentWithin,
  type Usage,
} from './usage.ts';

/** The limits of what a command may spend, before it begins: three are the user's, the others the API's. */
export const LIMIT_NAMES = [
  'max_credits',
  'daily',
  'keep',
  ...CREDIT_PERIOD_NAMES,
  'month',
] as const;
export type StandingLimit = (typeof LIMIT_NAMES)[number];
/** `run` is the limit that the run of an export sets itself when it begins: see `Budgets`. */
export type LimitName = StandingLimit | 'run';

/** The user's own limits, in credits; undefined is no limit. */
export interface Budgets {
  /** --max-credits: the most that this command may spend, retries included. */
  readonly maxCredits?: number | undefined;
  /** --keep: how many credits are to be left of the month. */
  readonly keep?: number | undefined;
  /** SCREENER_DAILY: the most that all programs on this machine may spend on a UTC day. */
  readonly daily?: number | undefined;
  /** The credits that were left when the run of an export began: it said so, and a new day or month adds none. */
  readonly run?: number | undefined;
}

/** Whether the account has a larger month than the document says: another agreement, with a day that nobody knows here. */
function hasLargerMonth({ access }: Pick<Usage, 'access'>): boolean {
  return access !== null && access.credits.limit > LIMITS.creditsPerMonth;
}

/**
 * Whether the service alone limits the account's day, because nobody knows it here. Where the month's credits are not known
 * either, the document's day holds until `/access` is answered: something has to bound a command.
 */
function isDayUnknown(usage: Usage, now: number): boolean {
  return hasLargerMonth(usage) && monthLeft(usage, now) !== undefined;
}

/** What is known of the credits of this UTC day. */
export interface CreditsOfDay extends Spending, SpentOfDay {
  /** What the service allows; undefined if nobody knows it here. */
  readonly ofService: number | undefined;
  /** The same, or SCREENER_DAILY if that is lower; undefined if the one is not known, and the other not set. */
  readonly limit: number | undefined;
}

/** @param daily SCREENER_DAILY; undefined if it is not set */
export function creditsOfToday(usage: Usage, daily: number | undefined, now: number): CreditsOfDay {
  const today = dayNumber(now);
  const ofService = isDayUnknown(usage, now) ? undefined : LIMITS.creditsPerDay;
  const spending = spentOn(usage, today);
  // The page of a budget says what counts for it.
  const notShown = daily === undefined ? 0 : notShownYet(usage, now, today);
  const uncertain = spending.uncertain + notShown;
  return withLimits({ ...spending, uncertain }, { ofService, daily });
}

/** @param limits of the day, credits; undefined where there is none, or nobody knows it */
export function withLimits(
  spending: Spending,
  {
    ofService,
    daily,
  }: { readonly ofService: number | undefined; readonly daily?: number | undefined },
): CreditsOfDay {
  const limit = smallestOf([daily, ofService]);
  return { ...spending, ...spentOfDay(spending, ofService), ofService, limit };
}

/** The credits that each limit leaves, which may be fewer than 0; undefined if the limit is not set or not known. */
export type CreditsByLimit = Readonly<Record<LimitName, number | undefined>>;

/** @param spent by this command */
export function limitsOf(
  usage: Usage,
  { maxCredits, daily, keep = 0, run }: Budgets,
  spent: Spending,
  now: number,
): CreditsByLimit {
  const month = monthLeft(usage, now);
  const today = dayNumber(now);
  const isUnknown = isDayUnknown(usage, now);
  const periods = CREDIT_PERIODS.map(({ name, days, credits }) => {
    const spentHere = atMost(spentWithin(usage, today - days + 1, today));
    return [name, isUnknown ? undefined : credits - spentHere] as const;
  });
  const spentByCommand = atMost(spent);
  return {
    max_credits: less(maxCredits, spentByCommand),
    daily: less(daily, atMost(spentOn(usage, today)) + notShownYet(usage, now, today)),
    ...(Object.fromEntries(periods) as Record<CreditPeriodName, number | undefined>),
    month,
    keep: keep === 0 ? undefined : less(month, keep + notShownYet(usage, now)),
    run: less(run, spentByCommand),
  };
}

/** @returns undefined if there is no limit */
function less(limit: number | undefined, credits: number): number | undefined {
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
  /** When they are left: `today`. */
  readonly words: string;
}

/**
 * The period of the document that leaves fewer credits than a request costs, so that the service would refuse it. Credits
 * that are only possibly charged do not count: a request that may still be answered is sent.
 *
 * Where nobody knows the account's day, and if it is another day for the service, so that this machine's clock is wrong,
 * the service itself has to say that the credits are spent.
 * @param cost of the request, credits
 * @param serviceNow by the service's clock, as `now` by this machine's: epoch milliseconds UTC; without it, as the last answer
 *   of `/access` told it, if that is recent
 * @returns the period and the credits that it leaves; undefined if the request may be answered
 */
export function spentPeriod(
  usage: Usage,
  cost: number,
  now: number,
  serviceNow = serviceTimeByAccess(usage, now),
): SpentPeriod | undefined {
  const today = dayNumber(now);
  if (cost === 0 || isDayUnknown(usage, now) || dayNumber(serviceNow) !== today) return undefined;
  for (const { name, words, days, credits } of CREDIT_PERIODS) {
    const left = credits - spentWithin(usage, today - days + 1, today).charged;
    if (left < cost) return { limit: name, words, credits: Math.max(0, left) };
  }
  return undefined;
}

/** The service's time, epoch milliseconds UTC: this machine's, if no answer of `/access` has told of it within some minutes. */
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
  if (fewest === undefined) return undefined;
  const names = all.filter(([, left]) => left === fewest).map(([name]) => name);
  return { limit: names[0] as Limit, credits: Math.max(0, fewest) };
}

/** What can be done without credits: a sentence. */
export const FREE_MEANWHILE =
  'With --local, `signals`, `screeners` and `stats` read your history for free.';

/** A limit that is reached, in words. */
export interface ReachedLimit {
  /** A sentence without its full stop. */
  readonly what: string;
  /** When there will be more credits, epoch milliseconds UTC; undefined if waiting is of no use. */
  readonly until: number | undefined;
  /** The same in words; empty if waiting is of no use. */
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
  const spending = spentOn({ days }, dayNumber(now));
  const { possibly } = spentOfDay(spending, isDocumented ? LIMITS.creditsPerDay : undefined);
  const { what, until, remedy } = meaningOf(limit, budgets, {
    midnight: nextDay(now),
    reset,
    possibly,
    isDocumented,
  });
  const when = until === undefined ? '' : whenInWords(until, now);
  return { what, until, when, hint: when === '' ? `${remedy}.` : `${remedy} until ${when}.` };
}

interface LimitMeaning extends Pick<ReachedLimit, 'what' | 'until'> {
  /** What to do about it: the beginning of a sentence, to which `until` may be added. */
  readonly remedy: string;
}

/** What is known when a limit is reached. */
interface AtLimit {
  /** When the next UTC day begins, epoch milliseconds UTC. */
  readonly midnight: number;
  /** When the next month begins, epoch milliseconds UTC; undefined if nobody knows. */
  readonly reset: number | undefined;
  /** Credits of the day that are only possibly charged. */
  readonly possibly: number;
  /** Whether the account has the document's limits. */
  readonly isDocumented: boolean;
}

function meaningOf(
  limit: LimitName,
  { maxCredits, keep, daily }: Budgets,
  { midnight, reset, possibly, isDocumented }: AtLimit,
): LimitMeaning {
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
      const period = CREDIT_PERIODS.find(({ name }) => name === limit);
      const number = isDocumented ? `${period?.credits} ` : '';
      const inDoubt = possibly === 0 ? '' : ` (${possibly} only possibly)`;
      // In a period of several days the oldest day stops counting at midnight.
      return {
        what: `The ${limit}'s ${number}credits are spent${inDoubt}`,
        until: midnight,
        remedy: 'Wait',
      };
    }
  }
}

/** @returns the error to throw if a budget is set whose spending is not known; undefined if no such budget is set */
export function budgetUnknown(
  { reason, until }: UnknownSpending,
  { keep, daily }: Budgets,
  now: number,
): ScreenerError | undefined {
  if (daily === undefined && !keep) return undefined;
  const budget = daily === undefined ? `--keep ${keep}` : `SCREENER_DAILY=${daily}`;
  const option = daily === undefined ? '--keep (SCREENER_KEEP)' : 'SCREENER_DAILY';
  const remedy = until === undefined ? 'Mend it' : `Wait until ${whenInWords(until, now)}`;
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

function whenInWords(until: number, now: number): string {
  return `${timeOf(until)}, in ${durationInWords(until - now)}`;
}

/** Whole seconds until a time, rounded up; undefined if there is no time. */
export function secondsUntil(until: number | undefined, now: number): number | undefined {
  return until === undefined ? undefined : Math.ceil((until - now) / SECOND);
}
