import { command } from '../parts/declaration.ts';
import { signalsExport } from './signals-export.ts';
import { signalsLs } from './signals-ls.ts';
import { signalsShow } from './signals-show.ts';
import { signalsWatch } from './signals-watch.ts';

export const signals = command({
  name: 'signals',
  description: 'ls, show, export, watch: your signal cards',
  cost: 'see each command; always free from a local history',
  about: 'A card is a recorded notification from a screener; its outcome is what the price did 1 h and 24 h later.',
  examples: [
    ['screener signals ls --since 24h', 'the cards of the last day'],
    ['screener signals show 4711', 'one card with its outcome'],
    ['screener signals export', 'keep a local history (for cron)'],
  ],
  output: "Each command's help lists its fields.",
  commands: [signalsLs, signalsShow, signalsExport, signalsWatch],
});
