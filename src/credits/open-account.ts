import path from 'node:path';
import { accountId, place } from '../config/identity.ts';
import type { Context } from '../runtime/context.ts';
import type { Notes } from '../runtime/notes.ts';
import { CreditCeiling } from './credit-ceiling.ts';
import { Ledger } from './ledger.ts';
import { FileJournal } from './ledger-file.ts';
import type { Accessed } from './ledger-records.ts';
import { MemoryJournal } from './ledger-store.ts';
import { observationOf, spentElsewhere, todayOf } from './money.ts';
import { PacedGate } from './paced-gate.ts';
import { forecast } from './schedule.ts';
import { emptyState } from './state.ts';
import type { Account } from './types.ts';

export interface AccountOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'pid' | 'random' | 'alive'>;
  readonly baseUrl: string;
  readonly key: string;
  /** The state directory; the ledger is `ledger/<account>/<YYYY-MM-DD>.ndjson` in it. */
  readonly directory: string;
  /** Hard ceiling of credits for this invocation, retries included. */
  readonly maxCredits?: number | undefined;
  /** Longest Retry-After that is waited out, milliseconds. Waiting for a turn is not bounded by it. */
  readonly maxWait: number;
  readonly notes: Pick<Notes, 'waiting' | 'warn'>;
  /** Requests a minute as long as `/access` has not been asked, for a stand-in of the service; else the document's 15. */
  readonly perMinute?: number | undefined;
  /** `memory`: leaves no trace and knows nothing of other processes (for `--demo`). */
  readonly storage?: 'file' | 'memory' | undefined;
}

/**
 * Opens the ledger of whoever owns `key`. Reads a few kilobytes at most, writes nothing, and never fails: where the
 * state directory cannot be used, it says so once and counts in memory.
 */
export function openAccount(options: AccountOptions): Account {
  const { context, directory, notes } = options;
  const now = () => context.clock.now();
  const id = accountId(options.baseUrl, options.key);
  const start = emptyState(options.perMinute);
  const folder = path.join(directory, 'ledger', id);
  const ledger = new Ledger(
    () => (options.storage === 'memory' ? new MemoryJournal(start) : new FileJournal(folder, now)),
    now,
    (trouble) =>
      notes.warn(
        `The ledger in ${directory} cannot be used (${trouble.message}): this command counts its credits and requests by itself, without knowing of others.`,
      ),
  );
  const purse = new CreditCeiling(options.maxCredits);
  const gate = new PacedGate({ context, ledger, purse, maxWait: options.maxWait, notes, place: place() });
  const current = () => {
    ledger.refresh();
    return ledger.state;
  };
  return {
    id,
    gate,
    spent: () => purse.spent(),
    today: () => todayOf(current(), now()),
    known: () => observationOf(current()),
    observe({ credits, per_minute }) {
      const state = current();
      const at = now();
      const from = gate.accessSentAt ?? at;
      const { used, limit, remaining, resets_at } = credits;
      const line: Accessed = {
        is: 'access',
        at,
        from: Math.min(from, at),
        used,
        limit,
        remaining,
        resets_at,
        per_minute,
      };
      const elsewhere = spentElsewhere(state, line);
      ledger.append([line]);
      return elsewhere;
    },
    close: () => ledger.close(),
    pace(requests) {
      const at = now();
      return Math.max(0, (forecast(current(), at, requests).at(-1) ?? at) - at);
    },
  };
}
