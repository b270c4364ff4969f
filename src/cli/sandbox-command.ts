import { type Command, Option } from 'commander';
import type { Context } from '../runtime/context.ts';
import { action } from './action.ts';
import { explain } from './help.ts';

export interface RawSandbox {
  port?: string;
  cards?: string;
  seed?: string;
  perMinute?: string;
  dayCredits?: string;
  monthCredits?: string;
  fault: string[];
}

export function addSandbox(program: Command, context: Context): void {
  const command = program
    .command('sandbox')
    .description('Serve a faithful stand-in of the API on this machine')
    .addOption(new Option('--port <n>', 'port to listen on (default: any free one)'))
    .addOption(new Option('--cards <n>', 'cards in its history (default: 300)'))
    .addOption(new Option('--seed <n>', 'another number, another market (default: 1)'))
    .addOption(new Option('--per-minute <n>', 'requests a minute (default: 15)'))
    .addOption(new Option('--day-credits <n>', 'credits a day (default: 150)'))
    .addOption(new Option('--month-credits <n>', 'credits a month (default: 1000)'))
    .addOption(
      new Option('--fault <fault>', 'fail on purpose, repeatable: signals:2:503:retry-after=3')
        .argParser((text: string, before: string[]) => [...before, text])
        .default([], 'none'),
    );
  explain(command, {
    cost: '0 credits; nothing leaves this machine',
    about:
      'For writing scripts without spending credits: it checks key, parameters, cursors and quotas as the API document\n' +
      'says. It prints its base URL and key, logs every request, and runs until Ctrl-C.',
    examples: [
      ['screener sandbox --port 8787', 'in another terminal, paste the two lines it prints'],
      ['screener sandbox --fault signals:2:503:retry-after=3', 'the second page fails once'],
    ],
    output:
      'Two lines that set SCREENER_BASE_URL and SCREENER_API_KEY in a shell; with --json an object with base_url and key.',
    exits: [0, 1, 2],
  }).action(
    action<RawSandbox, RawSandbox>(
      context,
      async () => (await import('../commands/sandbox.ts')).run,
      (raw) => raw,
    ),
  );
}
