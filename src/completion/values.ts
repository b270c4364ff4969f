import type { Context } from '../runtime/context.ts';
import { isKind, readSeen } from './seen.ts';

/**
 * `screener complete-values symbol|type`, for completion scripts: what the last answers contained, one a line. Spends
 * nothing, sends nothing, and says nothing where there is nothing to say: an error in the middle of somebody's typing
 * would help nobody.
 */
export async function completeValues({ argv, stdout, directories }: Context): Promise<void> {
  const [, kind] = argv;
  if (!isKind(kind)) return;
  const text = readSeen(directories.state)[kind].map((value) => `${value}\n`);
  if (text.length > 0) await stdout.write(text.join(''));
}
