import type { Command } from 'commander';
import { usageError } from '../errors.ts';
import { nearest } from '../output/fields.ts';
import type { Context } from '../runtime/context.ts';
import { explain, helpText, pathOf } from './help.ts';
import { SHELLS } from './shells.ts';
import { topicNames, topicText } from './topics.ts';

/** completion, help. */
export function addTools(program: Command, context: Context): void {
  explain(
    program
      .command('completion')
      .description('Print the completion script of a shell')
      .argument('<shell>', `${SHELLS.slice(0, -1).join(', ')} or ${SHELLS.at(-1)}`),
    {
      cost: '0 credits; nothing is sent',
      about:
        'Commands, options and their values, fields too, are part of the script. Symbols and screener types are those of the last answers, kept in the state directory: completing them costs nothing either.',
      examples: [
        ['source <(screener completion bash)', 'in ~/.bashrc'],
        ['source <(screener completion zsh)', 'in ~/.zshrc, after compinit'],
        ['screener completion fish > ~/.config/fish/completions/screener.fish', 'once'],
      ],
      output: 'The script.',
      exits: [0, 2],
    },
  ).action(async (shell: string) => {
    const known = SHELLS.find((name) => name === shell);
    if (known === undefined) throw unknownWord('shell', shell, SHELLS, `Shells: ${SHELLS.join(', ')}.`);
    const { completionScript } = await import('../completion/scripts.ts');
    await context.stdout.write(await completionScript(program, known));
  });

  explain(
    program
      .command('help')
      .description(`Show help for a command, or on ${topicNames.join(', ')}`)
      .argument('[words...]', 'a command or a topic'),
    {
      cost: '0 credits; nothing is sent',
      examples: [
        ['screener help signals ls', 'the same as screener signals ls --help'],
        ['screener help credits', 'what costs how much, and how it is counted'],
      ],
      output: 'The text.',
      exits: [0, 2],
    },
  ).action(async (words: string[]) => context.stdout.write(helpFor(program, words)));
}

function helpFor(program: Command, words: readonly string[]): string {
  const [topic] = words;
  const text = words.length === 1 && topic !== undefined ? topicText(topic) : undefined;
  if (text !== undefined) return text;
  let command = program;
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word || candidate.aliases().includes(word));
    if (next === undefined) throw noHelpOn(command, word, words);
    command = next;
  }
  return helpText(command);
}

function noHelpOn(command: Command, word: string, words: readonly string[]) {
  const names = command.commands.flatMap((candidate) => [candidate.name(), ...candidate.aliases()]);
  if (command.parent === null) {
    const topics = `Topics: ${topicNames.join(', ')}. \`screener --help\` lists the commands.`;
    return unknownWord('command or topic', words.join(' '), [...names, ...topicNames], topics, word);
  }
  const hint =
    names.length === 0
      ? `\`${pathOf(command)}\` has no commands below it.`
      : `\`${pathOf(command)} --help\` lists its commands.`;
  return unknownWord('command', words.join(' '), names, hint, word);
}

function unknownWord(what: string, given: string, names: readonly string[], hint: string, word = given) {
  const near = nearest(word, names);
  const guess = near === undefined ? '' : ` Did you mean '${near}'?`;
  return usageError(`There is no ${what} '${given}'.${guess}`, hint);
}
