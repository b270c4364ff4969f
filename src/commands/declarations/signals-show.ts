import { A_HISTORY, HISTORY } from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';
import { cardIdOrDash } from '../parts/values.ts';

export const signalsShow = command({
  name: 'show',
  description: 'Show cards with their numbers at the trigger and outcomes',
  argument: {
    term: '<id...>',
    about: 'card ids, or - to read them from standard input',
    schema: cardIdOrDash,
  },
  options: [
    ...A_HISTORY,
    {
      flags: '--fresh',
      about: 'ask the service even if the default history has the outcome',
      excludes: HISTORY,
      because: '--fresh asks the service',
    },
  ],
  cost: '1 credit per card; free from a history, or if the default history already has the outcome',
  about: 'Cards are printed in the order you give. If one fails, the others are still printed.',
  examples: [
    ['screener signals show 4711', 'one card, as a page'],
    ['screener signals ls --since 1d --ndjson | screener signals show - --ndjson', 'details of the last day'],
  ],
  variants: [
    {
      answer: 'signal',
      shape: 'one or several',
      fields: async () => (await import('../../output/views/card-fields.ts')).detailFields,
      plan: 'own',
      run: () => import('../signals-show.ts'),
    },
    {
      isLocal: true,
      // Some have no outcome yet.
      shape: 'one or several',
      fields: async () => (await import('../../output/views/card-fields.ts')).listedFields,
      run: () => import('../signals-show.ts'),
    },
  ],
});
