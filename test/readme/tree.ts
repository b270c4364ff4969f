import { screener } from '../../src/cli/screener.ts';
import { commandOf, everyPath, isAction, wordsOf } from '../../src/commands/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../../src/commands/global-options.ts';
import { flagsOf, type OptionDeclaration } from '../../src/commands/option.ts';

/** The words of every command that does something: `screener signals ls`. */
export function everyCommandLine(): string[] {
  return everyPath([screener])
    .filter((path) => isAction(commandOf(path)))
    .map(wordsOf);
}

export function everyAlias(): string[] {
  return everyPath([screener]).flatMap((path) => commandOf(path).alias ?? []);
}

const GLOBALS = [...GLOBAL_OPTIONS, VERSION_OPTION, HELP_OPTION];

function everyOption(): OptionDeclaration[] {
  return [...GLOBALS, ...everyPath([screener]).flatMap((path) => commandOf(path).options ?? [])];
}

function names(option: OptionDeclaration): string[] {
  const { short, long } = flagsOf(option);
  return short === undefined ? [long] : [short, long];
}

/** Long and short forms of every option of the tree. */
export function everyFlag(): Set<string> {
  return new Set(everyOption().flatMap(names));
}
