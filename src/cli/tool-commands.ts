import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { topicNames, topicText } from './topics.ts';

/** help. */
export function addTools(program: Command, context: Context): void {
  program
    .command('help')
    .description(`Show help for a command, or on ${topicNames.join(', ')}`)
    .argument('[words...]', 'a command or a topic')
    .action(async (words: string[]) => context.stdout.write(helpFor(program, words)));
}

function helpFor(program: Command, words: readonly string[]): string {
  const [topic] = words;
  const text = words.length === 1 && topic !== undefined ? topicText(topic) : undefined;
  if (text !== undefined) return text;
  let command = program;
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word || candidate.aliases().includes(word));
    if (next === undefined) {
      throw usageError(
        `There is no command or topic '${words.join(' ')}'.`,
        `Topics: ${topicNames.join(', ')}. \`screener --help\` lists the commands.`,
      );
    }
    command = next;
  }
  return helpText(command);
}

/** The help as `--help` gives it, texts before and after included. */
function helpText(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}
