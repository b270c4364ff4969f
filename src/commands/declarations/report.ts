import { FILTERS, FROM } from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';
import { path } from '../parts/values.ts';
import { WHERE } from '../parts/where.ts';

export const report = command({
  name: 'report',
  description: 'Write the outcomes as one HTML page with pictures',
  argument: {
    term: '<file>',
    about: 'file to write; - for standard output',
    takes: { kind: 'file' },
    schema: path,
  },
  options: [FROM, ...FILTERS, WHERE, { flags: '--open', about: 'open it in the browser' }],
  cost: 'free; sends nothing',
  about:
    'It needs a local history. The page is one file: it loads nothing, runs no script, prints well and can be mailed.',
  examples: [
    ['screener report outcomes.html', 'the whole default history'],
    ['screener report week.html --since 7d --open', ''],
    ['screener --demo report demo.html', 'with invented data'],
  ],
  output: 'With -, the page alone; with a table, nothing.',
  variants: [
    {
      isLocal: true,
      shape: 'receipt',
      fields: async () => (await import('../../output/views/receipts.ts')).reportReceipt.fields,
      run: () => import('../report.ts'),
    },
  ],
});
