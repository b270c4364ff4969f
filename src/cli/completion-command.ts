import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../commands/parts/declaration.ts';
import { orWords, words } from '../commands/parts/values.ts';
import { SCRIPTS, SHELLS, type Shell } from '../completion/values.ts';
import { packageFolder } from '../version.ts';

export const completion = command({
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
  runBare: ({ context, words: [shell] }) =>
    context.stdout.write(readFileSync(join(packageFolder, 'completions', SCRIPTS[shell as Shell]), 'utf8')),
});
