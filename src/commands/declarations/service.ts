import * as v from 'valibot';
import { PASTE_SHELLS } from '../../runtime/shell-words.ts';
import { FAULT_EXAMPLES, FAULT_HELP, FAULT_PATTERN } from '../../sandbox/faults.ts';
import { DEMO_TYPES } from '../../sandbox/names.ts';
import { HISTORY_OPTIONS, TYPE, TYPE_ARGUMENT } from '../parts/card-options.ts';
import { command, requests } from '../parts/declaration.ts';
import { wholeFrom, words } from '../parts/values.ts';

export const snapshot = command({
  name: 'snapshot',
  description: 'Show the platform-wide market snapshot',
  cost: '1 credit',
  about:
    'The snapshot is a cached summary of daily indicators. It shows its age and whether it is stale.',
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

export const screeners = command({
  name: 'screeners',
  description: 'List your screeners as configured now',
  argument: { ...TYPE_ARGUMENT, about: 'the page of one screener type (needs a local history)' },
  options: [{ ...TYPE, about: 'the same as the argument' }, ...HISTORY_OPTIONS],
  cost: '1 credit; free from a local history',
  examples: [
    ['screener screeners', 'as a table'],
    [
      'screener screeners --local',
      'settings as last recorded, which are worth keeping, which are silent',
    ],
    [
      `screener screeners ${DEMO_TYPES[0]} --local`,
      'one of them: settings, their changes, figures',
    ],
  ],
  output:
    'Every format has the figures of each type; --json also has the changes of settings and what `tune` finds.',
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
      fields: async () =>
        (await import('../../output/views/local-screeners.ts')).localScreenersView.fields,
      head: async () => (await import('../../output/views/local-screeners.ts')).localScreenersHead,
      run: () => import('../screeners-local.ts'),
    },
  ],
});

export const sandbox = command({
  name: 'sandbox',
  description: 'Serve a stand-in for the API on this machine',
  options: [
    {
      flags: '--port <n>',
      about: 'port to listen on (default: any free one)',
      schema: wholeFrom(0, 65_535),
    },
    {
      flags: '--cards <n>',
      about: 'cards in its history',
      schema: wholeFrom(0, 100_000),
      default: '300',
    },
    {
      flags: '--seed <n>',
      about: 'number that decides the market',
      schema: wholeFrom(0, 2 ** 31 - 1),
      default: '1',
    },
    {
      flags: '--per-minute <n>',
      about: 'requests a minute',
      schema: wholeFrom(1, 1_000_000_000),
      default: '15',
    },
    {
      flags: '--shell <shell>',
      about:
        'shell that will read the two lines; sh includes bash and zsh (default: sh; on Windows powershell, but in Git Bash sh)',
      schema: words(PASTE_SHELLS),
    },
    {
      flags: '--fault <fault>',
      about: 'fail on purpose, repeatable: signals:2:503:retry-after=3',
      schema: v.pipe(
        v.string(),
        v.regex(FAULT_PATTERN, ({ input }) => `takes a fault, not '${input}'.\n${FAULT_HELP}`),
        v.examples(FAULT_EXAMPLES),
      ),
      repeatable: true,
    },
  ],
  cost: 'free; nothing leaves this machine',
  about:
    'It lets you write scripts without spending credits. It checks key, parameters, cursors and quotas as the API document ' +
    'describes, prints its base URL and key, logs every request, and runs until Ctrl-C. ' +
    FAULT_HELP,
  examples: [
    ['screener sandbox --port 8787', 'in another terminal, paste the two lines it prints'],
    ['screener sandbox --fault signals:2:503:retry-after=3', 'the second page fails once'],
  ],
  output:
    'Two lines that set SCREENER_BASE_URL and SCREENER_API_KEY in a shell (`--shell`); with --json an object with base_url and key.',
  variants: [
    {
      shape: 'variables',
      fields: async () => (await import('../../output/views/receipts.ts')).sandboxReceipt.fields,
      run: () => import('../sandbox.ts'),
    },
  ],
});
