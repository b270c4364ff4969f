import { FROM, SINCE, SYMBOL, TYPE, UNTIL } from '../card-options.ts';
import { command } from '../declaration.ts';
import { path } from '../values.ts';
import { WHERE } from '../where.ts';

export const report = command({
  name: 'report',
  description: 'Write the outcomes as one HTML page with pictures',
  argument: {
    term: '<file>',
    about: 'where to write it; - for standard output',
    takes: { kind: 'file' },
    schema: path,
  },
  options: [
    { ...FROM, about: 'of this local history (default: the default one)' },
    { ...SINCE, about: 'cards from then on' },
    UNTIL,
    TYPE,
    SYMBOL,
    WHERE,
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
  ways: [{ isLocal: true, run: () => import('../report.ts') }],
});
