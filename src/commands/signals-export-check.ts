import { ScreenerError } from '../errors.ts';
import { checkHistory } from '../history/export/check.ts';
import type { History } from '../history/store/history.ts';
import type { ExportManifest } from '../history/store/manifest.ts';
import { checkReceipt } from '../output/views/receipts.ts';
import type { Invocation } from './parts/invocation.ts';
import { exportCommand } from './parts/next-command.ts';

interface CheckOptions {
  readonly history: History;
  /** The folder as the user typed it; undefined for the default history. */
  readonly dir?: string | undefined;
  /** How old the last successful run may be, milliseconds. */
  readonly maxAge: number;
}

/**
 * `screener signals export --check`: sends nothing, and says nothing if all is well.
 * @throws ScreenerError stale, with what is wrong
 */
export async function run(
  invocation: Invocation,
  { history, dir, maxAge }: CheckOptions,
): Promise<void> {
  const { context, notes, output } = invocation;
  const { directory } = history;
  const { trouble, isOld, files, notAsked } = await checkHistory(directory, maxAge, context.clock);
  notes.debug(`Read in ${directory}: ${files.join(', ') || 'nothing'}`);
  const manifest = await history.manifest();
  const { counts = null, remaining, last_success = null } = manifest ?? {};
  if (!output.isForPeople)
    await output.one(checkReceipt, {
      directory,
      healthy: trouble === undefined,
      found: trouble ?? null,
      last_success,
      outcomes_due: remaining?.outcomes_due ?? 0,
      counts,
      files,
      not_asked: notAsked,
    });
  if (trouble === undefined) return;
  const command = exportCommand(invocation, dir);
  throw new ScreenerError('stale', trouble, { hint: hintOf(manifest, isOld, command) });
}

/**
 * What to do about the trouble.
 * @param manifest undefined if no export has begun the history
 * @param isOld whether the last successful export is older than --max-age
 * @param command the command line of an export into the history
 * @returns undefined if another export is of no use
 */
function hintOf(
  manifest: Pick<ExportManifest, 'last_run' | 'last_success'> | undefined,
  isOld: boolean,
  command: string,
): string | undefined {
  if (manifest?.last_run == null)
    return `An export begins it (--plan says what that costs):\n${command}`;
  if (manifest.last_success === null)
    return `The next export tries again, and says what is wrong:\n${command}`;
  return isOld ? `An export brings it up to date:\n${command}` : undefined;
}
