import { DEMO_TYPES } from '../../sandbox/names.ts';
import { A_HISTORY, TYPE, TYPE_ARGUMENT } from '../parts/card-options.ts';
import { command, requests } from '../parts/declaration.ts';

export const screeners = command({
  name: 'screeners',
  description: 'List your screeners as configured now',
  argument: { ...TYPE_ARGUMENT, about: 'the page of one screener type (needs a local history)' },
  options: [{ ...TYPE, about: 'the same as the argument' }, ...A_HISTORY],
  cost: '1 credit; free from a local history',
  examples: [
    ['screener screeners', 'as a table'],
    ['screener screeners --local', 'settings as last recorded, which are worth keeping, which are silent'],
    [`screener screeners ${DEMO_TYPES[0]} --local`, 'one of them: settings, their changes, figures'],
  ],
  output: 'CSV and NDJSON have the figures of each type; the changes of settings and what `tune` finds are in --json.',
  variants: [
    {
      answer: 'screeners',
      shape: 'list',
      fields: async () => (await import('../../output/views/screeners.ts')).screenersView.fields,
      plan: () => [requests('screeners')],
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
