import { findCredentials } from '../../config/credentials.ts';
import { accountId } from '../../config/identity.ts';
import { ScreenerError } from '../../errors.ts';
import { defaultHistory } from '../../history/default-history.ts';
import { History } from '../../history/store/history.ts';
import { isBelowNull } from '../../runtime/directories.ts';
import type { Invocation } from './invocation.ts';

/** As named, else the default one; the demo's is removed at the end. @throws ScreenerError storage, if no home is known */
async function historyDirectory({ context, globals, atEnd }: Invocation, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  if (!globals.demo) {
    const directory = defaultHistory(context);
    if (!isBelowNull(directory)) return directory;
    const hint = 'Name a folder of yours with SCREENER_HISTORY.';
    throw new ScreenerError('storage', 'No home folder is known, so there is no place for a history.', { hint });
  }
  const { demoHistory } = await import('../../sandbox/demo-history.ts');
  return demoHistory(context.clock.now(), atEnd);
}

export async function findHistory(invocation: Invocation, named: string | undefined): Promise<History> {
  return new History(await historyDirectory(invocation, named), invocation.notes);
}

/** Says in one line if a history is not of the account that is logged in. Sends nothing, and never fails. */
export async function noteOtherAccount({ context, globals, notes }: Invocation, history: History): Promise<void> {
  if (globals.demo) return;
  const account = accountLoggedIn(context, globals.baseUrl);
  const manifest = await history.manifest().catch(() => undefined);
  if (account === undefined || !manifest?.account || manifest.account === account) return;
  notes.note(`${history.directory} is not a history of the account, key and base URL that are logged in.`);
}

/** Undefined without a usable key: then there is nothing to compare with. */
export function accountLoggedIn(context: Invocation['context'], baseUrl: string | undefined): string | undefined {
  try {
    const found = findCredentials(context, baseUrl);
    return accountId(found.baseUrl, found.key);
  } catch {
    return undefined;
  }
}
