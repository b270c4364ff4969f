import type { Command } from 'commander';
import { accessView } from '../output/views/access.ts';
import { screenersView } from '../output/views/screeners.ts';
import { snapshotView } from '../output/views/snapshot.ts';
import type { Context } from '../runtime/context.ts';
import { action, nothing } from './action.ts';
import { explain } from './help.ts';

/** login, logout, access, snapshot, screeners. */
export function addAccountCommands(program: Command, context: Context): void {
  explain(program.command('login').description('Check a key and base URL with one free call, then save them'), {
    cost: '0 credits',
    about:
      'On a terminal both are asked for, the key without showing it. Otherwise the key is the first line of standard\n' +
      'input, and the base URL comes from --base-url or SCREENER_BASE_URL. A stored key is replaced only by one that works.',
    examples: [
      ['screener login', 'asks for both'],
      ['screener login --base-url https://HOST/api/external/v1 < key.txt', 'from a file'],
    ],
    fields: accessView().fields,
    output: 'As a table nothing is printed but what was saved where, on standard error.',
    exits: [0, 1, 2, 3, 4, 7, 8, 9],
  }).action(action(context, async () => (await import('../commands/login.ts')).run, nothing));

  explain(program.command('logout').description('Remove the saved key and base URL'), {
    cost: '0 credits; nothing is sent',
    examples: [
      ['screener logout', ''],
      ['screener logout --quiet', 'without a word'],
    ],
    output: 'None; what was removed is said on standard error.',
    exits: [0, 1, 2],
  }).action(action(context, async () => (await import('../commands/logout.ts')).run, nothing));

  explain(program.command('access').description('Show plan, credits, allowance and operations'), {
    cost: '0 credits',
    about: 'Also what this machine has spent today, by operation, and what was spent elsewhere (MCP, other machines).',
    examples: [
      ['screener access', 'credits left, spent today, spent elsewhere'],
      ['screener access --json | jq .credits.remaining', 'for a script'],
    ],
    fields: accessView().fields,
    exits: [0, 2, 3, 4, 7, 8, 9],
  }).action(action(context, async () => (await import('../commands/access.ts')).run, nothing));

  explain(program.command('snapshot').description('Show the platform-wide market snapshot'), {
    cost: '1 credit',
    about: 'A cached summary of daily indicators. It says how old its figures are, and when they are stale.',
    examples: [
      ['screener snapshot', 'as a page'],
      ["screener snapshot --json | jq '.oversold_count / .sample'", 'the oversold share'],
    ],
    fields: snapshotView.fields,
    exits: [0, 2, 3, 4, 7, 8, 9],
  }).action(action(context, async () => (await import('../commands/snapshot.ts')).run, nothing));

  explain(program.command('screeners').description('List your screeners as configured now'), {
    cost: '1 credit',
    examples: [
      ['screener screeners', 'as a table'],
      ["screener screeners --ndjson | jq -r 'select(.active).type'", 'types of the active ones'],
    ],
    fields: screenersView.fields,
    exits: [0, 2, 3, 4, 7, 8, 9],
  }).action(action(context, async () => (await import('../commands/screeners.ts')).run, nothing));
}
