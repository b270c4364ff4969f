import { FROM, LOCAL, SINCE, UNTIL } from '../card-options.ts';
import { command } from '../declaration.ts';
import { symbol } from '../values.ts';

export const symbols = command({
  name: 'symbols',
  description: 'Compare your symbols, or the types on one symbol',
  argument: {
    term: '[symbol]',
    about: 'what each screener type has done on this symbol (default: all symbols)',
    takes: { kind: 'seen', what: 'symbol' },
    schema: symbol,
  },
  options: [
    { ...LOCAL, about: 'use the default history (the default)' },
    { ...FROM, about: 'use this local history' },
    { ...SINCE, about: 'cards from this time on' },
    UNTIL,
  ],
  cost: 'free; sends nothing',
  about: 'The figures of `stats --local --by symbol`; of one symbol, those of its types.',
  examples: [
    ['screener symbols', 'all symbols of the default history'],
    ['screener symbols BTCUSDT', 'which type works on it'],
  ],
  variants: [
    {
      isLocal: true,
      shape: 'list',
      fields: async () => (await import('../../output/views/history-stats.ts')).groupView.fields,
      head: async () => (await import('../../output/views/history-stats.ts')).statsHeadFields,
      run: () => import('../symbols.ts'),
    },
  ],
});
