import type { CommandDeclaration } from '../declaration.ts';
import { access } from './access.ts';
import { completion } from './completion.ts';
import { help } from './help.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { report } from './report.ts';
import { sandbox } from './sandbox.ts';
import { screeners } from './screeners.ts';
import { signals } from './signals.ts';
import { snapshot } from './snapshot.ts';
import { stats } from './stats.ts';
import { today } from './today.ts';

/** The program itself: the root of the tree of commands. */
export const screener: CommandDeclaration = {
  name: 'screener',
  description:
    'Your screeners, signal cards and measured outcomes from a crypto screener service, with every credit accounted for',
  cost: '0 to 5 credits a command, each says its own; `screener help credits`',
  examples: [
    ['screener --demo today', 'try it: no login, no credits'],
    ['screener login', 'save key and base URL'],
    ['screener signals ls --since 24h', 'the cards of the last day'],
    ['screener signals ls --all --ndjson | jq -r .source_symbol', 'for scripts'],
  ],
  output: "Data only, on standard output; each command's help lists its fields.",
  exits: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130],
  commands: [today, login, logout, access, snapshot, screeners, signals, stats, report, sandbox, completion, help],
};
