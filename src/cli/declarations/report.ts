import { type CommandDeclaration, historySession } from '../declaration.ts';
import { fromOption, SYMBOL_OPTION, sinceOption, typeOption, untilOption } from '../filter-options.ts';
import { TEXT } from '../value-schemas.ts';

export const report: CommandDeclaration = {
  name: 'report',
  description: 'Write the outcomes as one HTML page with pictures',
  argument: {
    term: '<file>',
    about: 'where to write it; - for standard output',
    takes: { kind: 'file' },
    schema: TEXT,
  },
  options: [
    fromOption('of this local history (default: the default one)'),
    sinceOption('cards from then on'),
    untilOption('cards up to then'),
    typeOption(),
    SYMBOL_OPTION,
    { flags: '--open', about: 'show it in the browser' },
  ],
  cost: '0 credits; nothing is sent',
  about:
    'From a local history. The page is complete in itself: it loads nothing, runs nothing, prints well, and can be mailed.',
  examples: [
    ['screener report outcomes.html', 'everything the default history holds'],
    ['screener report week.html --since 7d --open', ''],
    ['screener --demo report demo.html', 'with invented data'],
  ],
  output: 'With - the page; otherwise nothing.',
  exits: [0, 2],
  act: historySession({
    read: async () => (await import('../../commands/report.ts')).read,
    history: () => import('../../commands/report.ts'),
  }),
};
