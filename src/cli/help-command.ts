import * as v from 'valibot';
import { command } from '../commands/parts/declaration.ts';
import { topicNames } from './topics.ts';

export const help = command({
  name: 'help',
  description: 'Show help for a command or a topic: figures, credits, cron',
  argument: {
    term: '[words...]',
    about: `a command or a topic: ${topicNames.join(', ')}`,
    schema: v.string(),
    takes: { kind: 'free' },
  },
  cost: 'free; sends nothing',
  examples: [
    ['screener help signals ls', 'the same as screener signals ls --help'],
    ['screener help credits', 'what costs how much, and how it is counted'],
    ['screener help --json', 'commands, options, costs, exit codes and JSON Schemas, for scripts'],
  ],
  output: 'The text; with --json one document: the catalogue of all commands.',
  runBare: async (given) => (await import('./print-help.ts')).printHelp(given),
});
