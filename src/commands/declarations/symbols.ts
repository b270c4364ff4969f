import { A_HISTORY, SINCE, SYMBOL, UNTIL } from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';

export const symbols = command({
  name: 'symbols',
  description: 'Compare your symbols, or the types on one symbol',
  argument: {
    term: '[symbol]',
    about: 'what each screener type has done on this symbol (default: all symbols)',
    takes: SYMBOL.takes,
    schema: SYMBOL.schema,
  },
  options: [...A_HISTORY, SINCE, UNTIL],
  cost: 'free; sends nothing',
  about: 'It shows what `stats --local --by symbol` shows; with a symbol, it compares the types on it with BTC.',
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
