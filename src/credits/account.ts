import type { Client } from '../api/client.ts';
import { type Allowances, CREDIT_PERIOD_NAMES, LIMITS } from '../api/limits.ts';
import { smallestOf } from '../base/numbers.ts';
import { HOUR, SECOND } from '../base/units.ts';
import { accountId } from '../config/credentials.ts';
import { ScreenerError } from '../errors.ts';
import type { Notes } from '../runtime/context.ts';
import {
  type CreditsByLimit,
  type CreditsLeft,
  type CreditsOfDay,
  creditsByLimit,
  creditsOfToday,
  type LimitName,
  limitReached,
  narrowest,
  periodWithTooFew,
  type ReachedLimit,
} from './credit-ceiling.ts';
import { type CreditForecast, forecastCredits } from './forecast.ts';
import { type CardLock, Ledger } from './ledger.ts';
import { type Overcharge, PriceCheck, type SentByCommand } from './price-check.ts';
import {
  type AccessLesson,
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
  ACCESS_RECENT,
  add,
  type DaySpending,
  type MonthByLedger,
  monthByLedger,
  monthLeft,
  possiblySpentOfMonth,
  recentAccess,
  type Spending,
  spentAtMost,
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

/** The narrowest limit of the account. The limits of one command are not among them: --max-credits and the limit of a run. */
export type AccountLeft = CreditsLeft<Exclude<LimitName, 'max_credits' | 'run'>>;

/** What is known of the account without a request. The unit is credits, unless a field says otherwise. */
export interface CreditsKnown {
  /** The last answer of `/access`; undefined if it was never asked. */
  readonly access: NonNullable<Usage['access']> | undefined;
  /** How many requests each window allows, by its field of `/access`. */
  readonly allowances: Usage['allowances'];
  /** What was spent on each of the last UTC days. */
  readonly days: readonly DaySpending[];
  /** The credits of this UTC day. */
  readonly today: CreditsOfDay;
  /** Whether a 429 still holds all operations. Then others may have spent credits, so that fewer are left than is known here. */
  readonly isRefused: boolean;
  /** SCREENER_DAILY; undefined if it is not set. */
  readonly dailyOfUser: number | undefined;
  /** What SCREENER_DAILY leaves of today; undefined if it is not set. */
  readonly leftOfUsersDay: number | undefined;
  /** What the service's daily limit leaves of today; undefined if that limit is not documented for the account. */
  readonly leftOfServiceDay: number | undefined;
  /** The periods for which the API limits the credits, beside the month: so far only the UTC day. */
  readonly periods: readonly CreditPeriodNow[];
  /** Undefined if `/access` was not asked this month. */
  readonly monthLeft: number | undefined;
  /**
   * Credits of requests that failed, or are under way, since the last answer of `/access`, but at most what was left of the
   * month. `monthLeft` counts them as spent, but the service may not charge them.
   */
  readonly possiblySpent: number;
  /** What was charged here, or possibly charged, and is not in the last answer of `/access` yet. */
  readonly spentSinceAccess: number;
  /** The month by the ledger alone. It is used if `/access` was not asked this month. */
  readonly monthByLedger: MonthByLedger;
  /** How many requests each window of the service counts now. */
  readonly windows: readonly WindowNow[];
  /** Undefined on the first day, and if `/access` was not asked this month. */
  readonly forecast: CreditForecast | undefined;
  /** Undefined if this process has not asked `/access`, or got the first answer of the month. */
  readonly elsewhere: SpentElsewhere | undefined;
}

export interface SpentElsewhere {
  /** What other programs and machines spent. */
  readonly credits: number;
  /** The time from which on they spent it, epoch milliseconds UTC. */
  readonly since: number;
}

/** How the last `/access` failed. */
export interface AccessRefusal {
  /** The HTTP status; UNANSWERED if no answer of the service itself came. */
  readonly status: number;
  /** Whether it is due to be asked again now. */
  readonly isDue: boolean;
}

/** One account on this machine: its ledger, the gate for its requests, and what is known of its credits. */
export class Account {
  /** A hash of base URL and key, which reveals neither. */
  readonly id: string;
  /** The reserve (--keep), credits; 0 if none is set. */
  readonly keep: number;
  readonly gate: RequestGate;
  readonly #options: AccountOptions;
  readonly #ledger: Ledger;
  readonly #prices = new PriceCheck();
  /** Credits of this command's failed requests that answers of `/access` have shown as used. */
  #chargedOfFailed = 0;
  /**
   * What the last answer of `/access` says of the time since the one before it. Undefined if this process has not asked `/access`, or
   * got the first answer of the month.
   */
  #sinceLastAnswer: SinceLastAnswer | undefined;
  /** The most that this command may spend while the run of an export lasts; undefined outside of a run. */
  #limitOfRun: number | undefined;

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
    const leftBy = this.#leftByLimit();
    // So far the only such period is the UTC day.
    const leftByPeriod = CREDIT_PERIOD_NAMES.map((name) => leftBy[name]);
    const leftOfServiceDay = smallestOf(leftByPeriod);
    const holdsOnAll = holdsOn(usage, now);
    const notBelow0 = (left: number | undefined) =>
      left === undefined ? undefined : Math.max(0, left);
    return {
      access: usage.access ?? undefined,
      allowances: usage.allowances,
      days: usage.days,
      today: creditsOfToday(usage, this.#options.daily, now),
      isRefused: holdsOnAll.some(({ status }) => status === 429),
      dailyOfUser: this.#options.daily,
      leftOfUsersDay: notBelow0(leftBy.daily),
      leftOfServiceDay: notBelow0(leftOfServiceDay),
      periods: creditPeriodsNow(usage, now),
      monthLeft: monthLeft(usage, now),
      possiblySpent: possiblySpentOfMonth(usage),
      // `missing` was charged before the answer of `/access`, but is not in its `used` yet.
      spentSinceAccess: usage.missing + spentAtMost(usage.sinceAccess),
      monthByLedger: monthByLedger(usage, now),
      windows: windowsNow(usage, now),
      forecast: forecastCredits(usage, this.keep, now),
      elsewhere: this.#spentElsewhere(),
    };
  }

  #spentElsewhere(): SpentElsewhere | undefined {
    if (this.#sinceLastAnswer === undefined) return undefined;
    const { unexplained, from } = this.#sinceLastAnswer;
    return { credits: unexplained, since: from };
  }

  /** How `/access` failed last; null if it has been answered since. */
  accessRefusal(): AccessRefusal | null {
    const { accessRefused } = this.#ledger.usage();
    if (accessRefused === null) return null;
    return {
      status: accessRefused.status,
      isDue: isAccessDue({ accessRefused }, this.#now()),
    };
  }

  /**
   * What this command has spent, as users are told it: if `/access` has shown failed requests as used, they count as charged.
   * (Requests of other programs may have failed, too. Those of this command are taken to be the first that were charged.)
   */
  spentByCommand(): Spending {
    const { requests, charged, uncertain } = this.gate.spent;
    const shownAsCharged = Math.min(this.#chargedOfFailed, uncertain);
    return {
      requests,
      charged: charged + shownAsCharged,
      uncertain: uncertain - shownAsCharged,
    };
  }

  /** The narrowest of the user's limits (--max-credits, SCREENER_DAILY, --keep), with what it leaves; undefined if none is set. */
  ceiling(): CreditsLeft | undefined {
    const { max_credits, daily, keep } = this.#leftByLimit();
    return narrowest({ max_credits, daily, keep });
  }

  /**
   * Limits a run of an export to the credits that are left now, because the user is told of these. So it may spend no more, even
   * if a new day or month begins before `endRun`.
   */
  beginRun(): void {
    // The limit counts all that the command has spent, also before the run.
    this.#limitOfRun = this.left().credits + spentAtMost(this.gate.spent);
  }

  endRun(): void {
    this.#limitOfRun = undefined;
  }

  /** The narrowest of all limits, with what it leaves: the user's limits, the limit of a run, the API's day and the month. */
  left(): CreditsLeft {
    return alwaysLimited(narrowest(this.#leftByLimit()));
  }

  /** The narrowest limit of the account, with what it leaves. --max-credits and the limit of a run do not count. */
  leftOfAccount(): AccountLeft {
    const { max_credits: _maxCredits, run: _run, ...leftByAccount } = this.#leftByLimit();
    return alwaysLimited(narrowest(leftByAccount));
  }

  /** What to tell the user if a limit is reached. */
  limitReached(limit: LimitName): ReachedLimit {
    return limitReached(limit, this.#options, this.#ledger.usage(), this.#now());
  }

  #leftByLimit(): CreditsByLimit {
    const budgets = { ...this.#options, run: this.#limitOfRun };
    return creditsByLimit(this.#ledger.usage(), budgets, this.gate.spent, this.#now());
  }

  #now(): number {
    return this.#options.context.clock.now();
  }

  /**
   * Whether the last answer of `/access` still tells the credits left. It is good for:
   * - 1 hour without --keep;
   * - 5 minutes with --keep;
   * - 1 second with --keep if the reserve is near, and only until the next request;
   * - no time at all if failed requests may have used up a limit since. Only a new answer tells whether they were charged.
   */
  knowsCreditsLeft(): boolean {
    const usage = this.#ledger.usage();
    const left = monthLeft(usage, this.#now());
    if (usage.access === null || left === undefined) return false;
    if (usage.sinceAccess.uncertain > 0 && this.leftOfAccount().credits < 1) return false;
    const age = this.#now() - usage.access.at;
    if (this.keep === 0) return age < HOUR;
    // In 5 minutes all programs together can hardly spend the credits of a day.
    const isFarFromReserve = left - this.keep > LIMITS.creditsPerDay;
    if (isFarFromReserve) return age < ACCESS_RECENT;
    return age < SECOND && usage.sinceAccess.requests === 0;
  }

  /**
   * Whether `/access` is to be asked because the day's credits, as far as is known here, do not suffice for the next request. It is
   * not asked again within 5 minutes after its last answer, or while the wait after a failure of `/access` lasts.
   * @param cost of the next request, credits
   */
  isDayInDoubt(cost: number): boolean {
    const usage = this.#ledger.usage();
    const now = this.#now();
    if (periodWithTooFew(usage, cost, now) === undefined) return false;
    return recentAccess(usage, now) === undefined && isAccessDue(usage, now);
  }

  /**
   * Takes in an answer of `/access`, and checks the price list by it.
   * @param serviceNow the service's time by a Date header, epoch milliseconds UTC; undefined if there was none
   * @throws ScreenerError overcharged, if twice in a row the service charged more than the price list says for what this command
   *   sent
   */
  observe(access: AccessSaid, serviceNow?: number): void {
    const at = this.#now();
    // The update below replaces it.
    let lesson: AccessLesson = { since: undefined, chargedOfFailed: 0 };
    this.#ledger.update((usage) => {
      lesson = recordAccess(usage, access, at, serviceNow);
    });
    const { since, chargedOfFailed } = lesson;
    // Credits beyond those of this command's own failures belong to earlier commands, or to other programs.
    const { uncertain } = this.gate.spent;
    this.#chargedOfFailed = Math.min(uncertain, this.#chargedOfFailed + chargedOfFailed);
    this.#sinceLastAnswer = since;
    const overcharge = this.#prices.learn(this.#sent(), at, since);
    if (overcharge !== undefined) this.#recordOvercharge(overcharge, at);
  }

  /** Whether `/access` is to be asked before the next request, because the price list is to be checked. */
  isPriceCheckDue(): boolean {
    const isDemo = this.#options.directory === undefined;
    if (isDemo || !this.#prices.isDue(this.#sent())) return false;
    const refusal = this.accessRefusal();
    return refusal === null || refusal.isDue;
  }

  #sent(): SentByCommand {
    const { spent, creditsByOperation } = this.gate;
    return { requests: spent.requests, credits: creditsByOperation };
  }

  /** Counts an overcharge as spent here, and warns of it. @throws ScreenerError overcharged, the second time in a row */
  #recordOvercharge({ excess, charged, expected, isConfirmed }: Overcharge, at: number): void {
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
   * Buys a card while no other command buys it. If this command was suspended, and another one took its lock over, `buy` is
   * called again.
   * @param buy looks first whether the card has been bought meanwhile. It passes the lock to its request, which checks
   *   that the lock is still held.
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

  /**
   * Waits while another command buys the card. The lock of a command that was killed ends by itself after 10 seconds.
   * @throws the signal's reason
   */
  async #lockCard(card: number): Promise<CardLock> {
    const { clock, signal } = this.#options.context;
    for (;;) {
      const lock = this.#ledger.lockCard(card);
      if (lock !== undefined) return lock;
      await clock.sleep(POLL_INTERVAL, signal);
    }
  }

  /** How long this number of requests will take, milliseconds. */
  timeFor(requests: number): number {
    const usage = this.#ledger.usage();
    const now = this.#now();
    // If a hold on all operations is longer than --max-wait, the command ends at once: its requests never wait for that hold.
    const willEnd = this.gate.longHoldOn() !== undefined;
    const holds = willEnd ? [] : usage.holds;
    const lastDeparture = departures({ ...usage, holds }, now, requests).at(-1) ?? now;
    return Math.max(0, lastDeparture - now);
  }
}

/** There is always a limit: the month's credits if `/access` told them, otherwise the documented 150 a day. */
function alwaysLimited<Limit extends LimitName>(
  left: CreditsLeft<Limit> | undefined,
): CreditsLeft<Limit> {
  if (left === undefined) throw new Error('Nothing limits the credits of the account.');
  return left;
}
