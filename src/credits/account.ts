import type { Client } from '../api/client.ts';
import type { Access } from '../api/contract/resources.ts';
import type { Gate } from '../api/gate.ts';
import { type Allowances, LIMITS } from '../api/limits.ts';
import { accountId } from '../config/identity.ts';
import type { Context } from '../runtime/context.ts';
import type { Lock } from '../runtime/lock.ts';
import type { Notes } from '../runtime/notes.ts';
import { dayNumber } from '../runtime/units.ts';
import { atMost, CreditCeiling } from './credit-ceiling.ts';
import { forecastCredits } from './forecast.ts';
import { Ledger } from './ledger.ts';
import { type Elsewhere, recordAccess } from './record-usage.ts';
import { RequestGate } from './request-gate.ts';
import { isReserveNear, knowsCreditsLeft } from './reserve.ts';
import { departures, windowsNow } from './schedule.ts';
import { emptyUsage, monthLeft, NOTHING, type Spending, type Usage } from './usage.ts';

export interface AccountOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'pid' | 'random' | 'alive'>;
  readonly baseUrl: string;
  readonly key: string;
  /**
   * The state directory; the ledger is in `ledger/<account>` of it. Undefined: leaves no trace and knows nothing of other
   * processes (for `--demo`).
   */
  readonly directory: string | undefined;
  /** Hard ceiling of credits for this invocation, retries included. */
  readonly maxCredits?: number | undefined;
  /** Credits of the month that this invocation leaves untouched. */
  readonly keep?: number | undefined;
  /** Longest wait before a retry, or that the service asked for, milliseconds. Waiting for a turn is not bounded by it. */
  readonly maxWait: number;
  readonly notes: Pick<Notes, 'warn' | 'waiting'>;
  /** As long as `/access` has not been asked, for a stand-in of the service; else the document's. */
  readonly allowances?: Partial<Allowances> | undefined;
}

/** Who calls, and what may still be spent: shared by every process of the account on this machine. */
export type Account = ReturnType<typeof openAccount>;

/** One account of the service, ready to be asked: the client sends nothing its account does not allow. */
export interface Connection {
  readonly client: Client;
  readonly account: Account;
}

/**
 * Opens the ledger of whoever owns `key`. Writes nothing, and never fails: where the state directory cannot be used,
 * it says so once and counts in memory.
 */
export function openAccount(options: AccountOptions) {
  const { context, directory, notes, maxWait } = options;
  const now = () => context.clock.now();
  const id = accountId(options.baseUrl, options.key);
  const ledger = new Ledger({
    directory,
    account: id,
    usage: emptyUsage(options.allowances),
    now,
    warn: (text) => notes.warn(text),
  });
  const ceiling = new CreditCeiling(options.maxCredits, options.keep);
  const { keep } = ceiling;
  const gate = new RequestGate({ context, ledger, ceiling, maxWait, notes });
  const monthLeftNow = () => monthLeft(ledger.usage(), now());
  const today = () => todayOf(ledger.usage(), now());
  return {
    /** Hash of base URL and key: names the ledger's folder and marks a history directory. Reveals neither. */
    id,
    gate: gate as Gate,
    /** Credits of the month that this invocation leaves untouched. */
    keep,
    /** What this invocation has spent so far. */
    spent: () => ceiling.spent(),
    today,
    /** What --max-credits and --keep still allow this invocation; Infinity where neither is a limit. */
    ceiling: () => ceiling.left({ month: keep > 0 ? monthLeftNow() : undefined }),
    /** What this invocation may still spend: the narrowest of those, the day's 150 and the month's credits. */
    left: () => ceiling.left({ today: today(), month: monthLeftNow() }),
    /** Credits left of the day's 150, as far as this machine knows. */
    dayLeft: () => Math.max(0, LIMITS.creditsPerDay - atMost(today())),
    /** Credits left this month, as far as this machine knows; undefined where `/access` was not asked this month. */
    monthLeft: monthLeftNow,
    /** How long the month's credits last; undefined where nobody knows how many are left. */
    forecast: () => forecastCredits(ledger.usage(), now()),
    /** The spending of the latest days, up to 35, oldest first. */
    days: () => ledger.usage().days,
    /** Every window of requests, with how many of its allowance are used now, by every process on this machine. */
    windows: () => windowsNow(ledger.usage(), now()),
    /** Until when the service asked all to stay away, where that is longer than --max-wait: epoch milliseconds UTC. */
    blocked: () => gate.blocked(ledger.usage()),
    /** Whether the credits left are known well enough for one more billable request; else `/access` is to be asked. */
    knowsCreditsLeft: () => knowsCreditsLeft(ledger.usage(), keep, now()),
    /** Whether others could bring the credits left to the reserve of --keep today. */
    isReserveNear: () => isReserveNear(ledger.usage(), keep, now()),
    /** What `/access` last said, to any process. */
    known() {
      const { access, allowances } = ledger.usage();
      return access === null ? undefined : { ...access, allowances: allowances as Allowances };
    },
    /**
     * Records what `/access` said, right after it was asked.
     * @returns what was spent elsewhere since the last check of the same month; undefined where there is nothing to
     *   compare with
     */
    observe(access: Pick<Access, 'credits'> & Allowances): Elsewhere | undefined {
      const at = now();
      let elsewhere: Elsewhere | undefined;
      ledger.update((usage) => {
        const asked = usage.requests.findLast(
          ({ operation, pid, status }) => operation === '/access' && pid === context.pid && status === 200,
        );
        elsewhere = recordAccess(usage, access, Math.min(asked?.sent ?? at, at), at);
      });
      return elsewhere;
    },
    /** From now on this invocation fills a history for the first time: no forecast takes that for a habit. */
    startFilling(): void {
      gate.filling = true;
    },
    /** From now on a request leaves only while this lock is held: else the run ends with `busy`. */
    sendOnlyUnder(lock: Pick<Lock, 'check'>): void {
      gate.lock = lock;
    },
    /** Milliseconds that pacing alone would make `requests` more requests take, starting now. */
    pace(requests: number): number {
      const at = now();
      return Math.max(0, (departures(ledger.usage(), at, requests).at(-1) ?? at) - at);
    },
  };
}

/** The spending of this UTC day: that the API's day turns at UTC midnight is an assumption. */
function todayOf(usage: Usage, now: number): Spending {
  const sum = { ...NOTHING };
  const today = usage.days.find(({ day }) => day === dayNumber(now));
  for (const { requests, charged, uncertain } of Object.values(today?.operations ?? {})) {
    sum.requests += requests;
    sum.charged += charged;
    sum.uncertain += uncertain;
  }
  return sum;
}
