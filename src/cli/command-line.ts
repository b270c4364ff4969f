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
  /** The command that the words lead to, and the commands above it. */
  readonly path: Path;
  /** An option at the end of the line that still lacks its value. */
  readonly optionWithoutValue: OptionDeclaration | undefined;
  /** The first option behind which another option stands in place of the value, as in `--type --json`. */
  readonly optionBeforeOption: OptionDeclaration | undefined;
  /**
   * The typed options: values by long flags, in the order in which they were typed. If an option is repeated, only its last value
   * and place count. The value of a switch is its flag.
   */
  readonly typedValues: ReadonlyMap<string, string>;
  /** Words that are neither a command nor an option of the last command. An argument is among them, too. */
  readonly unknownWords: readonly string[];
  /** Whether there is a `--`, after which no word is an option. */
  readonly hasEndOfOptions: boolean;
}

export function readCommandLine(root: CommandDeclaration, words: readonly string[]): CommandLine {
  let path: Path = [root];
  let optionWithoutValue: OptionDeclaration | undefined;
  let optionBeforeOption: OptionDeclaration | undefined;
  const typedValues = new Map<string, string>();
  const noteTyped = (long: string, value: string) => {
    // A Map keeps the place of a key that is set again.
    typedValues.delete(long);
    typedValues.set(long, value);
  };
  const unknownWords: string[] = [];
  const beforeEnd = wordsBeforeEnd(words);
  const wordsLeft = [...beforeEnd];
  for (let word = wordsLeft.shift(); word !== undefined; word = wordsLeft.shift()) {
    if (optionWithoutValue !== undefined) {
      const optionBefore = optionWithoutValue;
      optionWithoutValue = undefined;
      if (!isFlag(commandOf(path), word)) {
        noteTyped(flagsOf(optionBefore).long, word);
        continue;
      }
      // A flag is not the value of the option before it. It is read as an option of its own.
      optionBeforeOption ??= optionBefore;
    }
    const typed = optionIn(commandOf(path), word);
    if (typed !== undefined) {
      const { option, value } = typed;
      const { long, placeholder } = flagsOf(option);
      const isSwitch = placeholder === undefined;
      if (isSwitch) {
        noteTyped(long, long);
        // `-qh` means `-q -h`: the rest of the word is put back as the next word, `-h`.
        if (value !== undefined && !word.startsWith('--')) wordsLeft.unshift(`-${value}`);
      } else if (value === undefined) {
        optionWithoutValue = option;
      } else {
        noteTyped(long, value);
      }
      continue;
    }
    const command = commandOf(path).commands?.find((sub) => namesOf(sub).includes(word));
    // After a word that is no command, no later word is one: `screener foo stats` does not lead to `stats`. Behind an unknown
    // option, a command may still come.
    const isBehindUnknown = unknownWords.some((unknownWord) => !unknownWord.startsWith('-'));
    if (command !== undefined && !isBehindUnknown) path = [...path, command];
    else unknownWords.push(word);
  }
  unknownWords.push(...words.slice(beforeEnd.length + 1));
  const hasEndOfOptions = beforeEnd.length < words.length;
  return {
    path,
    optionWithoutValue,
    optionBeforeOption,
    typedValues,
    unknownWords,
    hasEndOfOptions,
  };
}

/** The words before `--`. After `--` no word is an option. */
export function wordsBeforeEnd(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

/** The last format that was typed; undefined if none was. */
export function typedFormatOf({ typedValues }: CommandLine): Format | undefined {
  // `--json` is short for `--output json`. The name of any other option is no format, and is passed over.
  const words = [...typedValues].map(([flag, value]) =>
    flag === '--output' ? value : flag.slice(2),
  );
  return words.findLast(isFormat);
}

/**
 * The format of help and errors: the last one that was typed, else the fallback, else `table`.
 * @param fallback counts only if it is the name of a format
 */
export function formatAsked(line: CommandLine, fallback?: string): Format {
  const typedFormat = typedFormatOf(line);
  if (typedFormat !== undefined) return typedFormat;
  return isFormat(fallback) ? fallback : 'table';
}

/** The options of a command, and the options that every command has. */
export function optionsOf({ options = [] }: CommandDeclaration): readonly OptionDeclaration[] {
  return [...options, ...GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION];
}

export function flagNames(option: OptionDeclaration): string[] {
  const { short, long } = flagsOf(option);
  return short === undefined ? [long] : [short, long];
}

interface TypedOption {
  readonly option: OptionDeclaration;
  /**
   * The text joined to the flag: `x` of `--type=x`, `5` of `-n5`, maybe none (`--type=`); behind a switch, further switches
   * (`h` of `-qh`). Undefined if nothing is joined.
   */
  readonly value: string | undefined;
}

/**
 * Whether a word is a flag and no value. Every word that looks like a long flag is one, also if the command has no such option
 * (`--local`, `--by=type`). A short flag has to be one of the command: a value may begin with a minus (`--sort -id`).
 */
function isFlag(command: CommandDeclaration, word: string): boolean {
  if (/^--[a-z][\w-]*(?:=|$)/i.test(word)) return true;
  return optionsOf(command).some((option) => flagsOf(option).short === word);
}

/** A flag, and the text that is joined to it. */
interface SplitWord {
  readonly flag: string;
  /** Undefined if nothing is joined. */
  readonly value: string | undefined;
}

/** Splits a long flag from its value, at the first `=` only: `--type=a=b` has the value `a=b`. */
export function splitAtEquals(word: string): SplitWord {
  const equals = word.indexOf('=');
  if (equals === -1) return { flag: word, value: undefined };
  return { flag: word.slice(0, equals), value: word.slice(equals + 1) };
}

/** Splits a short flag from the text behind it: `-n5` has the value `5`. */
function splitShortFlag(word: string): SplitWord {
  const value = word.slice(2);
  return { flag: word.slice(0, 2), value: value === '' ? undefined : value };
}

/** The option that a word types: `--type`, `--type=x`, `-n` or `-n5`. @returns undefined if the word is no option of the command */
function optionIn(command: CommandDeclaration, word: string): TypedOption | undefined {
  if (!word.startsWith('-')) return undefined;
  const { flag, value } = word.startsWith('--') ? splitAtEquals(word) : splitShortFlag(word);
  const option = optionsOf(command).find((each) => flagNames(each).includes(flag));
  return option === undefined ? undefined : { option, value };
}
