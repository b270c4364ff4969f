import { accountId, findCredentials } from '../../config/credentials.ts';
import { ScreenerError } from '../../errors.ts';
import { defaultHistory } from '../../history/default-history.ts';
import { History } from '../../history/store/history.ts';
import { isBelowNull } from '../../runtime/directories.ts';
import type { Invocation } from './invocation.ts';

/** As named, else the default one; the demo's is removed at the end. @throws ScreenerError storage, if no home is known */
export async function findHistory(
  invocation: Invocation,
  named: string | undefined,
): Promise<History> {
  const { context, globals, atEnd, notes } = invocation;
  if (globals.demo && named === undefined) {
    const { demoHistory } = await import('../../sandbox/demo-history.ts');
    const directory = await demoHistory(context.clock.now(), atEnd);
    return new History(directory, notes, context.clock);
  }
  const directory = named ?? defaultHistory(context);
  if (named !== undefined || !isBelowNull(directory))
    return new History(directory, notes, context.clock);
  const hint = 'Name a folder of yours with SCREENER_HISTORY.';
  throw new ScreenerError(
    'storage',
    'No home folder is known, so there is no place for a history.',
    { hint },
  );
}

/** Says in one line if a history is not of the account that is logged in. Sends nothing, and never fails. */
export async function noteOtherAccount(
  { context, globals, notes }: Invocation,
  history: History,
): Promise<void> {
  if (globals.demo) return;
  const account = accountLoggedIn(context, globals.baseUrl);
  const manifest = await history.manifest().catch(() => undefined);
  if (account === undefined || !manifest?.account || manifest.account === account) return;
  notes.note(
    `${history.directory} belongs to another account, key or base URL than the one logged in.`,
  );
}

/** Undefined without a usable key: then there is nothing to compare with. */
export function accountLoggedIn(
  context: Invocation['context'],
  baseUrl: string | undefined,
): string | undefined {
  try {
    const found = findCredentials(context, baseUrl);
    return accountId(found.baseUrl, found.key);
  } catch {
    return undefined;
  }
}
