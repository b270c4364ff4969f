import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer, Turn } from '../../src/api/gate.ts';
import { type AccountOptions, openAccount } from '../../src/credits/open-account.ts';
import type { Account } from '../../src/credits/types.ts';
import type { Clock } from '../../src/runtime/clock.ts';

/** A clock that only moves when told to. Timers fire in the order of their times, and everything they cause is done first. */
export class FakeClock {
  wall: number;
  #mono = 0;
  #serial = 0;
  #timers: { at: number; serial: number; fire: () => void }[] = [];

  constructor(start = Date.UTC(2026, 10, 20, 12)) {
    this.wall = start;
  }

  now = () => this.wall;
  monotonic = () => this.#mono;

  sleep = (millis: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      this.#serial += 1;
      const timer = { at: this.#mono + Math.max(0, millis), serial: this.#serial, fire: resolve };
      this.#timers.push(timer);
      signal?.addEventListener('abort', () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
        reject(signal.reason);
      });
    });

  /** Sets the wall clock, as an administrator would; time itself does not move. */
  set(wall: number): void {
    this.wall = wall;
  }

  async advance(millis: number): Promise<void> {
    const end = this.#mono + millis;
    await settled();
    for (;;) {
      const next = this.#timers
        .filter((timer) => timer.at <= end)
        .sort((a, b) => a.at - b.at || a.serial - b.serial)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#move(next.at);
      next.fire();
      await settled();
    }
    this.#move(end);
  }

  #move(to: number): void {
    this.wall += Math.max(0, to - this.#mono);
    this.#mono = Math.max(this.#mono, to);
  }
}

/** Lets every promise that can settle do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export interface Shown {
  readonly waits: { reason: string; until: number; stopped: boolean }[];
  readonly warnings: string[];
}

export interface Process {
  readonly account: Account;
  readonly pid: number;
  readonly shown: Shown;
  readonly stop: AbortController;
}

let pids = 1000;

/** A process of the account, in this process: with its own pid, notes and signal, sharing the directory and the clock. */
export function startProcess(
  clock: Clock,
  directory: string,
  options: Partial<AccountOptions> & { alive?: (pid: number) => boolean } = {},
): Process {
  pids += 1;
  const stop = new AbortController();
  const shown: Shown = { waits: [], warnings: [] };
  const notes = {
    warn: (text: string) => void shown.warnings.push(text),
    waiting: (reason: string, until: number) => {
      const wait = { reason, until, stopped: false };
      shown.waits.push(wait);
      return {
        update: () => {},
        stop: () => {
          wait.stopped = true;
        },
      };
    },
  };
  const { alive = () => true, ...rest } = options;
  const context = { clock, signal: stop.signal, pid: pids, random: Math.random, alive };
  const account = openAccount({
    context,
    baseUrl: 'https://api.example/api/external/v1',
    key: 'a key',
    directory,
    maxWait: 60_000,
    notes,
    ...rest,
  });
  return { account, pid: pids, shown, stop };
}

export const request = (operation = '/signals', cost = 1, attempt = 1, timeout = 30_000) => ({
  operation,
  cost,
  attempt,
  timeout,
});

/** One request that is answered after `latency`. */
export async function send(
  { account }: Process,
  clock: FakeClock,
  answer: Answer = { status: 200 },
  latency = 0,
  asked = request(),
): Promise<{ sent: number; answered: number }> {
  const turn: Turn = await account.gate.enter(asked);
  const sent = clock.now();
  if (latency > 0) await clock.sleep(latency);
  turn.settle(answer);
  return { sent, answered: clock.now() };
}

/** Every ledger file in a state directory, with its text. */
export function ledgerFiles(directory: string): { file: string; text: string }[] {
  const root = path.join(directory, 'ledger');
  const names = existsSync(root) ? (readdirSync(root, { recursive: true }) as string[]) : [];
  const files = names.filter((name) => name.endsWith('.ndjson')).sort();
  return files.map((name) => {
    const file = path.join(root, name);
    return { file, text: readFileSync(file, 'utf8') };
  });
}

export function ledgerText(directory: string): string {
  return ledgerFiles(directory)
    .map(({ text }) => text)
    .join('');
}
