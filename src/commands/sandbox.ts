import { ScreenerError, usageError } from '../errors.ts';
import { type LoggedRequest, parseFault, type Sandbox, startSandbox } from '../sandbox/index.ts';
import type { Invocation } from './invocation.ts';

/** As given on the command line. */
export interface SandboxCommandOptions {
  readonly port?: string | number | undefined;
  readonly cards?: string | number | undefined;
  readonly seed?: string | number | undefined;
  readonly perMinute?: string | number | undefined;
  readonly dayCredits?: string | number | undefined;
  readonly monthCredits?: string | number | undefined;
  readonly fault: readonly string[];
}

/**
 * Serves the stand-in of the API on loopback until interrupted, which is its normal end. Prints what a shell needs to
 * use it: lines for `eval`, or one JSON line in `json` and `ndjson` format; each request is a line on stderr.
 * @throws ScreenerError usage
 */
export async function run(invocation: Invocation, options: SandboxCommandOptions): Promise<void> {
  const { context, notes } = invocation;
  const sandbox = await startSandbox({
    port: whole('--port', options.port, 0, 65_535),
    cards: whole('--cards', options.cards, 0, 100_000),
    seed: whole('--seed', options.seed, 0, 2 ** 31 - 1),
    perMinute: whole('--per-minute', options.perMinute, 1, 100_000),
    dayCredits: whole('--day-credits', options.dayCredits, 0, 1_000_000_000),
    monthCredits: whole('--month-credits', options.monthCredits, 0, 1_000_000_000),
    faults: options.fault.map(parseFault),
    now: () => context.clock.now(),
    onRequest: (entry) => notes.note(logLine(entry)),
  });
  try {
    await context.stdout.write(addressText(sandbox, invocation.globals.format));
    await aborted(context.signal);
  } finally {
    await sandbox.close();
  }
  const { reason } = context.signal;
  if (!(reason instanceof ScreenerError && reason.code === 'interrupted')) throw reason;
}

function whole(flag: string, given: string | number | undefined, least: number, most: number): number | undefined {
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(String(given)) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usageError(`${flag} ${given} is not possible.`, `Give a whole number from ${least} to ${most}.`);
}

function addressText({ baseUrl, key }: Sandbox, format: string): string {
  if (format === 'json' || format === 'ndjson') return `${JSON.stringify({ base_url: baseUrl, key })}\n`;
  return `export SCREENER_BASE_URL=${baseUrl}\nexport SCREENER_API_KEY=${key}\n`;
}

function logLine({ receivedAt, method, path, query, status, credits }: LoggedRequest): string {
  const time = new Date(receivedAt).toISOString().slice(11, 19);
  const cost = credits === 1 ? '1 credit' : `${credits} credits`;
  return `${time}Z ${method} ${path}${query} ${status ?? 'no answer'} ${cost}`;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
