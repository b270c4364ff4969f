import { Argument, Command, CommanderError, Option } from 'commander';
import { commandOf, everyPath, isAction, namesOf, type Path, wordsOf } from '../commands/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/global-options.ts';
import type { OptionDeclaration } from '../commands/option.ts';
import { type ScreenerError, usageError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { version } from '../version.ts';
import type { Typed } from './read-options.ts';
import { runCommand } from './run-command.ts';
import { screener } from './screener.ts';

/**
 * Parses and runs one command line.
 * @throws ScreenerError, also in place of commander's own errors
 */
export async function runCli(context: Context): Promise<void> {
  const parser = createParser(context);
  try {
    await parser.program.parseAsync(withLocalLast(context.argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // commander throws even after it has done what it was asked to.
    if (error.code === 'commander.version') return context.stdout.write(`${version}\n`);
    const path = parser.reached();
    // A group without a command (`screener`, `screener signals`) asks what there is.
    if (error.code.startsWith('commander.help')) return (await import('./print-help.ts')).printHelpOf(path, context);
    throw asUsageError(error, path);
  }
}

/**
 * commander's side of the tree. A command gets its options and its subcommands only when the words lead to it: most
 * starts run one command, and declaring all of them took a third of the time of `--help`.
 */
function createParser(context: Context): { program: Command; reached: () => Path } {
  let path: Path = [screener];
  const program = declare(new Command(screener.name), [screener]);

  function declare(command: Command, here: Path): Command {
    path = here;
    const { commands = [], options = [], argument } = commandOf(here);
    // commander must neither write nor end the process by itself.
    command.exitOverride().configureOutput({ writeOut: nothing, writeErr: nothing, ...PLAIN });
    command.helpOption(HELP_OPTION.flags, HELP_OPTION.about).helpCommand(false);
    command.version(version, VERSION_OPTION.flags, VERSION_OPTION.about);
    // Each command knows the global options, too: they may stand before or after its name.
    command.enablePositionalOptions();
    for (const option of [...options, ...GLOBAL_OPTIONS]) command.addOption(optionOf(option));
    if (argument !== undefined) command.addArgument(new Argument(argument.term));
    for (const sub of commands) {
      const below = command.command(sub.name);
      if (sub.alias !== undefined) below.alias(sub.alias);
    }
    if (commands.length > 0) {
      command.hook('preSubcommand', (_, sub) => {
        const next = commands.find(({ name }) => name === sub.name());
        if (next !== undefined) declare(sub, [...here, next]);
      });
    }
    if (isAction(commandOf(here))) command.action(() => runCommand(here, typedIn(command), command.args, context));
    return command;
  }

  return { program, reached: () => path };
}

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
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const others = words.filter((word) => word !== '--local');
  return [...others, ...(others.length < words.length ? ['--local'] : []), ...argv.slice(words.length)];
}

const nothing = () => {};
const no = () => false;

/** Help has no colours; asked whether there could be any, commander would open the streams, which costs 2 ms. */
const PLAIN = { getOutHasColors: no, getErrHasColors: no };

/** commander writes `error: …`, and below it, in parentheses, what may have been meant. */
function asUsageError(error: CommanderError, path: Path): ScreenerError {
  const [first = '', guess = ''] = error.message.replace(/^error: /, '').split('\n');
  if (/^unknown option '--?(api-?)?(key|token|secret)\b/i.test(first)) {
    return usageError(
      'A key is never an option: other users of this machine could read it.',
      '`screener login` asks for it; a script pipes it in, or sets SCREENER_API_KEY.',
    );
  }
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`;
  const unknown = error.code === 'commander.unknownCommand' ? /'(.+)'/.exec(first)?.[1] : undefined;
  const elsewhere = everyPath([screener]).find((each) => namesOf(commandOf(each)).some((name) => name === unknown));
  if (elsewhere !== undefined) return usageError(sentence, `Did you mean \`${wordsOf(elsewhere)}\`?`);
  const what = commandOf(path).commands === undefined ? 'options' : 'commands and options';
  return usageError(sentence, guess.replace(/^\(|\)$/g, '') || `\`${wordsOf(path)} --help\` lists ${what}.`);
}
