import { access } from '../commands/declarations/access.ts';
import { login } from '../commands/declarations/login.ts';
import { logout } from '../commands/declarations/logout.ts';
import { report } from '../commands/declarations/report.ts';
import { sandbox } from '../commands/declarations/sandbox.ts';
import { screeners } from '../commands/declarations/screeners.ts';
import { signals } from '../commands/declarations/signals.ts';
import { snapshot } from '../commands/declarations/snapshot.ts';
import { stats } from '../commands/declarations/stats.ts';
import { symbols } from '../commands/declarations/symbols.ts';
import { today } from '../commands/declarations/today.ts';
import { tune } from '../commands/declarations/tune.ts';
import { command } from '../commands/parts/declaration.ts';
import { completion } from './completion-command.ts';
import { help } from './help-command.ts';

export const screener = command({
  name: 'screener',
  description: 'Your crypto screeners, their cards and outcomes, every credit accounted for',
  cost: 'free from a local history; asking the service: screener help credits',
  examples: [
    ['screener --demo today', 'try it: no login, no credits'],
    ['screener login', 'your own account; then: screener signals export --plan'],
  ],
  output: "Data only, on standard output; each command's help lists its fields.",
  commands: [
    today,
    stats,
    tune,
    symbols,
    screeners,
    signals,
    report,
    snapshot,
    access,
    login,
    logout,
    sandbox,
    completion,
    help,
  ],
});
