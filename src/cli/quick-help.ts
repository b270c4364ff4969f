import { commandOf, type Path, subcommand } from '../commands/declaration.ts';
import type { Context } from '../runtime/context.ts';
import { helpText, printText } from './help.ts';
import { screener } from './screener.ts';

/**
 * Prints the help where a command line asks for nothing else: words that name a command, then `--help`. Any other way to
 * ask for help goes through the parser, which takes longer to load than the help itself.
 * @returns whether it did
 */
export async function quickHelp(context: Context): Promise<boolean> {
  const { argv } = context;
  const [last] = argv.slice(-1);
  const isAsked = last === '--help' || last === '-h';
  let path: Path = [screener];
  for (const word of isAsked ? argv.slice(0, -1) : argv) {
    const next = subcommand(commandOf(path), word);
    if (next === undefined) return false;
    path = [...path, next];
  }
  if (!isAsked && commandOf(path).commands === undefined) return false;
  await printText(await helpText(path), context);
  return true;
}
