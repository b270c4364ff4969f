import { accountId, findCredentials } from '../../config/credentials.ts';
import { ScreenerError } from '../../errors.ts';
import { defaultHistory } from '../../history/default-history.ts';
import { History } from '../../history/store/history.ts';
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
