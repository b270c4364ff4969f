import type { Client } from '../api/client.ts';
import type { Access } from '../api/contract/resources.ts';
import { type Allowances, LIMITS } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { accountId } from '../config/identity.ts';
import type { Context } from '../runtime/context.ts';
import type { Notes } from '../runtime/notes.ts';
import { dayNumber, HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import { CreditCeiling, type CreditsLeft } from './credit-ceiling.ts';
import { forecastCredits } from './forecast.ts';
import { Ledger } from './ledger.ts';
import { type Elsewhere, recordAccess } from './record-usage.ts';
import { RequestGate } from './request-gate.ts';
import { departures, windowsNow } from './schedule.ts';
import { atMost, emptyUsage, monthLeft, type Spending, spentOn, type Usage } from './usage.ts';

export interface AccountOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'random'>;
  readonly baseUrl: string;
  readonly key: string;
  /** The state directory; undefined leaves no trace (for `--demo`). */
  readonly directory: string | undefined;
  readonly maxCredits?: number | undefined;
  readonly keep?: number | undefined;
  /** Milliseconds; waiting for a turn is not bounded by it. */
  readonly maxWait: number;
  readonly notes: Pick<Notes, 'warn' | 'waiting'>;
  readonly allowances?: Partial<Allowances> | undefined;
}

export interface Connection {
  readonly client: Client;
  readonly account: Account;
}

export class Account {
  /** Hash of base URL and key; reveals neither. */
  readonly id: string;
  readonly keep: number;
  readonly gate: RequestGate;
  readonly #ledger: Ledger;
  readonly #ceiling: CreditCeiling;
  readonly #clock: Context['clock'];

  constructor({ context, directory, notes, maxWait, ...options }: AccountOptions) {
    this.#clock = context.clock;
    this.id = accountId(options.baseUrl, options.key);
    this.keep = options.keep ?? 0;
    this.#ledger = new Ledger({
      directory,
      account: this.id,
      usage: emptyUsage(options.allowances),
      now: () => context.clock.now(),
      warn: (text) => notes.warn(text),
    });
    this.#ceiling = new CreditCeiling(options.maxCredits, this.keep);
    this.gate = new RequestGate({ context, ledger: this.#ledger, ceiling: this.#ceiling, maxWait, notes });
  }

  get #usage(): Usage {
    return this.#ledger.usage();
  }

  get #now(): number {
    return this.#clock.now();
  }

  spent(): Spending {
    return this.#ceiling.spent();
  }

  /** That the API's day turns at UTC midnight is an assumption. */
  today(): Spending {
    return spentOn(this.#usage, dayNumber(this.#now));
  }

  /** What --max-credits and --keep allow; Infinity if neither is a limit. */
  ceiling(): CreditsLeft {
    return this.#ceiling.left({ month: this.keep > 0 ? this.monthLeft() : undefined });
  }

  /** The narrowest of those, the day's 150 and the month's credits. */
  left(): CreditsLeft {
    return this.#ceiling.left({ today: this.today(), month: this.monthLeft() });
  }

  dayLeft(): number {
    return Math.max(0, LIMITS.creditsPerDay - atMost(this.today()));
  }

  /** Credits; undefined if `/access` was not asked this month. */
  monthLeft(): number | undefined {
    return monthLeft(this.#usage, this.#now);
  }

  forecast() {
    return forecastCredits(this.#usage, this.keep, this.#now);
  }

  days() {
    return this.#usage.days;
  }

  windows() {
    return windowsNow(this.#usage, this.#now);
  }

  blocked() {
    return this.gate.blocked(this.#usage, OPERATIONS.access.path);
  }

  /** Whether another operation's refusal alone holds this one: `/access` may lift that. */
  mayLift(operation: string): boolean {
    const cause = this.gate.blocked(this.#usage, operation)?.operation;
    return cause != null && cause !== operation && cause !== OPERATIONS.access.path;
  }

  /** An answer of `/access` holds for an hour, with a reserve for 5 minutes, near it for one request. */
  knowsCreditsLeft(): boolean {
    const { access, sinceAccess } = this.#usage;
    const left = this.monthLeft();
    if (access === null || left === undefined) return false;
    const age = this.#now - access.at;
    if (this.keep === 0) return age < HOUR;
    const elsewhere = this.days().find(({ day }) => day === dayNumber(this.#now))?.elsewhere ?? 0;
    const leftToday = LIMITS.creditsPerDay - this.today().charged - elsewhere;
    if (left - this.keep > leftToday) return age < 5 * MINUTE;
    return age < SECOND && sinceAccess.requests === 0;
  }

  known() {
    const { access, allowances } = this.#usage;
    return access === null ? undefined : { ...access, allowances: allowances as Allowances };
  }

  /** @param access as just answered @returns what was spent elsewhere since the last check */
  observe(access: Pick<Access, 'credits'> & Allowances): Elsewhere | undefined {
    const at = this.#now;
    let elsewhere: Elsewhere | undefined;
    this.#ledger.update((usage) => {
      const sent = this.gate.lastSent(usage, OPERATIONS.access.path) ?? at;
      elsewhere = recordAccess(usage, access, Math.min(sent, at), at);
    });
    return elsewhere;
  }

  pace(requests: number): number {
    const at = this.#now;
    return Math.max(0, (departures(this.#usage, at, requests).at(-1) ?? at) - at);
  }
}
