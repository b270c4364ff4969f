import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orWords } from '../base/words.ts';
import { access, login, logout } from '../commands/declarations/account.ts';
import { report, today, tune } from '../commands/declarations/history.ts';
import { sandbox, screeners, snapshot } from '../commands/declarations/service.ts';
import { signals } from '../commands/declarations/signals.ts';
import { stats } from '../commands/declarations/stats.ts';
import { command } from '../commands/parts/declaration.ts';
import { text, words } from '../commands/parts/values.ts';
import { packageFolder } from '../version.ts';
import { topicNames } from './topics.ts';

/** The files in completions/ by shell. When the user presses TAB, they run `screener complete`. They need bash 3.2, fish 3, or later. */
const SCRIPTS = {
  bash: 'screener.bash',
  zsh: '_screener',
  fish: 'screener.fish',
  powershell: 'screener.ps1',
};
const SHELLS = Object.keys(SCRIPTS);

/** @param shell a key of `SCRIPTS`: the argument is required, and its schema lets only these names through */
function completionScript(shell: string | undefined): string {
  const file = SCRIPTS[shell as keyof typeof SCRIPTS];
  return readFileSync(join(packageFolder, 'completions', file), 'utf8');
}

const completion = command({
  name: 'completion',
  description: 'Print the completion script of a shell',
  argument: {
    term: '<shell>',
    about: orWords(SHELLS),
    schema: words(SHELLS, 'Other shells have no script; the program works in them without one.'),
  },
  cost: 'free; sends nothing',
  about:
    'The script completes commands, options, values and field names. It takes symbols and screener types from earlier answers, kept in the state directory, so completing them is free.',
  examples: [
    ['eval "$(screener completion bash)"', 'in ~/.bashrc; also for the bash 3.2 of macOS'],
    ['source <(screener completion zsh)', 'in ~/.zshrc, after compinit'],
    ['screener completion fish > ~/.config/fish/completions/screener.fish', 'once'],
    ['screener completion powershell | Out-String | Invoke-Expression', 'in $PROFILE'],
  ],
  output: 'The script.',
  text: 'text',
  runBare: ({ stdout }, shell) => stdout.write(completionScript(shell)),
});

const help = command({
  name: 'help',
  description: 'Show help for a command or a topic: figures, credits, cron',
  argument: {
    term: '[words...]',
    about: `a command or a topic: ${topicNames.join(', ')}`,
    schema: text,
  },
  cost: 'free; sends nothing',
  examples: [
    ['screener help signals ls', 'the same as screener signals ls --help'],
    ['screener help credits', 'what costs how much, and how it is counted'],
    ['screener help --json', 'commands, options, costs, exit codes and JSON Schemas, for scripts'],
  ],
  output: 'The text; with --json one document: the catalogue of all commands.',
  text: 'text or object',
});

/** Commands about the user's own cards. Help lists them before those about the market, the account and this program. */
const CARD_COMMANDS = [today, stats, tune, screeners, signals, report];

export const screener = command({
  name: 'screener',
  description: 'Your crypto screeners, their cards and outcomes, every credit accounted for',
  cost: 'free from a local history; asking the service: screener help credits',
  examples: [
    ['screener --demo today', 'try it: no login, no credits'],
    ['screener login', 'your own account; then: screener signals export --plan'],
  ],
  output: "Data only, on standard output; each command's help lists its fields.",
  commands: [...CARD_COMMANDS, snapshot, access, login, logout, sandbox, completion, help],
});
