import type { Client } from '../api/client.ts';
import { type Allowances, CREDIT_PERIOD_NAMES, LIMITS } from '../api/limits.ts';
import { dayNumber, HOUR, MINUTE, SECOND } from '../base/units.ts';
import { accountId } from '../config/credentials.ts';
import { ScreenerError } from '../errors.ts';
import type { Notes } from '../runtime/context.ts';
import {
  type CreditsByLimit,
  type LimitName,
  limitsOf,
  narrowest,
  type ReachedLimit,
  reached,
} from './credit-ceiling.ts';
import { type CreditForecast, forecastCredits } from './forecast.ts';
import { type CardLock, Ledger } from './ledger.ts';
import { type Overcharge, PriceCheck } from './price-check.ts';
import {
  type AccessSaid,
  recordAccess,
  recordOvercharge,
  type SinceLastAnswer,
} from './record-access.ts';
import { isAccessDue } from './record-usage.ts';
import { type GateOptions, POLL_INTERVAL, RequestGate } from './request-gate.ts';
import {
  type CreditPeriodNow,
  creditPeriodsNow,
  departures,
  holdsOn,
  type WindowNow,
  windowsNow,
} from './schedule.ts';
import {
  add,
  atMost,
  type DaySpending,
  type MonthByLedger,
  monthByLedger,
  monthLeft,
  type Spending,
  spentOn,
  type Usage,
} from './usage.ts';

export interface AccountOptions extends Omit<GateOptions, 'ledger'> {
  readonly baseUrl: string;
  readonly key: string;
  /** The state directory; undefined leaves no trace (for `--demo`). */
  readonly directory: string | undefined;
  readonly notes: Pick<Notes, 'warn' | 'waiting'>;
  readonly allowances?: Partial<Allowances> | undefined;
}

export interface Connection {
  readonly client: Client;
  readonly account: Account;
}

/** What is known of the account's credits without a request. Credits, unless said otherwise. */
export interface CreditsKnown {
  /** The last answer of `/access`; undefined if it was never asked. */
  readonly access: NonNullable<Usage['access']> | undefined;
  /** Requests of each window, by its field of `/access`. */
  readonly allowances: Usage['allowances'];
  /** What was spent on each of the last UTC days. */
  readonly days: readonly DaySpending[];
  /** What was spent here on this UTC day. */
  readonly today: Spending;
  /** Whether the service said 429 and when to come back: less may be left than is known here. */
  readonly isRefused: boolean;
  /** SCREENER_DAILY; undefined if it is not set. */
  readonly daily: number | undefined;
  /** What SCREENER_DAILY leaves of today; Infinity if it is not set. */
  readonly dailyLeft: number;
  /** What the API's own limits of credits leave of today. */
  readonly dayLeft: number;
  /** The periods of which the API limits the credits: the day. */
  readonly periods: readonly CreditPeriodNow[];
  /** Undefined if `/access` was not asked this month. */
  readonly monthLeft: number | undefined;
  /** What was spent here, or may have been, that the last answer of `/access` does not show. */
  readonly spentSinceAccess: number;
  /** The month as this machine reckons it, where `/access` does not say. */
  readonly monthByLedger: MonthByLedger;
  /** Requests of each window so far. */
  readonly windows: readonly WindowNow[];
  /** Undefined on the first day, and if `/access` was not asked this month. */
  readonly forecast: CreditForecast | undefined;
  /** Undefined if this process did not ask, or nobody had before it. */
  readonly elsewhere: SpentElsewhere | undefined;
}

export interface SpentElsewhere {
  /** What other programs and machines spent. */
  readonly credits: number;
  /** Since when, epoch milliseconds UTC. */
  readonly since: number;
}

/** The last `/access` failed. */
export interface AccessRefusal {
  /** Of HTTP; UNANSWERED where no refusal of the service's own came. */
  readonly status: number;
  /** Whether it is due to be asked again now. */
  readonly isDue: boolean;
}

/** A limit, and the credits that it leaves. */
interface CreditsLeft {
  readonly limit: LimitName;
  readonly credits: number;
}

export class Account {
  /** Hash of base URL and key; reveals neither. */
  readonly id: string;
  readonly keep: number;
  readonly gate: RequestGate;
  readonly #options: AccountOptions;
  readonly #ledger: Ledger;
  readonly #prices = new PriceCheck();
  #sinceLastAnswer: SinceLastAnswer | undefined;

  constructor(options: AccountOptions) {
    const { context, baseUrl, key, directory, allowances = {}, notes } = options;
    this.#options = options;
    this.id = accountId(baseUrl, key);
    this.keep = options.keep ?? 0;
    this.#ledger = new Ledger({
      directory,
      account: this.id,
      allowances: { ...allowances },
      now: () => context.clock.now(),
      warn: (text) => notes.warn(text),
    });
    this.gate = new RequestGate({ ...options, ledger: this.#ledger });
  }

  known(): CreditsKnown {
    const usage = this.#ledger.usage();
    const now = this.#now();
    const limits = this.#limits();
    const ofPeriods = CREDIT_PERIOD_NAMES.map((name) => limits[name]);
    const sinceLastAnswer = this.#sinceLastAnswer;
    return {
      access: usage.access ?? undefined,
      allowances: usage.allowances,
      days: usage.days,
      today: spentOn(usage, dayNumber(now)),
      isRefused: holdsOn(usage, now).some(({ status }) => status === 429),
      daily: this.#options.daily,
      dailyLeft: Math.max(0, limits.daily),
      dayLeft: Math.max(0, Math.min(...ofPeriods)),
      periods: creditPeriodsNow(usage, now),
      monthLeft: monthLeft(usage, now),
      spentSinceAccess: usage.missing + atMost(usage.sinceAccess),
      monthByLedger: monthByLedger(usage, now),
      windows: windowsNow(usage, now),
      forecast: forecastCredits(usage, this.keep, now),
      elsewhere: sinceLastAnswer && {
        credits: sinceLastAnswer.unexplained,
        since: sinceLastAnswer.from,
      },
    };
  }

  /** @returns null if `/access` answered since it was refused last */
  accessRefusal(): AccessRefusal | null {
    const { accessRefused } = this.#ledger.usage();
    if (accessRefused === null) return null;
    return {
      status: accessRefused.status,
      isDue: isAccessDue({ accessRefused }, this.#now()),
    };
  }

  /** The narrowest of --max-credits, SCREENER_DAILY and --keep; Infinity if none is set. */
  ceiling(): CreditsLeft {
    const { max_credits, daily, keep } = this.#limits();
    return narrowest({ max_credits, daily, keep });
  }

  /** The narrowest of all limits: those of `ceiling`, the API's day and the month. */
  left(): CreditsLeft {
    return narrowest(this.#limits());
  }

  reached(limit: LimitName): ReachedLimit {
    return reached(limit, this.#options, this.#ledger.usage(), this.#now());
  }

  #limits(): CreditsByLimit {
    return limitsOf(this.#ledger.usage(), this.#options, this.gate.spent, this.#now());
  }

  #now(): number {
    return this.#options.context.clock.now();
  }

  /**
   * Whether the last answer of `/access` still says enough. It does for an hour; with a reserve for 5 minutes; near the
   * reserve for one request, within a second.
   */
  knowsCreditsLeft(): boolean {
    const usage = this.#ledger.usage();
    const left = monthLeft(usage, this.#now());
    if (usage.access === null || left === undefined) return false;
    const age = this.#now() - usage.access.at;
    if (this.keep === 0) return age < HOUR;
    // Others can take no more than that on a UTC day.
    if (left - this.keep > LIMITS.creditsPerDay) return age < 5 * MINUTE;
    return age < SECOND && usage.sinceAccess.requests === 0;
  }

  /**
   * Takes in an answer of `/access`, and holds the price list against it.
   * @throws ScreenerError overcharged, the second time in a row that more was charged than this command sent for
   */
  observe(access: AccessSaid): void {
    const at = this.#now();
    let since: SinceLastAnswer | undefined;
    this.#ledger.update((usage) => {
      since = recordAccess(usage, access, at);
    });
    this.#sinceLastAnswer = since;
    const overcharge = this.#prices.learn(this.gate.spent, at, since);
    if (overcharge !== undefined) this.#passOn(overcharge, at);
  }

  /** Whether `/access` is to be asked before the next request, because the price list is to be checked. */
  isPriceCheckDue(): boolean {
    const isKept = this.#options.directory !== undefined;
    return isKept && this.#prices.isDue(this.gate.spent) && this.accessRefusal()?.isDue !== false;
  }

  /** What was charged here counts as spent here. @throws ScreenerError overcharged */
  #passOn({ excess, charged, expected, isConfirmed }: Overcharge, at: number): void {
    this.#ledger.update((usage) => recordOvercharge(usage, excess, at));
    add(this.gate.spent, { requests: 0, charged: excess, uncertain: 0 });
    const what = `The service charged ${charged} credits where ${expected} were expected`;
    if (isConfirmed) {
      const hint =
        'Ask the service for its prices: by its document a request costs 1 credit, /signal-stats 5.';
      throw new ScreenerError('overcharged', `${what}, for the second time in a row.`, { hint });
    }
    this.#options.notes.warn(`${what}: its prices may have changed, or others spend, too.`);
  }

  /**
   * Buys a card while no other command does. It begins again where another one took over while this one was suspended.
   * @param buy looks first whether the card has been bought meanwhile; the lock goes with its request
   * @throws what `buy` throws, or the signal's reason
   */
  async buyingCard<T>(card: number, buy: (lock: CardLock) => Promise<T>): Promise<T> {
    for (;;) {
      const lock = await this.#lockCard(card);
      try {
        return await buy(lock);
      } catch (error) {
        if (!lock.isLost) throw error;
      } finally {
        lock.release();
      }
    }
  }

  /** Waits while another command buys the card; behind one that was killed, for 10 seconds. @throws the signal's reason */
  async #lockCard(card: number): Promise<CardLock> {
    const { clock, signal } = this.#options.context;
    for (;;) {
      const lock = this.#ledger.lockCard(card);
      if (lock !== undefined) return lock;
      await clock.sleep(POLL_INTERVAL, signal);
    }
  }

  /** @returns milliseconds that so many requests take; nobody waits for a hold that is longer than --max-wait */
  pace(requests: number): number {
    const usage = this.#ledger.usage();
    const now = this.#now();
    const holds = this.gate.holdOn() === undefined ? usage.holds : [];
    const last = departures({ ...usage, holds }, now, requests).at(-1) ?? now;
    return Math.max(0, last - now);
  }
}
