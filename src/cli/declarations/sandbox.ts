import type { SandboxCommandOptions } from '../../commands/sandbox.ts';
import { PASTE_SHELLS } from '../../runtime/shell-words.ts';
import { FAULT, FAULT_HELP } from '../../sandbox/fault-words.ts';
import { flagOf, NUMBERS, type NumberOption } from '../../sandbox/options.ts';
import { type CommandDeclaration, type OptionDeclaration, session } from '../declaration.ts';

function numberOption([name, { least, most, absent, about }]: [string, NumberOption]): OptionDeclaration {
  return {
    flags: `${flagOf(name)} <n>`,
    about,
    schema: { type: 'integer', minimum: least, maximum: most, default: absent },
    takes: { kind: 'free' },
  };
}

export const sandbox: CommandDeclaration = {
  name: 'sandbox',
  description: 'Serve a faithful stand-in of the API on this machine',
  options: [
    ...Object.entries<NumberOption>(NUMBERS).map(numberOption),
    {
      flags: '--shell <shell>',
      about: 'for which shell the two lines are (default: sh; on Windows powershell, but in Git Bash sh)',
      takes: { kind: 'words', words: PASTE_SHELLS },
    },
    {
      flags: '--fault <fault>',
      about: 'fail on purpose, repeatable: signals:2:503:retry-after=3',
      takes: { kind: 'free' },
      schema: FAULT,
      repeatable: true,
    },
  ],
  cost: '0 credits; nothing leaves this machine',
  about:
    'For writing scripts without spending credits: it checks key, parameters, cursors and quotas as the API document ' +
    'says. It prints its base URL and key, logs every request, and runs until Ctrl-C. ' +
    FAULT_HELP,
  examples: [
    ['screener sandbox --port 8787', 'in another terminal, paste the two lines it prints'],
    ['screener sandbox --fault signals:2:503:retry-after=3', 'the second page fails once'],
  ],
  fields: async () => [
    { name: 'base_url', kind: 'text', about: 'for SCREENER_BASE_URL' },
    { name: 'key', kind: 'text', about: 'for SCREENER_API_KEY' },
  ],
  output:
    'Two lines that set SCREENER_BASE_URL and SCREENER_API_KEY in a shell (`--shell`); with --json an object with base_url and key.',
  exits: [0, 1, 2],
  act: session<SandboxCommandOptions, SandboxCommandOptions>(async () => ({
    read: (raw) => raw,
    run: (await import('../../commands/sandbox.ts')).run,
  })),
};
