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
import type { OptionDeclaration } from '../commands/parts/option.ts';
import { type ScreenerError, usageError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { flagNames, optionsOf, wordsBeforeEnd } from './command-line.ts';
import type { Typed } from './read-options.ts';
import { runCommand } from './run-command.ts';
import { screener } from './screener.ts';

/**
 * Declares a command only when the words lead to it: all together have some 450 options.
 * @throws ScreenerError, also in place of commander's own errors
 */
export async function runCli(context: Context): Promise<void> {
  let path: Path = [screener];
  const declare = (command: Command, here: Path): Command => {
    path = here;
    const { commands = [], options = [], argument } = commandOf(here);
    // commander must neither write nor end the process by itself.
    command.exitOverride().configureOutput({ writeErr: () => {} });
    command.helpOption(false).helpCommand(false);
    // Each command knows the global options, too: they may stand before or after its name.
    command.enablePositionalOptions();
    for (const option of [...options, ...GLOBAL_OPTIONS]) command.addOption(optionOf(option));
    if (argument !== undefined) command.argument(argument.term);
    for (const { name, alias = [] } of commands) command.command(name).aliases([alias].flat());
    command.hook('preSubcommand', (_, sub) => {
      const next = commands.find(({ name }) => name === sub.name());
      if (next !== undefined) declare(sub, [...here, next]);
    });
    if (isAction(commandOf(here)))
      command.action(() => runCommand(here, typedIn(command), command.args, context));
    return command;
  };
  try {
    await declare(new Command(screener.name), path).parseAsync(withLocalLast(context.argv), {
      from: 'user',
    });
  } catch (error) {
    throw error instanceof CommanderError ? asUsageError(error, path) : error;
  }
}

function optionOf({ flags, about, repeatable }: OptionDeclaration): Option {
  const option = new Option(flags, about);
  return repeatable
    ? option.argParser((text: string, before: string[] = []) => [...before, text])
    : option;
}

/** What was typed for a command and those above it, without what commander sets by itself. */
function typedIn(command: Command): Typed {
  const here = Object.entries(command.opts()).filter(
    ([key]) => command.getOptionValueSource(key) === 'cli',
  );
  return {
    ...(command.parent === null ? {} : typedIn(command.parent)),
    ...Object.fromEntries(here),
  };
}

/** `--local` may stand before the command, which alone knows it. */
function withLocalLast(argv: readonly string[]): string[] {
  const words = wordsBeforeEnd(argv);
  const others = words.filter((word) => word !== '--local');
  return [
    ...others,
    ...(others.length < words.length ? ['--local'] : []),
    ...argv.slice(words.length),
  ];
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

/** commander writes `error: …`, and below it, in parentheses, what may have been meant. */
function asUsageError({ code, message }: CommanderError, path: Path): ScreenerError {
  const command = commandOf(path);
  const [first = '', guess = ''] = message.replace(/^error: /, '').split('\n');
  const isKey = /^unknown option '--?(api-?)?(key|token|secret)\b/i.test(first);
  if (isKey || (code === 'commander.excessArguments' && command.name === 'login')) {
    return usageError(
      "A key is never an option or argument: other users could read it, and it would stay in your shell's history.",
      '`screener login` asks for it; a script pipes it in, or sets SCREENER_API_KEY. Remove a real one from the history.',
    );
  }
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`;
  const [, word = ''] = /'([^'=]+)/.exec(first) ?? [];
  const guessed = GUESSED[word];
  if (guessed !== undefined) return usageError(sentence, guessed);
  const [, ...paths] = everyPath([screener]);
  const elsewhere = paths.find((each) => namesOf(commandOf(each)).includes(word));
  if (code === 'commander.unknownCommand' && elsewhere !== undefined)
    return usageError(sentence, `Did you mean \`${wordsOf(elsewhere)}\`?`);
  if (code === 'commander.missingArgument')
    return usageError(sentence, `For example:\n${command.examples[0]?.[0]}`);
  const declares = (each: Path) =>
    optionsOf(commandOf(each)).some((one) => flagNames(one).includes(word));
  if (declares(path)) return usageError(sentence, `${word} takes no value.`);
  if (command.commands !== undefined && paths.some(declares))
    return usageError(sentence, `Put ${word} behind the command's name.`);
  const what = command.commands === undefined ? 'options' : 'commands and options';
  return usageError(
    sentence,
    guess.replace(/^\(|\)$/g, '') || `\`${wordsOf(path)} --help\` lists ${what}.`,
  );
}
