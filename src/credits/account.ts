import { join } from 'node:path';
import type { Client } from '../api/client.ts';
import type { Access } from '../api/contract/resources.ts';
import type { Gate } from '../api/gate.ts';
import { LIMITS } from '../api/limits.ts';
import { accountId } from '../config/identity.ts';
import type { Context } from '../runtime/context.ts';
import type { Notes } from '../runtime/notes.ts';
import { dayNumber } from '../runtime/units.ts';
import { type Elsewhere, spentElsewhere } from './apply-record.ts';
import { atMost, CreditCeiling, creditsLeft } from './credit-ceiling.ts';
import { forecastCredits } from './forecast.ts';
import { Ledger } from './ledger.ts';
import { RequestGate } from './request-gate.ts';
import { blockedUntil, forecast, lastMinute } from './schedule.ts';
import { emptyUsage, monthLeft, NOTHING, type Spending, type Usage } from './usage.ts';
import type { WaitNote } from './wait-note.ts';

export interface AccountOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'pid' | 'random' | 'alive'>;
  readonly baseUrl: string;
  readonly key: string;
  /**
   * The state directory; the ledger is `ledger/<account>/<YYYY-MM-DD>.ndjson` in it. Undefined: leaves no trace and knows
   * nothing of other processes (for `--demo`).
   */
  readonly directory: string | undefined;
  /** Hard ceiling of credits for this invocation, retries included. */
  readonly maxCredits?: number | undefined;
  /** Credits of the month that this invocation leaves untouched. */
  readonly keep?: number | undefined;
  /** Longest Retry-After that is waited out, milliseconds. Waiting for a turn is not bounded by it. */
  readonly maxWait: number;
  readonly notes: Pick<Notes, 'warn'>;
  /** Shows the waits of this process's requests. */
  readonly waits: WaitNote;
  /** Requests a minute as long as `/access` has not been asked, for a stand-in of the service; else the document's 15. */
  readonly perMinute?: number | undefined;
}

/** The spending of this UTC day: that the API's day turns at UTC midnight is an assumption. */
export interface Today extends Spending {
  readonly byOperation: Readonly<Record<string, Spending>>;
  /** Requests in the last 60 seconds, of every process of this account on this machine. */
  readonly lastMinute: number;
  /** From the last `/access`, else 15. */
  readonly perMinute: number;
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
  const { context, directory, notes, maxWait, waits } = options;
  const now = () => context.clock.now();
  const id = accountId(options.baseUrl, options.key);
  const ledger = new Ledger(directory && join(directory, 'ledger', id), emptyUsage(options.perMinute), now, (reason) =>
    notes.warn(`The ledger in ${directory} cannot be used (${reason}): this command does not know what others spend.`),
  );
  const ceiling = new CreditCeiling(options.maxCredits, options.keep ?? 0);
  const gate: Gate = new RequestGate({
    context,
    ledger,
    ceiling,
    maxWait,
    waits,
  });
  const current = () => {
    ledger.refresh();
    return ledger.usage;
  };
  return {
    /** Hash of base URL and key: names the ledger's folder and marks a history directory. Reveals neither. */
    id,
    gate,
    /** What this invocation has spent so far. */
    spent: () => ceiling.spent(),
    today: () => todayOf(current(), now()),
    /** What --max-credits and --keep still allow this invocation; Infinity where neither is a limit. */
    ceiling: () => {
      const { maxCredits, keep } = ceiling;
      const month = keep > 0 ? monthLeft(current(), now()) : undefined;
      return creditsLeft({ maxCredits, keep, spent: ceiling.spent(), month });
    },
    /** Credits left of the day's 150, as far as this machine knows. */
    dayLeft: () => Math.max(0, LIMITS.creditsPerDay - atMost(todayOf(current(), now()))),
    /** Credits left this month, as far as this machine knows; undefined where `/access` was not asked this month. */
    monthLeft: () => monthLeft(current(), now()),
    /** How long the month's credits last; undefined where nobody knows how many are left. */
    forecast: () => forecastCredits(current(), now()),
    /** The spending of the latest days, up to 35, oldest first. */
    days: () => current().days,
    /** Until when the service asked all to stay away (epoch milliseconds UTC), and the status that said so. */
    blocked: () => blockedUntil(current(), now()),
    /** What `/access` last said, to any process. */
    known: () => current().access ?? undefined,
    /**
     * Records what `/access` said, right after it was asked.
     * @returns what was spent elsewhere since the last check of the same month; undefined where there is nothing to
     *   compare with
     */
    observe({ credits, per_minute }: Pick<Access, 'credits' | 'per_minute'>): Elsewhere | undefined {
      const usage = current();
      const at = now();
      const asked = usage.permits.findLast(
        ({ operation, pid, status }) => operation === '/access' && pid === context.pid && status === 200,
      );
      const { used, limit, remaining, resets_at: resetsAt } = credits;
      const from = Math.min(asked?.sent ?? at, at);
      const check = { at, used, limit, remaining, resetsAt, perMinute: per_minute };
      const elsewhere = spentElsewhere(usage, check, from);
      ledger.append([{ is: 'access', from, ...check }]);
      return elsewhere;
    },
    /** Milliseconds that pacing alone would make `requests` more requests take, starting now. */
    pace(requests: number): number {
      const at = now();
      return Math.max(0, (forecast(current(), at, requests).at(-1) ?? at) - at);
    },
    /** Closes the ledger's file: a program that runs many commands in one process would otherwise run out of files. */
    close: () => ledger.close(),
  };
}

function todayOf(usage: Usage, now: number): Today {
  const byOperation = structuredClone(usage.days.find(({ day }) => day === dayNumber(now))?.operations ?? {});
  const sum = { ...NOTHING };
  for (const { requests, charged, uncertain } of Object.values(byOperation)) {
    sum.requests += requests;
    sum.charged += charged;
    sum.uncertain += uncertain;
  }
  return { ...sum, byOperation, lastMinute: lastMinute(usage, now), perMinute: usage.perMinute };
}
