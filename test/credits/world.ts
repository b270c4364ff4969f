import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer, Turn } from '../../src/api/gate.ts';
import type { Account } from '../../src/credits/account.ts';
import { type AccountOptions, openAccount } from '../../src/credits/account.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

export { FakeClock, settled };

interface Shown {
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

/** Every state of the ledger in a state directory, oldest first, with its text. */
export function ledgerFiles(directory: string): { file: string; text: string }[] {
  const root = path.join(directory, 'ledger');
  const names = existsSync(root) ? (readdirSync(root, { recursive: true }) as string[]) : [];
  const files = names.filter((name) => name.endsWith('.json')).sort(byNumber);
  return files.map((name) => {
    const file = path.join(root, name);
    return { file, text: readFileSync(file, 'utf8') };
  });
}

const numberOf = (name: string) => Number(/(\d+)\.json$/.exec(name)?.[1]);
const byNumber = (a: string, b: string) => numberOf(a) - numberOf(b);

/** The newest state; the empty text where there is none. */
export function ledgerText(directory: string): string {
  return ledgerFiles(directory).at(-1)?.text ?? '';
}
