import { ScreenerError, usageError } from '../../errors.ts';
import type { Context } from '../../runtime/context.ts';
import { makeDirectory, removeTemporaryFiles, storing } from '../../runtime/files.ts';
import { type Lock, takeLock } from '../../runtime/lock.ts';
import { storedMonths } from '../store/layout.ts';
import { type ExportManifest, emptyManifest, loadManifest, saveManifest, withoutFuture } from '../store/manifest.ts';
import { WorkingHistory } from './working-history.ts';

/**
 * Runs work while this process alone may write to a directory, made if it is missing.
 * @throws ScreenerError busy, if another run has it; usage, if it is another account's, unless `adopt`; storage
 */
export async function withLockedHistory<T>(
  directory: string,
  account: string,
  { clock }: Pick<Context, 'clock'>,
  work: (history: WorkingHistory, lock: Lock) => Promise<T>,
  adopt = false,
): Promise<T> {
  await makeDirectory(directory);
  const lock = await storing(`lock ${directory}`, async () => takeLock(directory));
  try {
    await storing(`tidy ${directory}`, () => removeTemporaryFiles(directory));
    const manifest = await openManifest(directory, account, adopt);
    const history = new WorkingHistory(directory, withoutFuture(manifest, clock.now()));
    await history.readJournal();
    return await work(history, lock);
  } finally {
    lock.release();
  }
}

/** Writes a new manifest at once, so that a later run knows whose the first month files are. */
async function openManifest(directory: string, account: string, adopt: boolean): Promise<ExportManifest> {
  const manifest = await loadManifest(directory);
  if (manifest !== undefined) {
    if (manifest.account === null || adopt) return { ...manifest, account };
    if (manifest.account === account) return manifest;
    throw usageError(
      `${directory} holds the history of another account, or of the same one under another key or base URL.`,
      'Export into another directory; or add --adopt, if only the key or the base URL of the same subscriber has changed.',
    );
  }
  if ((await storedMonths(directory)).length > 0) {
    throw new ScreenerError('storage', `${directory} has month files but no export.json.`, {
      hint: 'Restore export.json from a backup, or export into a new directory. `--from` can still read the files.',
    });
  }
  const fresh = emptyManifest(account);
  await saveManifest(directory, fresh);
  return fresh;
}
