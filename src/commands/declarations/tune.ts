import { HORIZON_NAMES } from '../../outcomes/types.ts';
import { FROM, LOCAL, SINCE, SYMBOL, UNTIL } from '../card-options.ts';
import { command } from '../declaration.ts';
import { text, words } from '../values.ts';
import { WHERE } from '../where.ts';

export const tune = command({
  name: 'tune',
  description: 'Ask what to change: which numbers known at the trigger tell cards apart',
  argument: {
    term: '[type]',
    about: 'one screener type in full; without it each type in a line or two, and the keys that tell',
    takes: { kind: 'seen', what: 'type' },
    schema: text,
  },
  options: [
    { ...LOCAL, about: 'from the default history (as without it)' },
    { ...FROM, about: 'from this local history' },
    { ...SINCE, about: 'cards from then on' },
    UNTIL,
    SYMBOL,
    WHERE,
    { flags: '--key <key>', about: 'show only this key of entry_context; verdicts stay those among all', schema: text },
    {
      flags: '--horizon <horizon>',
      about: 'show only this horizon (in tables, by default: 24h)',
      schema: words(HORIZON_NAMES),
    },
  ],
  cost: '0 credits; nothing is sent',
  about:
    'Each bought outcome came with entry_context, the numbers known at the trigger. Which of them go with what came after, among the cards of one day? Only what is clear gets cuts: stricter settings with what they would have kept.',
  examples: [
    ['screener tune', 'every type of the default history, the keys that tell first'],
    ['screener tune oi_growth', 'one type, with stricter settings and what they would have kept'],
    ['screener --demo tune oi_growth', 'what a yes looks like, with invented data'],
    ['screener tune --json | jq \'.questions[] | select(.verdict == "higher")\'', ''],
  ],
  ways: [
    {
      isLocal: true,
      fields: async () => (await import('../../output/views/tune.ts')).tuneView.fields,
      run: () => import('../tune.ts'),
    },
  ],
});
