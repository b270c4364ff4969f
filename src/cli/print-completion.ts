import { completionScript } from '../completion/scripts.ts';
import { SHELLS } from '../completion/shells.ts';
import { catalogueOf } from './catalogue.ts';
import type { Given } from './declaration.ts';
import { unknownWord } from './print-help.ts';

/** `screener completion SHELL`: the completion script of that shell. */
export async function printCompletion({ context, words: [shell = ''], root }: Given): Promise<void> {
  const known = SHELLS.find((name) => name === shell);
  if (known === undefined) throw unknownWord('shell', shell, SHELLS, `Shells: ${SHELLS.join(', ')}.`);
  await context.stdout.write(completionScript(await catalogueOf(root), known));
}
