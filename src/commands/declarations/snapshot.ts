import { command, requests } from '../parts/declaration.ts';

export const snapshot = command({
  name: 'snapshot',
  description: 'Show the platform-wide market snapshot',
  cost: '1 credit',
  about: 'The snapshot is a cached summary of daily indicators. It shows its age and whether it is stale.',
  examples: [
    ['screener snapshot', 'as a page'],
    ["screener snapshot --json | jq '.oversold_count / .sample'", 'the oversold share'],
  ],
  variants: [
    {
      answer: 'snapshot',
      shape: 'document',
      fields: async () => (await import('../../output/views/snapshot.ts')).snapshotView.fields,
      plan: () => [requests('snapshot')],
      run: () => import('../snapshot.ts'),
    },
  ],
});
