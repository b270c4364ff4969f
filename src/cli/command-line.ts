/** Reads the words of a command line without the parser: for help, completion, and errors of the parser. */
import {
  type CommandDeclaration,
  commandOf,
  namesOf,
  type Path,
} from '../commands/parts/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/parts/global-options.ts';
import { flagsOf, type OptionDeclaration } from '../commands/parts/option.ts';
import { type Format, isFormat } from '../output/formats.ts';

export type CommandLine = ReturnType<typeof readCommandLine>;

export function readCommandLine(root: CommandDeclaration, words: readonly string[]) {
  let path: Path = [root];
  /** The option whose value would come next. */
  let awaited: OptionDeclaration | undefined;
  /** Values by long flag; the value of a switch is its flag. The last one counts. */
  const given = new Map<string, string>();
  /** Words that are neither a command nor an option of the last command. */
  const strangers: string[] = [];
  const before = wordsBeforeEnd(words);
  const left = [...before];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const option =
      awaited === undefined && word.startsWith('-') ? optionIn(commandOf(path), word) : undefined;
    const next = commandOf(path).commands?.find((sub) => namesOf(sub).includes(word));
    if (awaited !== undefined) {
      given.set(flagsOf(awaited).long, word);
      awaited = undefined;
    } else if (option !== undefined) {
      const { long, placeholder } = flagsOf(option.one);
      if (placeholder !== undefined && option.value === undefined) awaited = option.one;
      else given.set(long, option.value ?? long);
      // `-qh` is `-q -h`.
      if (placeholder === undefined && option.value !== undefined && !word.startsWith('--'))
        left.unshift(`-${option.value}`);
    } else if (next !== undefined && strangers.every((one) => one.startsWith('-')))
      path = [...path, next];
    else strangers.push(word);
  }
  strangers.push(...words.slice(before.length + 1));
  return { path, awaited, given, strangers, isEnded: before.length < words.length };
}

/** The words before `--`: after it a word is no option. */
export function wordsBeforeEnd(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

/** The format that help and errors take: the one that was typed, else `usual`. */
export function formatAsked({ given }: CommandLine, usual?: string): Format {
  const asked = [...given]
    .flatMap(([flag, value]) => (flag === '--output' ? value : flag.slice(2)))
    .filter(isFormat);
  return asked.at(-1) ?? (isFormat(usual) ? usual : 'table');
}

export function optionsOf({ options = [] }: CommandDeclaration): readonly OptionDeclaration[] {
  return [...options, ...GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION];
}

export function flagNames(one: OptionDeclaration): string[] {
  const { short = [], long } = flagsOf(one);
  return [short, long].flat();
}

/** `--type x`, `--type=x`, `-n 5` or `-n5`. */
function optionIn(command: CommandDeclaration, word: string) {
  const [flag = '', value] = word.startsWith('--')
    ? word.split(/=(.*)/s, 2)
    : [word.slice(0, 2), word.slice(2)];
  const one = optionsOf(command).find((each) => flagNames(each).includes(flag));
  return one === undefined ? undefined : { one, value: value || undefined };
}
