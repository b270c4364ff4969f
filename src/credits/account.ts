import path from 'node:path';
import { LIMITS } from '../api/limits.ts';
import { accountId } from '../config/identity.ts';
import type { Context } from '../runtime/context.ts';
import type { Notes } from '../runtime/notes.ts';
import { processPlace } from '../runtime/process-life.ts';
import { atMost, CreditCeiling, creditsLeft } from './credit-ceiling.ts';
import { forecastCredits } from './forecast.ts';
import { Ledger, MemoryLedger } from './ledger.ts';
import { LedgerFile } from './ledger-file.ts';
import type { AccessRecord } from './ledger-records.ts';
import { RequestGate } from './request-gate.ts';
import { blockedUntil, forecast } from './schedule.ts';
import { monthLeft, spentToday } from './spending.ts';
import type { Account } from './types.ts';
import { emptyUsage, spentElsewhere } from './usage.ts';
import { WaitNote } from './wait-note.ts';

export interface AccountOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'pid' | 'random' | 'alive'>;
  readonly baseUrl: string;
  readonly key: string;
  /** The state directory; the ledger is `ledger/<account>/<YYYY-MM-DD>.ndjson` in it. */
  readonly directory: string;
  /** Hard ceiling of credits for this invocation, retries included. */
  readonly maxCredits?: number | undefined;
  /** Credits of the month that this invocation leaves untouched. */
  readonly keep?: number | undefined;
  /** Longest Retry-After that is waited out, milliseconds. Waiting for a turn is not bounded by it. */
  readonly maxWait: number;
  readonly notes: Pick<Notes, 'waiting' | 'warn'>;
  /** Shows the waits of this process's requests. */
  readonly waits?: WaitNote;
  /** Requests a minute as long as `/access` has not been asked, for a stand-in of the service; else the document's 15. */
  readonly perMinute?: number | undefined;
  /** `memory`: leaves no trace and knows nothing of other processes (for `--demo`). */
  readonly storage?: 'file' | 'memory' | undefined;
}

/**
 * Opens the ledger of whoever owns `key`. Writes nothing, and never fails: where the state directory cannot be used,
 * it says so once and counts in memory.
 */
export function openAccount(options: AccountOptions): Account {
  const { context, directory, notes, maxWait } = options;
  const now = () => context.clock.now();
  const id = accountId(options.baseUrl, options.key);
  const folder = path.join(directory, 'ledger', id);
  const ledger = new Ledger(
    () =>
      options.storage === 'memory' ? new MemoryLedger(emptyUsage(options.perMinute)) : new LedgerFile(folder, now),
    now,
    (trouble) =>
      notes.warn(
        `The ledger in ${directory} cannot be used (${trouble.message}): this command counts its credits and requests by itself, without knowing of others.`,
      ),
  );
  const ceiling = new CreditCeiling(options.maxCredits, options.keep ?? 0);
  const waits = options.waits ?? new WaitNote(notes);
  const gate = new RequestGate({ context, ledger, ceiling, maxWait, waits, place: processPlace() });
  const current = () => {
    ledger.refresh();
    return ledger.usage;
  };
  return {
    id,
    gate,
    spent: () => ceiling.spent(),
    today: () => spentToday(current(), now()),
    left: () => {
      const usage = current();
      return creditsLeft({
        maxCredits: ceiling.max,
        keep: ceiling.keep,
        spent: ceiling.spent(),
        today: spentToday(usage, now()),
        month: monthLeft(usage, now()),
      });
    },
    monthLeft: () => monthLeft(current(), now()),
    dayLeft: () => Math.max(0, LIMITS.creditsPerDay - atMost(spentToday(current(), now()))),
    forecast: () => forecastCredits(current(), now()),
    days: () => current().days,
    blocked: () => blockedUntil(current(), now()),
    known: () => current().access ?? undefined,
    observe({ credits, per_minute }) {
      const usage = current();
      const at = now();
      const { used, limit, remaining, resets_at } = credits;
      const from = Math.min(gate.accessSentAt ?? at, at);
      const record: AccessRecord = { is: 'access', at, from, used, limit, remaining, resets_at, per_minute };
      const elsewhere = spentElsewhere(usage, record);
      ledger.append([record]);
      return elsewhere;
    },
    close: () => ledger.close(),
    pace(requests) {
      const at = now();
      return Math.max(0, (forecast(current(), at, requests).at(-1) ?? at) - at);
    },
  };
}
