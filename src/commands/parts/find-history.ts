import { accountId, findCredentials, overriddenLogin } from '../../config/credentials.ts';
import { ScreenerError, usageError } from '../../errors.ts';
import { defaultHistory } from '../../history/default-history.ts';
import { History } from '../../history/store/history.ts';
import { readManifest } from '../../history/store/manifest.ts';
import { isBelowNull } from '../../runtime/directories.ts';
import type { Invocation } from './invocation.ts';

/**
 * The history in the folder that the user named, otherwise the default history. The demo makes a history of its own, and removes it
 * when the command has ended.
 * @throws ScreenerError storage, if the default history is wanted, and no home folder is known
 */
export async function findHistory(
  invocation: Invocation,
  folder: string | undefined,
): Promise<History> {
  const { context, notes } = invocation;
  const directory = folder ?? (await usualFolder(invocation));
  return new History(directory, notes, context.clock);
}

async function usualFolder({ context, globals, atEnd }: Invocation): Promise<string> {
  if (globals.demo) {
    const { demoHistory } = await import('../../sandbox/demo-history.ts');
    return demoHistory(context.clock.now(), atEnd);
  }
  const directory = defaultHistory(context);
  // If no home folder is known, the default history lies below /dev/null.
  if (!isBelowNull(directory)) return directory;
  throw new ScreenerError(
    'storage',
    'No home folder is known, so there is no place for a history.',
    { hint: 'Name a folder of yours with SCREENER_HISTORY.' },
  );
}

/** Says in one line if a history was exported with another account, key or base URL. Sends nothing, and never fails. */
export async function noteOtherAccount(
  { context, globals, notes }: Invocation,
  history: History,
): Promise<void> {
  if (globals.demo) return;
  const account = accountLoggedIn(context, globals.baseUrl);
  const manifest = await history.manifest().catch(() => undefined);
  if (account === undefined || !manifest?.account || manifest.account === account) return;
  notes.note(
    `${history.directory} was exported with another account, key or base URL than yours now.`,
  );
}

/**
 * Refuses to export from one service into the history of another. A rehearsal with the sandbox may have left its base URL in the
 * environment: with `--adopt`, invented cards would come into the history that was paid for.
 * @throws ScreenerError usage, if the history is that of the saved login, and this run has another base URL; storage
 */
export async function refuseOtherService(
  { context, globals }: Invocation,
  directory: string,
): Promise<void> {
  const saved = overriddenLogin(context, globals.baseUrl);
  if (globals.demo || saved === undefined) return;
  const stored = await readManifest(directory);
  if (stored.kind === 'none') return;
  const owner = stored.kind === 'whole' ? stored.manifest.account : stored.account;
  if (owner !== accountId(saved.baseUrl, saved.key)) return;
  const reason =
    globals.baseUrl === undefined ? 'SCREENER_BASE_URL is set' : '--base-url was typed';
  throw usageError(
    `${directory} holds the history of your saved login at ${saved.baseUrl}, but this run would ask another service (${reason}).`,
    'Leave that out, or export into another directory. If the service has a new address, run `screener login` with it first.',
  );
}

/** The id of the account whose key a command would use; undefined without a usable key. */
export function accountLoggedIn(
  context: Invocation['context'],
  baseUrl: string | undefined,
): string | undefined {
  try {
    const credentials = findCredentials(context, baseUrl);
    return accountId(credentials.baseUrl, credentials.key);
  } catch {
    return undefined;
  }
}
