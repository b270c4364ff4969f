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

export interface CommandLine {
  /** The command that the words lead to, and those above it. */
  readonly path: Path;
  /** The option whose value would come next. */
  readonly awaited: OptionDeclaration | undefined;
  /** Values by long flag, the last of each; the value of a switch is its flag. */
  readonly given: ReadonlyMap<string, string>;
  /** Words that are neither a command nor an option of the last command. */
  readonly strangers: readonly string[];
  /** Whether there is a `--`, after which no word is an option. */
  readonly isEnded: boolean;
}

export function readCommandLine(root: CommandDeclaration, words: readonly string[]): CommandLine {
  let path: Path = [root];
  let awaited: OptionDeclaration | undefined;
  const given = new Map<string, string>();
  const strangers: string[] = [];
  const before = wordsBeforeEnd(words);
  const left = [...before];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (awaited !== undefined) {
      given.set(flagsOf(awaited).long, word);
      awaited = undefined;
      continue;
    }
    const typed = optionIn(commandOf(path), word);
    if (typed !== undefined) {
      const { long, placeholder } = flagsOf(typed.option);
      const isSwitch = placeholder === undefined;
      if (!isSwitch && typed.value === undefined) awaited = typed.option;
      else given.set(long, typed.value ?? long);
      // `-qh` is `-q -h`.
      if (isSwitch && typed.value !== undefined && !word.startsWith('--'))
        left.unshift(`-${typed.value}`);
      continue;
    }
    const command = commandOf(path).commands?.find((sub) => namesOf(sub).includes(word));
    const isBehindStranger = strangers.some((stranger) => !stranger.startsWith('-'));
    if (command !== undefined && !isBehindStranger) path = [...path, command];
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

/** The format of help and errors: the last that was typed, else `usual` if it is one, else `table`. */
export function formatAsked({ given }: CommandLine, usual?: string): Format {
  const words = [...given].map(([flag, value]) => (flag === '--output' ? value : flag.slice(2)));
  const typed = words.findLast(isFormat);
  if (typed !== undefined) return typed;
  return isFormat(usual) ? usual : 'table';
}

export function optionsOf({ options = [] }: CommandDeclaration): readonly OptionDeclaration[] {
  return [...options, ...GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION];
}

export function flagNames(option: OptionDeclaration): string[] {
  const { short, long } = flagsOf(option);
  return short === undefined ? [long] : [short, long];
}

interface TypedOption {
  readonly option: OptionDeclaration;
  /** What is joined to the flag; of a switch, further switches. */
  readonly value: string | undefined;
}

/** Reads `--type x`, `--type=x`, `-n 5` or `-n5`. @returns undefined if the word is no option of the command */
function optionIn(command: CommandDeclaration, word: string): TypedOption | undefined {
  if (!word.startsWith('-')) return undefined;
  const [flag = '', value] = word.startsWith('--')
    ? word.split(/=(.*)/s, 2)
    : [word.slice(0, 2), word.slice(2)];
  const option = optionsOf(command).find((each) => flagNames(each).includes(flag));
  return option === undefined ? undefined : { option, value: value || undefined };
}
