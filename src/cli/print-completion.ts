import type { Given } from '../commands/declaration.ts';
import { completionScript } from '../completion/scripts.ts';
import type { Shell } from '../completion/shells.ts';

/** `screener completion SHELL`: the completion script of that shell. */
export async function printCompletion({ context, words: [shell] }: Given): Promise<void> {
  await context.stdout.write(completionScript(shell as Shell));
}
