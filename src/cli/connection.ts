import { createClient } from '../api/client.ts';
import { byAllowance } from '../api/limits.ts';
import { createTransport } from '../api/transport.ts';
import type { Invocation } from '../commands/parts/invocation.ts';
import { remembering } from '../completion/seen.ts';
import { findCredentials } from '../config/credentials.ts';
import type { Credentials } from '../config/settings.ts';
import { Account, type Connection } from '../credits/account.ts';
import { guarded } from '../credits/ask-access.ts';
import { prepareForRequests } from '../runtime/engine.ts';
import { version } from '../version.ts';

/** The parts of a command's run that opening a connection uses. */
type CommandRun = Pick<Invocation, 'context' | 'globals' | 'notes' | 'atEnd'>;

/** Requests a minute that the demo allows. The service allows 15; with 600, no command of the demo has to wait. */
const DEMO_REQUESTS_A_MINUTE = 600;
const DEMO_ALLOWANCES = byAllowance(() => DEMO_REQUESTS_A_MINUTE);

/**
 * Opens the account and its client. With --demo the service is a stand-in inside this process.
 * @param credentials key and base URL that `login` tries before it saves them; otherwise they are found as for any command
 * @throws ScreenerError not_logged_in, usage
 */
export async function openConnection(
  run: CommandRun,
  credentials?: Credentials,
): Promise<Connection> {
  const { context, globals, notes, atEnd } = run;
  prepareForRequests();
  const { state } = context.directories;
  const { baseUrl, key } = globals.demo
    ? await startDemo(run)
    : (credentials ?? findCredentials(context, globals.baseUrl));
  context.secrets.add(key);
  // The demo spends nothing. So it writes to no ledger, and SCREENER_DAILY, which limits real credits, does not apply.
  const spending = globals.demo
    ? { directory: undefined, daily: undefined, allowances: DEMO_ALLOWANCES }
    : { directory: state, daily: globals.daily, allowances: undefined };
  const account = new Account({
    context,
    baseUrl,
    key,
    notes,
    maxCredits: globals.maxCredits,
    keep: globals.keep,
    maxWait: globals.maxWait,
    ...spending,
  });
  const transport = createTransport({
    baseUrl,
    key,
    userAgent: `screener/${version}`,
    env: context.env,
  });
  const sendingClient = createClient({
    transport,
    gate: account.gate,
    timeout: globals.timeout,
    context,
    notes,
  });
  const guardedClient = guarded(sendingClient, account);
  if (globals.demo) return { client: guardedClient, account };
  // `remembering` notes the symbols and types that answers name: completion offers them.
  const { client, save } = remembering(guardedClient, state);
  atEnd.push(save);
  return { client, account };
}

/** Starts the stand-in of the service. @returns where it listens, and its key */
async function startDemo({ context, atEnd }: CommandRun): Promise<Credentials> {
  const [{ startSandbox }, { createQuota }, { demoWorld }] = await Promise.all([
    import('../sandbox/sandbox.ts'),
    import('../sandbox/quota.ts'),
    import('../sandbox/market/market-world.ts'),
  ]);
  const now = () => context.clock.now();
  const quota = createQuota(DEMO_ALLOWANCES);
  const sandbox = await startSandbox({ world: demoWorld(now()), quota, now });
  atEnd.push(sandbox.close);
  return { baseUrl: sandbox.baseUrl, key: sandbox.key };
}
