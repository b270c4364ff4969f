import { screener } from '../../src/cli/screener.ts';
import { commandOf, everyPath, isAction, type Path, subcommand, wordsOf } from '../../src/commands/declaration.ts';
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

/**
 * Looks for what a command line names and the program does not have.
 * @param words without `screener`
 * @returns what is wrong, in words
 */
export function checkLine(words: readonly string[]): string[] {
  let path: Path = [screener];
  const wrong: string[] = [];
  const given: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (/^--?[a-z]/i.test(word)) {
      const flag = word.replace(/=.*/, '');
      given.push(flag);
      if (takesValue(flag) && !word.includes('=')) index += 1;
      continue;
    }
    const sub = subcommand(commandOf(path), word);
    if (sub !== undefined) path = [...path, sub];
    else if (commandOf(path).commands !== undefined) wrong.push(`no command "${word}" below "${wordsOf(path)}"`);
  }
  const known = new Set([...GLOBALS, ...(commandOf(path).options ?? [])].flatMap(names));
  wrong.push(...given.filter((flag) => !known.has(flag)).map((flag) => `"${wordsOf(path)}" has no option ${flag}`));
  return wrong;
}

function takesValue(flag: string): boolean {
  return everyOption().some((option) => names(option).includes(flag) && option.takes !== undefined);
}
