import { command } from '../commands/declaration.ts';
import { access } from '../commands/declarations/access.ts';
import { login } from '../commands/declarations/login.ts';
import { logout } from '../commands/declarations/logout.ts';
import { report } from '../commands/declarations/report.ts';
import { sandbox } from '../commands/declarations/sandbox.ts';
import { screeners } from '../commands/declarations/screeners.ts';
import { signals } from '../commands/declarations/signals.ts';
import { snapshot } from '../commands/declarations/snapshot.ts';
import { stats } from '../commands/declarations/stats.ts';
import { today } from '../commands/declarations/today.ts';
import { tune } from '../commands/declarations/tune.ts';
import { completion } from './completion-command.ts';
import { help } from './help-command.ts';

/** The program itself: the root of the tree of commands. */
export const screener = command({
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
  commands: [
    today,
    login,
    logout,
    access,
    snapshot,
    screeners,
    signals,
    stats,
    tune,
    report,
    sandbox,
    completion,
    help,
  ],
});
