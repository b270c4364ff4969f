import { createClient } from '../api/client.ts';
import { byAllowance } from '../api/limits.ts';
import { createTransport } from '../api/transport.ts';
import type { Invocation } from '../commands/parts/invocation.ts';
import { remembering } from '../completion/seen.ts';
import { findCredentials } from '../config/credentials.ts';
import type { Settings } from '../config/settings.ts';
import { Account, type Connection } from '../credits/account.ts';
import { guarded } from '../credits/reserve.ts';
import { prepareForRequests } from '../runtime/engine.ts';
import { version } from '../version.ts';

/** What of a command's run a connection needs. */
type Connecting = Pick<Invocation, 'context' | 'globals' | 'notes' | 'atEnd'>;

/** The demo allows more a minute than the service's 15, so that nobody waits. */
const DEMO_ALLOWANCES = byAllowance(() => 600);

/**
 * Opens the account and its client; with --demo against a stand-in of the service inside this process.
 * @param settings key and base URL to use instead of the ones found (`login` tries them before it saves them)
 * @throws ScreenerError not_logged_in, usage
 */
export async function openConnection(
  connecting: Connecting,
  settings?: Settings,
): Promise<Connection> {
  const { context, globals, notes, atEnd } = connecting;
  prepareForRequests();
  const { state } = context.directories;
  const { baseUrl, key } = globals.demo
    ? await startDemo(connecting)
    : (settings ?? findCredentials(context, globals.baseUrl));
  context.secrets.add(key);
  const account = new Account({
    context,
    baseUrl,
    key,
    notes,
    maxCredits: globals.maxCredits,
    keep: globals.keep,
    maxWait: globals.maxWait,
    // The demo leaves no trace in the user's ledger, and SCREENER_DAILY is of real credits.
    ...(globals.demo
      ? { directory: undefined, daily: undefined, allowances: DEMO_ALLOWANCES }
      : { directory: state, daily: globals.daily, allowances: undefined }),
  });
  const transport = createTransport({
    baseUrl,
    key,
    userAgent: `screener/${version}`,
    env: context.env,
  });
  const sending = createClient({
    transport,
    gate: account.gate,
    timeout: globals.timeout,
    context,
    notes,
  });
  const client = guarded(sending, account);
  if (globals.demo) return { client, account };
  const remembered = remembering(client, state);
  atEnd.push(remembered.save);
  return { client: remembered.client, account };
}

async function startDemo({ context, atEnd }: Connecting): Promise<Settings> {
  const [{ startSandbox }, { createQuota }, { demoWorld }] = await Promise.all([
    import('../sandbox/sandbox.ts'),
    import('../sandbox/quota.ts'),
    import('../sandbox/market/market-world.ts'),
  ]);
  const now = () => context.clock.now();
  const quota = createQuota(DEMO_ALLOWANCES);
  const sandbox = await startSandbox({ world: demoWorld(now()), quota, now });
  atEnd.push(sandbox.close);
  return sandbox;
}
