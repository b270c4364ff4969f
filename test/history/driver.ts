/**
 * One export run as a process of its own, to be killed, starved of disk space or run as somebody else:
 * node driver.js DIRECTORY BASE_URL NOW. Prints the summary, or the error's code and message.
 */
import { appendFileSync } from 'node:fs';
import { OPERATIONS, type OperationName, type ParamsOf, type ResourceOf } from '../../src/api/operations.ts';
import { statusError } from '../../src/api/status-error.ts';
import type { Invocation } from '../../src/commands/invocation.ts';
import { run } from '../../src/commands/signals-export.ts';
import type { Account } from '../../src/credits/account.ts';
import type { ScreenerError } from '../../src/errors.ts';

const [directory = '', baseUrl = '', now = '0'] = process.argv.slice(2);
const started = Date.now();
const clock = {
  now: () => Number(now) + Date.now() - started,
  sleep: (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis)),
};
const spent = { requests: 0, charged: 0, uncertain: 0 };
const progress = () => ({ update: () => {}, stop: () => {} });

async function call<N extends OperationName>(name: N, params: ParamsOf<N>): Promise<ResourceOf<N>> {
  const operation = OPERATIONS[name];
  const target = (operation.target as (params: ParamsOf<N>) => string)(params);
  const answer = await fetch(baseUrl + target, { headers: { authorization: 'Bearer sandbox-key' } });
  const body = (await answer.json()) as { response: ResourceOf<N> };
  if (answer.status !== 200) {
    throw statusError(operation.path, target, { status: answer.status, errors: undefined, retryAfter: 1, at: 0 });
  }
  spent.charged += operation.cost;
  return body.response;
}

const account = {
  id: 'driver',
  spent: () => ({ ...spent }),
  today: () => ({ ...spent, charged: 0 }),
  known: () => undefined,
  monthLeft: () => undefined,
  keep: 0,
  left: () => ({ limit: 'day', credits: 150 }),
  observe: () => undefined,
  startFilling: () => {},
  days: () => [],
  pace: () => 0,
} as unknown as Account;

const invocation = {
  context: { clock, signal: new AbortController().signal, pid: process.pid },
  globals: { plan: false, fields: undefined, maxCredits: undefined, demo: false },
  notes: { note() {}, warn() {}, debug() {}, progress, waiting: progress, flush: async () => {} },
  closing: [],
  atEnd: [],
  output: {
    format: 'json',
    one: async (_: unknown, value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`),
  },
  connect: async () => ({ client: { call, now: clock.now, knowsTime: () => true }, account }),
} as unknown as Invocation;

try {
  await run(invocation, { directory, outcomes: true });
} catch (error) {
  const { code, message, hint } = error as ScreenerError;
  appendFileSync(1, `${JSON.stringify({ failed: { code, message, hint } })}\n`);
  process.exitCode = 1;
}
