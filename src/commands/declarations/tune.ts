import { HORIZON_NAMES, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { DEMO_TYPES } from '../../sandbox/names.ts';
import { A_HISTORY, FILTERS, TYPE_ARGUMENT } from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';
import { text, words } from '../parts/values.ts';
import { WHERE } from '../parts/where.ts';

export const tune = command({
  name: 'tune',
  description: 'Find which settings to change, from numbers at the trigger',
  argument: { ...TYPE_ARGUMENT, about: 'one screener type in full (default: all types, a line each)' },
  options: [
    ...A_HISTORY,
    ...FILTERS,
    WHERE,
    { flags: '--key <key>', about: 'show one number only; its result still counts all numbers tested', schema: text },
    {
      flags: '--horizon <horizon>',
      about: `show only ${HORIZON_NAMES.join(' or ')} (default: ${MAIN_HORIZON} in tables, all elsewhere)`,
      schema: words(HORIZON_NAMES),
    },
    { flags: '--detail', about: 'list every number, also those without a result' },
  ],
  cost: 'free; sends nothing',
  about:
    'A bought card has entry_context, the numbers known at the trigger. tune tests which of them go with the move that followed, among cards of the same day. If the link is clear, it lists stricter settings and what each would have kept.',
  examples: [
    ['screener tune', 'all types of the default history'],
    [`screener tune ${DEMO_TYPES[0]}`, 'one type, with stricter settings'],
    [`screener --demo tune ${DEMO_TYPES[0]}`, 'with invented data'],
  ],
  variants: [
    {
      isLocal: true,
      shape: 'document',
      fields: async () => (await import('../../output/views/tune.ts')).tuneView.fields,
      rows: async () => (await import('../../output/views/tune.ts')).questionFields,
      run: () => import('../tune.ts'),
    },
  ],
});
