import { Argument, Command, CommanderError, Option } from 'commander';
import { commandOf, everyPath, isAction, namesOf, type Path, wordsOf } from '../commands/parts/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/parts/global-options.ts';
import { flagsOf, type OptionDeclaration } from '../commands/parts/option.ts';
import { type ScreenerError, usageError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { version } from '../version.ts';
import { wordsBeforeEnd } from './command-line.ts';
import type { Typed } from './read-options.ts';
import { runCommand } from './run-command.ts';
import { screener } from './screener.ts';

/**
 * Declares a command only when the words lead to it: declaring all took a third of the time of `--help`.
 * @throws ScreenerError, also in place of commander's own errors
 */
export async function runCli(context: Context): Promise<void> {
  let path: Path = [screener];
  const declare = (command: Command, here: Path): Command => {
    path = here;
    const { commands = [], options = [], argument } = commandOf(here);
    // commander must neither write nor end the process by itself.
    command.exitOverride().configureOutput({ writeOut: nothing, writeErr: nothing });
    command.helpOption(HELP_OPTION.flags, HELP_OPTION.about).helpCommand(false);
    command.version(version, VERSION_OPTION.flags, VERSION_OPTION.about);
    // Each command knows the global options, too: they may stand before or after its name.
    command.enablePositionalOptions();
    for (const option of [...options, ...GLOBAL_OPTIONS]) command.addOption(optionOf(option));
    if (argument !== undefined) command.addArgument(new Argument(argument.term));
    for (const { name, alias } of commands) command.command(name).aliases(alias === undefined ? [] : [alias]);
    command.hook('preSubcommand', (_, sub) => {
      const next = commands.find(({ name }) => name === sub.name());
      if (next !== undefined) declare(sub, [...here, next]);
    });
    if (isAction(commandOf(here))) command.action(() => runCommand(here, typedIn(command), command.args, context));
    return command;
  };
  try {
    await declare(new Command(screener.name), path).parseAsync(withLocalLast(context.argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // commander throws even after it has done what it was asked to.
    if (error.code === 'commander.version') return context.stdout.write(`${version}\n`);
    // A group without a command (`screener`, `screener signals`) asks what there is.
    if (error.code.startsWith('commander.help')) return (await import('./print-help.ts')).printHelpOf(path, context);
    throw asUsageError(error, path);
  }
}

const nothing = () => {};

function optionOf({ flags, about, repeatable }: OptionDeclaration): Option {
  const option = new Option(flags, about);
  return repeatable ? option.argParser((text: string, before: string[] = []) => [...before, text]) : option;
}

/** What was typed for a command and those above it, without what commander sets by itself. */
function typedIn(command: Command): Typed {
  const here = Object.entries(command.opts()).filter(([key]) => command.getOptionValueSource(key) === 'cli');
  return { ...(command.parent === null ? {} : typedIn(command.parent)), ...Object.fromEntries(here) };
}

/** `--local` may stand before the command, which alone knows it. */
function withLocalLast(argv: readonly string[]): string[] {
  const words = wordsBeforeEnd(argv);
  const others = words.filter((word) => word !== '--local');
  return [...others, ...(others.length < words.length ? ['--local'] : []), ...argv.slice(words.length)];
}

/** commander writes `error: …`, and below it, in parentheses, what may have been meant. */
function asUsageError(error: CommanderError, path: Path): ScreenerError {
  const [first = '', guess = ''] = error.message.replace(/^error: /, '').split('\n');
  if (/^unknown option '--?(api-?)?(key|token|secret)\b/i.test(first)) {
    return usageError(
      'A key is never an option: other users of this machine could read it.',
      '`screener login` asks for it; a script pipes it in, or sets SCREENER_API_KEY.',
    );
  }
  if (error.code === 'commander.excessArguments' && commandOf(path).name === 'login') {
    return usageError(
      "The key is never an argument: it would stay in your shell's history.",
      'Type `screener login`; if you typed a real key, remove that line from the history.',
    );
  }
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`;
  const unknown = error.code === 'commander.unknownCommand' ? /'(.+)'/.exec(first)?.[1] : undefined;
  const elsewhere = everyPath([screener]).find((each) => namesOf(commandOf(each)).some((name) => name === unknown));
  if (elsewhere !== undefined) {
    const isRoot = elsewhere.length === 1;
    return usageError(
      sentence,
      isRoot ? '`screener --help` lists the commands.' : `Did you mean \`${wordsOf(elsewhere)}\`?`,
    );
  }
  const [[example] = []] = commandOf(path).examples ?? [];
  if (error.code === 'commander.missingArgument') return usageError(sentence, `For example:\n${example}`);
  const unknownOption = error.code === 'commander.unknownOption' ? /'(-[^'=]+)(=.*)?'/s.exec(first) : null;
  const [, flag = '', value] = unknownOption ?? [];
  const declares = (each: Path) =>
    (commandOf(each).options ?? []).some((one) => [flagsOf(one).short, flagsOf(one).long].includes(flag));
  if (value !== undefined && declares(path)) return usageError(`${flag} takes no value.`, `Write ${flag} alone.`);
  if (commandOf(path).commands !== undefined && everyPath([screener]).some(declares))
    return usageError(sentence, `Put ${flag} behind the command's name.`);
  const what = commandOf(path).commands === undefined ? 'options' : 'commands and options';
  return usageError(sentence, guess.replace(/^\(|\)$/g, '') || `\`${wordsOf(path)} --help\` lists ${what}.`);
}
