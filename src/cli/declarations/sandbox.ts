import type { SandboxCommandOptions } from '../../commands/sandbox.ts';
import { type CommandDeclaration, session } from '../declaration.ts';

export const sandbox: CommandDeclaration = {
  name: 'sandbox',
  description: 'Serve a faithful stand-in of the API on this machine',
  options: [
    { flags: '--port <n>', about: 'port to listen on (default: any free one)', takes: { kind: 'free' } },
    { flags: '--cards <n>', about: 'cards in its history (default: 300)', takes: { kind: 'free' } },
    { flags: '--seed <n>', about: 'another number, another market (default: 1)', takes: { kind: 'free' } },
    { flags: '--per-minute <n>', about: 'requests a minute (default: 15)', takes: { kind: 'free' } },
    { flags: '--day-credits <n>', about: 'credits a day (default: 150)', takes: { kind: 'free' } },
    { flags: '--month-credits <n>', about: 'credits a month (default: 1000)', takes: { kind: 'free' } },
    {
      flags: '--fault <fault>',
      about: 'fail on purpose, repeatable: signals:2:503:retry-after=3',
      takes: { kind: 'free' },
      repeatable: true,
    },
  ],
  cost: '0 credits; nothing leaves this machine',
  about:
    'For writing scripts without spending credits: it checks key, parameters, cursors and quotas as the API document ' +
    'says. It prints its base URL and key, logs every request, and runs until Ctrl-C.',
  examples: [
    ['screener sandbox --port 8787', 'in another terminal, paste the two lines it prints'],
    ['screener sandbox --fault signals:2:503:retry-after=3', 'the second page fails once'],
  ],
  output:
    'Two lines that set SCREENER_BASE_URL and SCREENER_API_KEY in a shell; with --json an object with base_url and key.',
  exits: [0, 1, 2],
  act: session<SandboxCommandOptions, SandboxCommandOptions>(async () => ({
    read: (raw) => raw,
    run: (await import('../../commands/sandbox.ts')).run,
  })),
};
