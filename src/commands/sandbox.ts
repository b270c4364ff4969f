import { once } from 'node:events';
import { ScreenerError } from '../errors.ts';
import { type PasteShell, setVariable, usualShell } from '../runtime/shell-words.ts';
import { pluralize } from '../runtime/units.ts';
import type { LoggedRequest } from '../sandbox/api.ts';
import { readFault } from '../sandbox/faults.ts';
import { createMarketWorld } from '../sandbox/market/market-world.ts';
import { createQuota } from '../sandbox/quota.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import type { Invocation } from './parts/invocation.ts';

interface SandboxOptions {
  readonly port: number | undefined;
  readonly cards: number;
  readonly seed: number;
  readonly perMinute: number;
  readonly shell: PasteShell | undefined;
  readonly fault: readonly string[];
}

/** Runs until interrupted, which is its normal end. @throws ScreenerError usage */
export async function run(invocation: Invocation, options: SandboxOptions): Promise<void> {
  const { context, notes } = invocation;
  const { shell = usualShell(context), fault, perMinute, port, cards, seed } = options;
  const now = () => context.clock.now();
  const sandbox = await startSandbox({
    port,
    world: createMarketWorld(seed, now(), { cards }),
    quota: createQuota({ per_minute: perMinute }),
    faults: fault.map(readFault),
    now,
    onRequest: (entry) => notes.note(logLine(entry)),
  });
  try {
    await context.stdout.write(addressText(sandbox, invocation.globals.format, shell));
    notes.note('Serving a stand-in for the API with invented cards, until Ctrl-C. Each request is a line below.');
    if (!context.signal.aborted) await once(context.signal, 'abort');
  } finally {
    await sandbox.close();
  }
  const { reason } = context.signal;
  if (!(reason instanceof ScreenerError && reason.code === 'interrupted')) throw reason;
}

function addressText({ baseUrl, key }: Sandbox, format: string, shell: PasteShell): string {
  if (format === 'json' || format === 'ndjson') return `${JSON.stringify({ base_url: baseUrl, key })}\n`;
  const lines = [setVariable('SCREENER_BASE_URL', baseUrl, shell), setVariable('SCREENER_API_KEY', key, shell)];
  return `${lines.join('\n')}\n`;
}

function logLine({ receivedAt, method, path, query, status, credits }: LoggedRequest): string {
  const time = new Date(receivedAt).toISOString().slice(11, 19);
  return `${time}Z ${method} ${path}${query} ${status ?? 'no answer'} ${pluralize(credits, 'credit')}`;
}
