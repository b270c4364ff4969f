/** The program within this process, against a server below HTTP: thousands of runs in the time of a few processes. */
import { main } from '../../src/main.ts';
import type { Json } from '../support/arbitrary.ts';
import { TestClock, testContext } from '../support/context.ts';
import type { ResourceName } from '../support/document.ts';
import type { WireServer } from './wire.ts';

export const KEY = 'sk_fuzz_SECRET_0123456789';

export type Format = 'json' | 'ndjson' | 'csv' | 'table';

export interface Operation {
  readonly path: string;
  readonly resource: ResourceName;
  readonly command: readonly string[];
}

export const OPERATIONS: readonly Operation[] = [
  { path: '/access', resource: 'Access', command: ['access'] },
  { path: '/market-snapshot', resource: 'MarketSnapshot', command: ['snapshot'] },
  { path: '/screeners', resource: 'Screeners', command: ['screeners'] },
  { path: '/signals', resource: 'SignalPage', command: ['signals', 'ls'] },
  { path: '/signals/7', resource: 'SignalDetail', command: ['signals', 'show', '7'] },
  { path: '/signal-stats', resource: 'SignalStats', command: ['stats'] },
];

/** What `/access` says where only the way to another operation leads over it. */
export const ACCESS = {
  beta: true,
  plan: 'PRO',
  expires_at: '2027-01-31T00:00:00Z',
  credits: { used: 100, limit: 1000, remaining: 900, resets_at: '2026-12-01T00:00:00Z' },
  operations: ['access'],
  per_minute: 15,
};

export const envelope = (response: Json): Json => ({ hasError: false, response, errors: null });

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly format?: Format;
  readonly width?: number;
  /** Milliseconds for one request. */
  readonly timeout?: number;
  readonly directories?: { config: string; state: string };
}

export async function run(wire: WireServer, argv: readonly string[], options: Options = {}): Promise<Outcome> {
  const { format = 'json', width, timeout = 5000 } = options;
  const context = testContext({
    argv: [...argv, '-o', format, '--timeout', `${timeout}ms`],
    env: { SCREENER_BASE_URL: wire.baseUrl, SCREENER_API_KEY: KEY, NO_COLOR: '1' },
    clock: new TestClock(),
    // Below a file no directory can be made: nothing is written, and no run knows of another.
    directories: options.directories ?? { config: '/dev/null/config', state: '/dev/null/state' },
    ...(width === undefined ? {} : { width }),
  });
  const code = await main(context);
  return { code, stdout: context.stdout.text, stderr: context.stderr.text };
}

/**
 * What holds for every run, whatever came from the network: an exit code of the list, no stack trace and no key, text
 * that leaves a terminal alone, nothing on stdout where there is no result, and nothing broken off.
 * @returns what is wrong, or undefined
 */
export function broken(
  { code, stdout, stderr }: Outcome,
  format: Format,
  expected: readonly number[],
): string | undefined {
  if (!expected.includes(code)) return `exit code ${code} instead of ${expected.join(' or ')}`;
  if (/Unexpected failure|\n\s+at .*:\d+|node:internal/.test(stderr)) return 'a stack trace, or an unexpected failure';
  if ((stdout + stderr).includes(KEY)) return 'the key is said';
  if (acts(stdout, format === 'csv') || acts(stderr, false)) return 'something acts on a terminal';
  if (code !== 0) {
    const lines = stderr.split('\n').filter((line) => line.startsWith(format === 'table' ? 'error: ' : '{"error":'));
    if (lines.length !== 1) return 'not one line that tells the error';
    if (format !== 'table' && JSON.parse(lines[0] as string).error.exit_code !== code)
      return 'an error of another code';
  }
  return undefined;
}

function acts(text: string, csv: boolean): boolean {
  const known = csv ? text.replace(/\r\n/g, '\n').replaceAll('\t', '') : text;
  return /[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(known);
}
