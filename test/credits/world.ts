import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { type Client, createClient } from '../../src/api/client.ts';
import type { Answer, GateRequest, Turn } from '../../src/api/gate.ts';
import type { Transport } from '../../src/api/transport.ts';
import { Account, type AccountOptions } from '../../src/credits/account.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { Secrets } from '../../src/runtime/context.ts';
import { aMinute } from '../support/allowances.ts';
import { FakeClock } from '../support/fake-clock.ts';

export type Process = ReturnType<typeof startProcess>;

/**
 * A state directory and a clock for the tests of a file, as new for each of them.
 * @param nap milliseconds that a process sleeps at least: each look at the ledger takes real time
 */
export function ledgerHere(begin = Date.UTC(2026, 10, 20, 12), nap = 0) {
  const directory = mkdtempSync(path.join(tmpdir(), 'screener-ledger-'));
  const clock = new FakeClock();
  const forget = () => {
    for (const name of readdirSync(directory))
      rmSync(path.join(directory, name), { recursive: true, force: true });
  };
  const restart = () => {
    forget();
    clock.restart(begin);
  };
  beforeEach(restart);
  afterEach(forget);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const sleep: Clock['sleep'] = (millis, signal) => clock.sleep(Math.max(nap, millis), signal);
  const start = (options: Partial<AccountOptions> = {}) =>
    startProcess({ now: clock.now, sleep }, directory, options);
  return { directory, clock, start, restart };
}

/** What `/access` says of credits and pace. */
export function access({
  used = 100,
  limit = 1000,
  per_minute = 15,
  resets_at = '2026-12-01T00:00:00Z',
} = {}) {
  return { credits: { used, limit, remaining: limit - used, resets_at }, ...aMinute(per_minute) };
}

/** The client of a process, to a service that answers so. */
export function clientOf(
  { account, stop }: Process,
  clock: Clock,
  answer: (
    target: string,
  ) => Promise<{ readonly response: unknown; readonly refusedFor?: number | undefined }>,
  says = true,
): Client {
  const transport: Transport = async ({ target }) => {
    const { response, refusedFor } = await answer(target);
    const hasError = refusedFor !== undefined;
    const headers = hasError && says ? { 'retry-after': String(refusedFor) } : {};
    const body = Buffer.from(JSON.stringify({ hasError, response, errors: null }));
    return { status: hasError ? 429 : 200, headers, body };
  };
  return createClient({
    transport,
    gate: account.gate,
    timeout: 30_000,
    context: { clock, signal: stop.signal, secrets: new Secrets() },
    notes: { warn: () => {}, debug: () => {} },
  });
}

/** A process of the account, in this process: with its own pid, notes and signal, sharing the directory and the clock. */
export function startProcess(
  clock: Clock,
  directory: string,
  options: Partial<AccountOptions> = {},
) {
  const stop = new AbortController();
  const waits: { reason: string; stopped: boolean }[] = [];
  const warnings: string[] = [];
  const notes = {
    warn: (text: string) => void (warnings.includes(text) || warnings.push(text)),
    waiting: (reason: string) => {
      const wait = { reason, stopped: false };
      waits.push(wait);
      return {
        update: () => {},
        stop: () => {
          wait.stopped = true;
        },
      };
    },
  };
  const account = new Account({
    context: { clock, signal: stop.signal, random: Math.random },
    baseUrl: 'https://api.example/api/external/v1',
    key: 'a key',
    directory,
    maxWait: 60_000,
    allowances: aMinute(15),
    notes,
    ...options,
  });
  return { account, shown: { waits, warnings }, stop };
}

export const request = (operation = '/signals', cost = 1): GateRequest => ({ operation, cost });

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
