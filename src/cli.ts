import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './cli/account-commands.ts';
import { addGlobalOptions } from './cli/global-options.ts';
import { configureHelp } from './cli/help.ts';
import { addSandbox } from './cli/sandbox-command.ts';
import { addSignals } from './cli/signals-commands.ts';
import { addStats } from './cli/stats-command.ts';
import { addTools } from './cli/tool-commands.ts';
import type { Context } from './context.ts';
import { type ScreenerError, usageError } from './errors.ts';
import { version } from './version.ts';

/**
 * The tree of commands: names, options and help. Declarations only; what a command does is loaded when it runs.
 */
export function buildProgram(context: Context): Command {
  const program = new Command('screener');
  configureHelp(program);
  program
    .description(
      'Your screeners, signal cards and measured outcomes from a crypto screener service, with every credit accounted for.',
    )
    .version(version, '-V, --version')
    .showSuggestionAfterError(true);
  addGlobalOptions(program);
  addAccountCommands(program, context);
  addSignals(program, context);
  addStats(program, context);
  addSandbox(program, context);
  addTools(program, context);
  return program;
}

/**
 * Parses and runs one command line.
 * @throws ScreenerError, also in place of commander's own errors
 */
export async function runCli(context: Context): Promise<void> {
  let text = '';
  const program = buildProgram(context);
  const collect = (part: string) => {
    text += part;
  };
  for (const command of everyCommand(program)) {
    // commander must neither write nor end the process by itself.
    command.exitOverride().configureOutput({ writeOut: collect, writeErr: () => {} });
  }
  try {
    await program.parseAsync([...context.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw asUsageError(error);
  }
  if (text !== '') await context.stdout.write(text);
}

export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** commander writes `error: …`, and below it, in parentheses, what may have been meant. */
function asUsageError(error: CommanderError): ScreenerError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const guess = rest
    .join(' ')
    .trim()
    .replace(/^\(|\)$/g, '');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  return usageError(
    sentence.endsWith('.') ? sentence : `${sentence}.`,
    guess || '`screener --help` lists commands and options.',
  );
}
