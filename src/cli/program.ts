import { Command, CommanderError, Option } from 'commander';
import {
  commandOf,
  everyPath,
  isAction,
  namesOf,
  type Path,
  wordsOf,
} from '../commands/parts/declaration.ts';
import { GLOBAL_OPTIONS } from '../commands/parts/global-options.ts';
import { flagsOf, type OptionDeclaration } from '../commands/parts/option.ts';
import { type ScreenerError, usageError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { flagNames, optionsOf, readCommandLine, wordsBeforeEnd } from './command-line.ts';
import type { Typed } from './read-options.ts';
import { runCommand } from './run-command.ts';
import { screener } from './screener.ts';

/**
 * Parses the command line with commander, and runs the command. A command is declared to commander only when the typed words
 * lead to it, because all commands together have some 450 options, and declaring them takes time.
 * @throws ScreenerError, also in place of commander's own errors
 */
export async function runCli(context: Context): Promise<void> {
  /** The path to the last command that was declared: an error of the parser is about that command. */
  let path: Path = [screener];

  const declare = (command: Command, here: Path): Command => {
    path = here;
    const declaration = commandOf(here);
    const { commands = [], options = [], argument } = declaration;
    // commander must neither write nor end the process by itself.
    command.exitOverride().configureOutput({ writeErr: () => {} });
    command.helpOption(false).helpCommand(false);
    // Each command knows the global options, too: they may stand before or after its name.
    command.enablePositionalOptions();
    for (const option of [...options, ...GLOBAL_OPTIONS]) command.addOption(optionOf(option));
    if (argument !== undefined) command.argument(argument.term);
    for (const { name, alias } of commands) {
      const sub = command.command(name);
      if (alias !== undefined) sub.alias(alias);
    }
    command.hook('preSubcommand', (_, sub) => {
      const next = commands.find(({ name }) => name === sub.name());
      if (next !== undefined) declare(sub, [...here, next]);
    });
    if (isAction(declaration))
      command.action(() => runCommand(here, typedIn(command), command.args, context));
    return command;
  };

  checkValues(context.argv);
  const program = declare(new Command(screener.name), path);
  try {
    await program.parseAsync(withLocalLast(context.argv), { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? asUsageError(error, path) : error;
  }
}

function optionOf({ flags, about, repeatable }: OptionDeclaration): Option {
  const option = new Option(flags, about);
  if (repeatable) option.argParser((text: string, before: string[] = []) => [...before, text]);
  return option;
}

/** What was typed for a command and the commands above it, without the defaults that commander sets. */
function typedIn(command: Command): Typed {
  const typed = Object.entries(command.opts()).filter(
    ([name]) => command.getOptionValueSource(name) === 'cli',
  );
  const above = command.parent === null ? {} : typedIn(command.parent);
  return { ...above, ...Object.fromEntries(typed) };
}

/**
 * Checks that each option that takes a value has one. The parser would take the next option as the value: with `--type --local` a
 * free command would become a paid one.
 * @throws ScreenerError usage
 */
function checkValues(argv: readonly string[]): void {
  const { path, optionBeforeOption, optionWithoutValue } = readCommandLine(screener, argv);
  const option = optionBeforeOption ?? optionWithoutValue;
  if (option === undefined) return;
  const { long, placeholder } = flagsOf(option);
  throw usageError(`The option ${long} <${placeholder}> needs a value.`, listOfOptions(path));
}

/**
 * Moves `--local` to the end of the words. A user may type it before the command (`screener --local stats`), where commander
 * does not know the option: only some commands declare it.
 * @param argv words that `checkValues` has checked: an option without a value would take `--local`, the last word, as its value
 */
function withLocalLast(argv: readonly string[]): string[] {
  const words = wordsBeforeEnd(argv);
  const afterEnd = argv.slice(words.length);
  const others = words.filter((word) => word !== '--local');
  const isLocal = others.length < words.length;
  return isLocal ? [...others, '--local', ...afterEnd] : [...others, ...afterEnd];
}

/** Options of other programs that people type here, and what this program has in their place. */
export const GUESSED: Readonly<Record<string, string>> = {
  '--dry-run': '--plan shows what the command would cost, and stops.',
  '--out': '--output chooses the format; > FILE writes a file.',
  '--format': '--output chooses the format: --output json.',
  '--silent': '--quiet leaves only the errors.',
  '--debug': '--verbose tells more.',
  '--no-input': 'Without a terminal nothing is asked; on one, --yes answers.',
};

/** Finds the arguments that say where to write: their terms are `<file>` or `[dir]`. */
const TERM_OF_PLACE = /file|folder|dir/;

/** Finds a whole word in an option's name that means a key: `key`, `apikey`, `tokens`. */
const KEY_NAME =
  /(?:^|[-_])(?:api|access|auth|secret|private)?(?:key|token|secret|bearer|password|auth)s?(?:$|-)/i;

/**
 * Whether an unknown option was typed to pass a key. A key is never an option, because other users see options in the list of
 * processes. `--api-key` and `--token` are such options. `--monkey` is not: *key* is no whole word in it. `--sort-key` is not: it
 * begins with an option of the program.
 */
function isForKey(message: string): boolean {
  const [, word = ''] = /^unknown option '(--?[\w-]+)/.exec(message) ?? [];
  if (!KEY_NAME.test(word)) return false;
  const known = everyPath([screener]).flatMap((path) =>
    optionsOf(commandOf(path)).map((option) => flagsOf(option).long),
  );
  return !known.some((long) => word.startsWith(`${long}-`));
}

/** Commands that people guess, and what this program has in their place. */
const GUESSED_COMMANDS: Readonly<Record<string, string>> = {
  status: '`screener access` shows plan and credits; `screener today` shows your screeners.',
  whoami: '`screener access` shows plan and credits.',
  config: '`screener login` saves base URL and key; `screener help environment` lists the rest.',
  uninstall: 'README says how to remove it; `screener help environment` names its folders.',
};

/** An error in the words of this program. commander writes `error: …`, and below it, in parentheses, what the user may have meant. */
function asUsageError({ code, message }: CommanderError, path: Path): ScreenerError {
  const command = commandOf(path);
  const [first = '', guess = ''] = message.replace(/^error: /, '').split('\n');
  // commander names the option with its value, which may be a secret: `unknown option '--token=abc'`.
  const withoutValue = first.replace(/^(unknown option '[^'=]+)=.*'$/s, "$1'");
  const isKeyAsArgument = code === 'commander.excessArguments' && command.name === 'login';
  if (isForKey(first) || isKeyAsArgument) {
    return usageError(
      "A key is never an option or argument: other users could read it, and it would stay in your shell's history.",
      '`screener login` asks for it; a script pipes it in, or sets SCREENER_API_KEY. If you typed a real key, remove it from the history of your shell.',
    );
  }
  // The first name in quotes, without `=VALUE`.
  const [, word = ''] = /'([^'=]+)/.exec(first) ?? [];
  const guessOfCommander = guess.replace(/^\(|\)$/g, '');
  const hint = remedyOf(code, word, path) ?? guessOfCommander;
  return usageError(messageAsSentence(withoutValue), hint || listOfOptions(path));
}

/** Where a command's options are listed, as a hint. */
function listOfOptions(path: Path): string {
  const what = commandOf(path).commands === undefined ? 'options' : 'commands and options';
  return `\`${wordsOf(path)} --help\` lists ${what}.`;
}

/** The message with a capital and a full stop. */
function messageAsSentence(message: string): string {
  const withoutStop = message.replace(/\.$/, '');
  return `${withoutStop.charAt(0).toUpperCase()}${withoutStop.slice(1)}.`;
}

/**
 * @param code the code of commander's error
 * @param word the option or command that the error names, without a value
 * @param path the command at which parsing ended
 * @returns what to type in the place of the word; undefined if that is not known
 */
function remedyOf(code: string, word: string, path: Path): string | undefined {
  const command = commandOf(path);
  const { argument } = command;
  if (argument !== undefined && TERM_OF_PLACE.test(argument.term)) {
    if (['--out', '--dir', '--from'].includes(word))
      return `It is an argument: \`${wordsOf(path)} ${argument.term}\`.`;
    if (word === '--format')
      return 'What it writes has one format. --output json prints what was done.';
  }
  if (Object.hasOwn(GUESSED, word)) return GUESSED[word];
  // The first path is the program itself.
  const [, ...commands] = everyPath([screener]);
  if (code === 'commander.unknownCommand') {
    if (Object.hasOwn(GUESSED_COMMANDS, word)) return GUESSED_COMMANDS[word];
    const elsewhere = commands.find((each) => namesOf(commandOf(each)).includes(word));
    if (elsewhere !== undefined) return `Did you mean \`${wordsOf(elsewhere)}\`?`;
  }
  const takesFolder = optionsOf(command).some((option) => flagNames(option).includes('--from'));
  if (code === 'commander.excessArguments' && takesFolder)
    return 'If that is a folder with a history, it follows --from: `--from DIR`.';
  if (code === 'commander.missingArgument') return `For example:\n${command.examples[0]?.[0]}`;
  const declares = (each: Path) =>
    optionsOf(commandOf(each)).some((option) => flagNames(option).includes(word));
  // The option exists here, so what is wrong is its value.
  if (declares(path)) return `${word} takes no value.`;
  if (command.commands !== undefined && commands.some(declares))
    return `Put ${word} behind the command's name.`;
  return undefined;
}
