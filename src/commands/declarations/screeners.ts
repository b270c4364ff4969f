import { FROM, LOCAL } from '../card-options.ts';
import { command, requests } from '../declaration.ts';
import { text } from '../values.ts';

export const screeners = command({
  name: 'screeners',
  description: 'List your screeners as configured now',
  argument: {
    term: '[type]',
    about: 'from a history: the page of one screener type',
    takes: { kind: 'seen', what: 'type' },
    schema: text,
  },
  options: [
    { ...LOCAL, about: 'the settings as last seen, with cards a day, settled outcomes and verdict, for 0 credits' },
    { ...FROM, about: 'the same from this local history' },
  ],
  cost: '1 credit; from a history 0',
  examples: [
    ['screener screeners', 'as a table'],
    ["screener screeners --ndjson | jq -r 'select(.active).type'", 'types of the active ones'],
    ['screener screeners --local', 'which of them are worth keeping, and which are silent'],
    ['screener screeners oi_growth --local', 'one of them: its settings and their changes, its figures'],
  ],
  ways: [
    {
      answer: 'screeners',
      fields: async () => (await import('../../output/views/screeners.ts')).screenersView.fields,
      sends: () => [requests('screeners')],
      run: () => import('../screeners.ts'),
    },
    {
      isLocal: true,
      shape: 'list',
      fields: async () => (await import('../../output/views/local-screeners.ts')).localScreenersView.fields,
      head: async () => (await import('../../output/views/local-screeners.ts')).localScreenersHead,
      run: () => import('../screeners-local.ts'),
    },
  ],
});
