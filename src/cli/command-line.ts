/** Reads the words of a command line without the parser: for help, completion, and errors of the parser. */
import { type CommandDeclaration, commandOf, type Path, subcommand } from '../commands/parts/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/parts/global-options.ts';
import { flagsOf, type OptionDeclaration } from '../commands/parts/option.ts';
import { type Format, isFormat } from '../output/formats.ts';

export interface CommandLine {
  readonly path: Path;
  /** Values by long flag; the value of a switch is its flag. The last one counts. */
  readonly given: ReadonlyMap<string, string>;
  /** The option whose value would come next. */
  readonly awaited: OptionDeclaration | undefined;
  /** Words that are neither a command nor an option of the last command. */
  readonly strangers: readonly string[];
  readonly isEnded: boolean;
}

export function readCommandLine(root: CommandDeclaration, words: readonly string[]): CommandLine {
  let path: Path = [root];
  let awaited: OptionDeclaration | undefined;
  const given = new Map<string, string>();
  const strangers: string[] = [];
  const before = wordsBeforeEnd(words);
  for (const word of before) {
    const option = awaited === undefined && word.startsWith('-') ? optionIn(commandOf(path), word) : undefined;
    const next = subcommand(commandOf(path), word);
    if (awaited !== undefined) {
      given.set(flagsOf(awaited).long, word);
      awaited = undefined;
    } else if (option !== undefined) {
      const { long, placeholder } = flagsOf(option.one);
      if (placeholder !== undefined && option.value === undefined) awaited = option.one;
      else given.set(long, option.value ?? long);
    } else if (next !== undefined && strangers.every((one) => one.startsWith('-'))) path = [...path, next];
    else strangers.push(word);
  }
  return { path, given, awaited, strangers, isEnded: before.length < words.length };
}

/** The words before `--`: after it a word is no option. */
export function wordsBeforeEnd(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

/** The format that help and errors take: the one that was typed, else `usual`. */
export function formatAsked({ given }: Pick<CommandLine, 'given'>, usual?: string): Format {
  const asked = [...given].flatMap(([flag, value]) => (flag === '--output' ? value : flag.slice(2))).filter(isFormat);
  return asked.at(-1) ?? (isFormat(usual) ? usual : 'table');
}

export function optionsOf(command: CommandDeclaration, isRoot: boolean): readonly OptionDeclaration[] {
  return [...(command.options ?? []), ...GLOBAL_OPTIONS, HELP_OPTION, ...(isRoot ? [VERSION_OPTION] : [])];
}

export function flagNames(one: OptionDeclaration): string[] {
  const { short, long } = flagsOf(one);
  return short === undefined ? [long] : [short, long];
}

/** `--type x`, `--type=x`, `-n 5` or `-n5`. */
function optionIn(command: CommandDeclaration, word: string) {
  const [flag = '', value] = word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word.slice(0, 2), word.slice(2)];
  const one = optionsOf(command, true).find((each) => flagNames(each).includes(flag));
  return one === undefined ? undefined : { one, value: value || undefined };
}
