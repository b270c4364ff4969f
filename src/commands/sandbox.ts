/** `screener sandbox`: serves the stand-in for the API until Ctrl-C. */
import { once } from 'node:events';
import { pluralize } from '../base/units.ts';
import { accountId } from '../config/credentials.ts';
import { forgetLedger } from '../credits/ledger.ts';
import { ScreenerError } from '../errors.ts';
import type { Format } from '../output/formats.ts';
import { jsonText } from '../runtime/json-text.ts';
import { type PasteShell, setVariable, usualShell } from '../runtime/shell-words.ts';
import type { LoggedRequest } from '../sandbox/api.ts';
import { readFault } from '../sandbox/faults.ts';
import { createMarketWorld } from '../sandbox/market/market-world.ts';
import { createQuota } from '../sandbox/quota.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import type { Invocation } from './parts/invocation.ts';

interface SandboxOptions {
  /** How many cards the stand-in has. */
  readonly cards: number;
  /** The number that decides the invented market. */
  readonly seed: number;
  /** How many requests a minute it allows. */
  readonly perMinute: number;
  /** Undefined for any free port. */
  readonly port: number | undefined;
  /** The shell that will read the printed lines; undefined for the platform's usual one. */
  readonly shell: PasteShell | undefined;
  /** Each --fault as it was typed: `signals:2:503:retry-after=3`. */
  readonly fault: readonly string[];
}

/** Whether base URL and key are printed as JSON. Otherwise they are two lines that set variables of a shell. */
const PRINTS_JSON: Readonly<Record<Format, boolean>> = {
  table: false,
  json: true,
  ndjson: true,
  csv: false,
};

/** Runs until Ctrl-C, which is its normal end. @throws ScreenerError usage; any other reason for which it was stopped */
export async function run(invocation: Invocation, options: SandboxOptions): Promise<void> {
  const { context, globals, notes } = invocation;
  const { shell = usualShell(context), fault: faults, perMinute, port, cards, seed } = options;
  const now = () => context.clock.now();
  const { baseUrl, key, close } = await startSandbox({
    port,
    world: createMarketWorld(seed, now(), { cards }),
    quota: createQuota({ per_minute: perMinute }),
    faults: faults.map(readFault),
    now,
    onRequest: (entry) => notes.note(logLine(entry)),
  });
  // The ledger of an earlier sandbox at this port is dropped: it has the same account id, so its credits would count as spent.
  forgetLedger(context.directories.state, accountId(baseUrl, key));
  try {
    const variables = { SCREENER_BASE_URL: baseUrl, SCREENER_API_KEY: key };
    const lines = PRINTS_JSON[globals.format]
      ? [jsonText({ base_url: baseUrl, key })]
      : Object.entries(variables).map(([name, value]) => setVariable(name, value, shell));
    await context.stdout.write(`${lines.join('\n')}\n`);
    notes.note(
      'Serving a stand-in for the API with invented cards, until Ctrl-C. Each request is a line below.',
    );
    if (!context.signal.aborted) await once(context.signal, 'abort');
  } finally {
    await close();
  }
  const { reason } = context.signal;
  if (!(reason instanceof ScreenerError && reason.code === 'interrupted')) throw reason;
}

function logLine({ receivedAt, method, path, query, status, credits }: LoggedRequest): string {
  const time = new Date(receivedAt).toISOString().slice(11, 19);
  return `${time}Z ${method} ${path}${query} ${status ?? 'no answer'} ${pluralize(credits, 'credit')}`;
}
