import { FROM, LOCAL } from '../card-options.ts';
import { command } from '../declaration.ts';
import { options } from '../option.ts';

const screenersOptions = options(
  { ...LOCAL, about: 'the settings as last seen, with cards a day, settled outcomes and verdict, for 0 credits' },
  { ...FROM, about: 'the same from this local history' },
);

export const screeners = command({
  name: 'screeners',
  description: 'List your screeners as configured now',
  options: screenersOptions,
  cost: '1 credit; from a history 0',
  examples: [
    ['screener screeners', 'as a table'],
    ["screener screeners --ndjson | jq -r 'select(.active).type'", 'types of the active ones'],
    ['screener screeners --local', 'which of them are worth keeping, and which are silent'],
  ],
  answer: 'screeners',
  fields: async () => (await import('../../output/views/screeners.ts')).screenersView.fields,
  otherForms: [
    {
      options: '--local or --from',
      fields: async () => (await import('../../output/views/local-screeners.ts')).localScreenersView.fields,
      isList: true,
      head: async () => (await import('../../output/views/local-screeners.ts')).localScreenersHead,
    },
  ],
  exits: [0, 2, 3, 4, 7, 8, 9],
  run: () => import('../screeners.ts'),
  local: () => import('../screeners-from.ts'),
});
