import { Command, CommanderError } from 'commander';
import { type ScreenerError, usageError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { version } from '../version.ts';
import { addAccountCommands } from './account-commands.ts';
import { addGlobalOptions } from './global-options.ts';
import { configureHelp, explain, pathOf } from './help.ts';
import { addSandbox } from './sandbox-command.ts';
import { addSignals } from './signals-commands.ts';
import { addStats } from './stats-command.ts';
import { addTools } from './tool-commands.ts';

/**
 * The tree of commands: names, options and help. Declarations only; what a command does is loaded when it runs.
 */
export function buildProgram(context: Context): Command {
  const program = new Command('screener');
  configureHelp(program);
  program
    .description(
      'Your screeners, signal cards and measured outcomes from a crypto screener service, with every credit accounted for',
    )
    .showSuggestionAfterError(true);
  explain(program, {
    cost: '0 to 5 credits a command, each says its own; `screener help credits`',
    examples: [
      ['screener --demo signals ls', 'try it: no login, no credits'],
      ['screener login', 'save key and base URL'],
      ['screener signals ls --since 24h', 'the cards of the last day'],
      ['screener signals ls --all --ndjson | jq -r .source_symbol', 'for scripts'],
    ],
    output: "Data only, on standard output; each command's help lists its fields.",
    exits: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130],
  });
  addGlobalOptions(program);
  program.version(version, '-V, --version', 'print the version');
  addAccountCommands(program, context);
  addSignals(program, context);
  addStats(program, context);
  addSandbox(program, context);
  addTools(program, context);
  return program;
}

const no = () => false;

/** Help has no colours; asked whether there could be any, commander would open the streams, which costs 2 ms. */
const PLAIN = { getOutHasColors: no, getErrHasColors: no };

/**
 * Parses and runs one command line.
 * @throws ScreenerError, also in place of commander's own errors
 */
export async function runCli(context: Context): Promise<void> {
  let text = '';
  let errors = '';
  const program = buildProgram(context);
  const writeOut = (part: string) => {
    text += part;
  };
  const writeErr = (part: string) => {
    errors += part;
  };
  for (const command of everyCommand(program)) {
    // commander must neither write nor end the process by itself.
    command
      .exitOverride((error) => {
        throw Object.assign(error, { command });
      })
      .configureOutput({ writeOut, writeErr, ...PLAIN });
  }
  try {
    await program.parseAsync([...context.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A group without a command (`screener`, `screener signals`) asks what there is: no error.
    if (error.code === 'commander.help') text += errors;
    else if (error.exitCode !== 0) throw asUsageError(error, (error as { command?: Command }).command ?? program);
  }
  if (text !== '') await context.stdout.write(text);
}

export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** commander writes `error: …`, and below it, in parentheses, what may have been meant. */
function asUsageError(error: CommanderError, command: Command): ScreenerError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const guess = rest
    .join(' ')
    .trim()
    .replace(/^\(|\)$/g, '');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  return usageError(
    sentence.endsWith('.') ? sentence : `${sentence}.`,
    guess || `\`${pathOf(command)} --help\` lists ${command.commands.length > 0 ? 'commands and ' : ''}options.`,
  );
}
