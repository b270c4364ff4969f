import { environmentKey } from '../config/credentials.ts';
import { removeSettings, settingsPath } from '../config/settings.ts';
import { usageError } from '../errors.ts';
import { logoutReceipt } from '../output/views/receipts.ts';
import type { Invocation } from './parts/invocation.ts';

/** `screener logout`: removes what `login` saved. */
export async function run(invocation: Invocation): Promise<void> {
  const { context, globals, notes, output } = invocation;
  if (globals.demo)
    throw usageError('--demo has no login to remove.', 'Leave out --demo to log out.');
  const { config } = context.directories;
  const file = settingsPath(config);
  const removed = await removeSettings(config);
  const isRemoved = removed !== undefined;
  notes.note(isRemoved ? `Removed ${file}.` : `No key is saved in ${file}.`);
  if (removed?.linkTarget !== undefined)
    notes.warn(
      `${file} was a symbolic link to ${removed.linkTarget}: if a key is there, it is still there.`,
    );
  if (environmentKey(context) !== undefined)
    notes.warn('SCREENER_API_KEY is still set: commands still use that key.');
  if (!output.isForPeople) await output.one(logoutReceipt, { file, removed: isRemoved });
}
