import type { Gate } from '../api/gate.ts';
import type { AccessCheck, DaySpending } from './ledger-records.ts';

/** Credits a set of requests cost, as far as this machine can know. */
export interface Spending {
  /** Requests that left this machine, free ones included. */
  readonly requests: number;
  /** Credits of requests answered with 200. */
  readonly charged: number;
  /** Credits of requests that failed or whose answer was lost: the document does not say whether they count. */
  readonly uncertain: number;
}

/**
 * Credits spent elsewhere (MCP or another machine) between two looks at `/access`. A range where requests of this
 * machine may or may not have been charged.
 */
export interface Elsewhere {
  readonly least: number;
  readonly most: number;
  /** The earlier look, epoch milliseconds UTC. */
  readonly since: number;
}

/** What `/access` last said, and when (epoch milliseconds UTC). */
export type Observation = Readonly<AccessCheck>;

export interface Today extends Spending {
  /** UTC day, YYYY-MM-DD; that the API's day turns at UTC midnight is an assumption. */
  readonly day: string;
  readonly byOperation: Readonly<Record<string, Spending>>;
  /** Requests in the last 60 seconds, of every process of this account on this machine. */
  readonly lastMinute: number;
  /** From the last `/access`, else 15. */
  readonly perMinute: number;
}

/** Which limit forbids the next credit: the user's ceiling or reserve, or the service's day or month. */
export type LimitName = 'max_credits' | 'keep' | 'day' | 'month';

export interface CreditsLeft {
  /** Credits under the narrowest limit; never negative. Infinite where no limit is known. */
  readonly credits: number;
  /** The narrowest limit. */
  readonly limit: LimitName;
}

/** How long the month's credits last. */
export interface CreditForecast {
  /** Credits left this month, as far as this machine knows. */
  readonly left: number;
  /** Credits a day of the latest whole UTC days, up to 14: this machine's and elsewhere. */
  readonly perDay: number;
  readonly resetsAt: number;
  /** Credits a day that last until the reset. */
  readonly affordable: number;
  /** When none is left, epoch milliseconds UTC; undefined where some remain at the reset. */
  readonly goneAt: number | undefined;
  /** When commands with --keep have to stop at their reserve, and the largest such reserve. */
  readonly keptFrom: number | undefined;
  readonly keep: number;
  /** Credits left at the reset. */
  readonly leftAtReset: number;
}

/** Who calls, and what may still be spent: shared by every process of the account on this machine. */
export interface Account {
  /** Hash of base URL and key: names the ledger's folder and marks a history directory. Reveals neither. */
  readonly id: string;
  readonly gate: Gate;
  /** What this invocation has spent so far. */
  spent(): Spending;
  today(): Today;
  /** What this invocation may still spend, as far as this machine knows. */
  left(): CreditsLeft;
  /** Credits left of the day's 150, as far as this machine knows. */
  dayLeft(): number;
  /** Credits left this month, as far as this machine knows; undefined where `/access` was not asked this month. */
  monthLeft(): number | undefined;
  /** How long the month's credits last; undefined where nobody knows how many are left. */
  forecast(): CreditForecast | undefined;
  /** The spending of the latest days, up to 35, oldest first. */
  days(): readonly DaySpending[];
  /** Until when the service asked all to stay away (epoch milliseconds UTC), and the status that said so. */
  blocked(): { readonly until: number; readonly status: number } | undefined;
  /** The last observation of any process, if any. */
  known(): Observation | undefined;
  /**
   * Records what `/access` said, right after it was asked.
   * @returns what was spent elsewhere since the last observation of the same month; undefined where there is nothing to
   *   compare with.
   */
  observe(access: {
    credits: { used: number; limit: number; remaining: number; resets_at: string };
    per_minute: number;
  }): Elsewhere | undefined;
  /** Milliseconds that pacing alone would make `requests` more requests take, starting now. */
  pace(requests: number): number;
  /** Closes the ledger's file: a program that runs many commands in one process would otherwise run out of files. */
  close(): void;
}
