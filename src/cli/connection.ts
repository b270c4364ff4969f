import { type ClientListener, createClient } from '../api/client.ts';
import { byAllowance } from '../api/limits.ts';
import { createTransport } from '../api/transport.ts';
import type { Invocation } from '../commands/invocation.ts';
import { remembering } from '../completion/seen.ts';
import { findCredentials } from '../config/credentials.ts';
import type { Settings } from '../config/settings.ts';
import { Account, type Connection } from '../credits/account.ts';
import { guarded } from '../credits/reserve.ts';
import { durationInWords } from '../runtime/durations.ts';
import { prepareForRequests } from '../runtime/engine.ts';
import type { Notes } from '../runtime/notes.ts';
import { version } from '../version.ts';

export interface Opened {
  readonly connection: Connection;
  close(): Promise<void>;
}

type Surroundings = Pick<Invocation, 'context' | 'globals' | 'notes'>;

/**
 * Opens the account and its client; with --demo against a stand-in of the service inside this process.
 * @param settings key and base URL to use instead of the ones found (`login` tries them before it saves them)
 * @throws ScreenerError not_logged_in, usage
 */
export async function openConnection(around: Surroundings, settings?: Settings): Promise<Opened> {
  await prepareForRequests();
  if (around.globals.demo) return openDemo(around);
  return connectTo(around, settings ?? findCredentials(around.context, around.globals.baseUrl));
}

/** The demo allows more a minute than the service's 15, so that nobody waits. */
const DEMO_ALLOWANCES = byAllowance(() => 600);

async function openDemo(around: Surroundings): Promise<Opened> {
  const [{ startSandbox }, { createQuota }, { demoWorld }] = await Promise.all([
    import('../sandbox/sandbox.ts'),
    import('../sandbox/quota.ts'),
    import('../sandbox/market/market-world.ts'),
  ]);
  const now = () => around.context.clock.now();
  const quota = createQuota({ allowances: DEMO_ALLOWANCES });
  const sandbox = await startSandbox({ world: demoWorld(now()), quota, now });
  const opened = connectTo(around, sandbox);
  return {
    connection: opened.connection,
    async close() {
      await opened.close();
      await sandbox.close();
    },
  };
}

function connectTo({ context, globals, notes }: Surroundings, { baseUrl, key }: Settings): Opened {
  const { demo } = globals;
  context.secrets.add(key);
  const account = new Account({
    context,
    baseUrl,
    key,
    // The demo leaves no trace in the user's ledger.
    directory: demo ? undefined : context.directories.state,
    maxCredits: globals.maxCredits,
    keep: globals.keep,
    maxWait: globals.maxWait,
    notes,
    allowances: demo ? DEMO_ALLOWANCES : undefined,
  });
  const transport = createTransport({ baseUrl, key, userAgent: `screener/${version}`, env: context.env });
  const sending = createClient({
    transport,
    gate: account.gate,
    timeout: globals.timeout,
    clock: context.clock,
    signal: context.signal,
    listener: listenerFor(notes),
    conceal: (text) => context.secrets.hide(text),
  });
  const client = guarded(sending, account);
  if (demo) return { connection: { client, account }, close: async () => {} };
  const remembered = remembering(client, context.directories.state);
  return {
    connection: { client: remembered.client, account },
    close: () => remembered.save(),
  };
}

function listenerFor(notes: Notes): ClientListener {
  return {
    unlisted: ({ field, value }) =>
      notes.warn(`The service sent ${field} '${value}', which the API document does not list.`),
    exchanged: (line) => notes.debug(line),
    clockIsOff(ahead) {
      const far = `${durationInWords(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'}`;
      notes.warn(`This machine's clock is ${far} the service's, whose time counts.`);
    },
  };
}
