import type { Client } from '../api/client.ts';
import { type Allowances, CREDIT_PERIOD_NAMES, LIMITS } from '../api/limits.ts';
import { accountId } from '../config/credentials.ts';
import { ScreenerError } from '../errors.ts';
import type { Notes } from '../runtime/context.ts';
import { dayNumber, HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import { type LimitName, limitsOf, narrowest, reached } from './credit-ceiling.ts';
import { forecastCredits } from './forecast.ts';
import { type CardLock, Ledger } from './ledger.ts';
import { type Overcharge, PriceCheck } from './price-check.ts';
import {
  type AccessSaid,
  recordAccess,
  recordOvercharge,
  type SinceLastAnswer,
} from './record-access.ts';
import { isAccessDue } from './record-usage.ts';
import { type GateOptions, LOOK_EVERY, RequestGate } from './request-gate.ts';
import { creditPeriodsNow, departures, holdsOn, windowsNow } from './schedule.ts';
import { add, monthByLedger, monthLeft, spentOn } from './usage.ts';

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

export type CreditsKnown = ReturnType<Account['known']>;

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
    const [now, warn] = [() => context.clock.now(), (text: string) => notes.warn(text)];
    this.#ledger = new Ledger({
      directory,
      account: this.id,
      allowances: { ...allowances },
      now,
      warn,
    });
    this.gate = new RequestGate({ ...options, ledger: this.#ledger });
  }

  known() {
    const [usage, now] = this.#look();
    const since = this.#sinceLastAnswer;
    const limits = this.#limits();
    const ofPeriods = CREDIT_PERIOD_NAMES.map((name) => limits[name]);
    return {
      /** Undefined if `/access` was never asked. */
      access: usage.access ?? undefined,
      allowances: usage.allowances,
      days: usage.days,
      today: spentOn(usage, dayNumber(now)),
      /** Whether the service said 429 and when to come back: less may be left than is known here. */
      isRefused: holdsOn(usage, now)[0]?.status === 429,
      daily: this.#options.daily,
      dailyLeft: Math.max(0, limits.daily),
      /** Of the periods that the API limits, the day among them. */
      dayLeft: Math.max(0, Math.min(...ofPeriods)),
      periods: creditPeriodsNow(usage, now),
      /** Undefined if `/access` was not asked this month. */
      monthLeft: monthLeft(usage, now),
      monthByLedger: monthByLedger(usage, now),
      windows: windowsNow(usage, now),
      forecast: forecastCredits(usage, this.keep, now),
      /** Undefined if this process did not ask, or nobody had before it. */
      elsewhere: since && { credits: since.unexplained, since: since.from },
    };
  }

  /** Of `/access`: the status of its last refusal, and whether it is asked again; null if it answered since. */
  accessRefusal() {
    const [{ accessRefused }, now] = this.#look();
    return (
      accessRefused && { status: accessRefused.status, isDue: isAccessDue({ accessRefused }, now) }
    );
  }

  /** What --max-credits, SCREENER_DAILY and --keep allow; Infinity if none is a limit. */
  ceiling() {
    const { max_credits, daily, keep } = this.#limits();
    return narrowest({ max_credits, daily, keep });
  }

  /** The narrowest of those, the day's 150 and the month's credits. */
  left() {
    return narrowest(this.#limits());
  }

  reached(limit: LimitName) {
    return reached(limit, this.#options, ...this.#look());
  }

  #limits() {
    const [usage, now] = this.#look();
    return limitsOf(usage, this.#options, this.gate.spent, now);
  }

  #look() {
    return [this.#ledger.usage(), this.#options.context.clock.now()] as const;
  }

  /** An answer of `/access` holds for an hour, with a reserve for 5 minutes, near it for one request. */
  knowsCreditsLeft(): boolean {
    const [usage, now] = this.#look();
    const left = monthLeft(usage, now);
    if (usage.access === null || left === undefined) return false;
    const age = now - usage.access.at;
    if (this.keep === 0) return age < HOUR;
    // Neighbours can take no more than that today.
    if (left - this.keep > LIMITS.creditsPerDay) return age < 5 * MINUTE;
    return age < SECOND && usage.sinceAccess.requests === 0;
  }

  /**
   * Takes in an answer of `/access`, and holds the price list against it.
   * @throws ScreenerError overcharged, the second time in a row that more was charged than this command sent for
   */
  observe(access: AccessSaid): void {
    const at = this.#options.context.clock.now();
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

  /** Waits while another command buys the card. @throws the signal's reason */
  async #lockCard(card: number): Promise<CardLock> {
    const { clock, signal } = this.#options.context;
    for (;;) {
      const lock = this.#ledger.lockCard(card);
      if (lock !== undefined) return lock;
      await clock.sleep(LOOK_EVERY, signal);
    }
  }

  /** @returns milliseconds that so many requests take; nobody waits for a hold that is longer than --max-wait */
  pace(requests: number): number {
    const [usage, at] = this.#look();
    const holds = this.gate.blocked() === undefined ? usage.holds : [];
    return Math.max(0, (departures({ ...usage, holds }, at, requests).at(-1) ?? at) - at);
  }
}
