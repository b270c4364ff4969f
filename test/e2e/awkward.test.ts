/** Whoever walks the list of an awkward service: `ls` and `watch` read the same cards, each once; so does the export in `history/worst-list.test.ts`. */
import { describe, expect, onTestFinished } from 'vitest';
import { type Awkward, awkwardList } from '../support/awkward.ts';
import { TestClock } from '../support/context.ts';
import { it, parseLines } from '../support/fixtures.ts';
import { detail } from '../support/samples.ts';
import { startSandbox, worldOf } from '../support/sandbox.ts';

/** Half a month from the month's start, so that its first days are in the month before. */
const NOW = Date.UTC(2026, 10, 15, 12, 0, 30);
const HOUR = 3_600_000;

/** One every three hours, the newest of them an hour old; some share a second. */
const CARDS = Array.from({ length: 80 }, (_, i) => {
  const ago = HOUR + (79 - i - (i % 9 === 4 ? 1 : 0)) * 3 * HOUR;
  return detail({ id: 7 + 13 * i, created_at: new Date(NOW - ago).toISOString() });
});
const IDS = CARDS.map(({ id }) => id);

const SERVICES: readonly Awkward[] = [
  { cursors: 'empty pages' },
  { cursors: 'refused' },
  { cursors: 'refused now and then', pages: 'of 19 cards' },
  { cursors: 'good for one use', pages: 'of 10 or 25, else refused', windows: 'at most 30 days' },
  { cursors: 'offset', order: 'id', windows: 'rounded inwards to the minute' },
  { order: 'recorded', windows: 'no future, clock behind' },
  { pages: 'with cards of the page before' },
  { pages: 'of 25, whatever is asked', windows: 'without its ends' },
];

async function serve(behaviour: Awkward) {
  const clock = new TestClock(NOW);
  const sandbox = await startSandbox({
    world: worldOf(CARDS),
    list: awkwardList(behaviour),
    now: () => clock.now(),
  });
  onTestFinished(() => sandbox.close());
  return { clock, env: sandbox.env };
}

const printed = (text: string) => idsOf(parseLines(text));
const idsOf = (cards: readonly { readonly id: number }[]) =>
  cards.map(({ id }) => id).sort((a, b) => a - b);
const nameOf = (behaviour: Awkward) => Object.entries(behaviour).map((one) => one.join(' '));

describe.each(SERVICES.map((behaviour) => ({ name: nameOf(behaviour).join(', '), behaviour })))(
  '$name',
  ({ behaviour }) => {
    it.for(['--all', '-n 80'])('ls %s', async (many, { here }) => {
      const words = [
        'signals',
        'ls',
        '--since',
        '2026-11-01',
        ...many.split(' '),
        '--max-credits',
        '30',
        '--ndjson',
      ];
      const ran = await here(words, await serve(behaviour));
      expect({ ids: printed(ran.stdout), code: ran.code }, ran.stderr).toEqual({
        ids: IDS,
        code: 0,
      });
    });

    it('watch', async ({ here }) => {
      const argv = ['signals', 'watch', '--since', '2026-11-01', '--every', '10m', '--ndjson'];
      const ran = await here(argv, {
        ...(await serve(behaviour)),
        interruptAt: (millis) => millis >= 300_000,
      });
      expect({ ids: printed(ran.stdout), code: ran.code }, ran.stderr).toEqual({
        ids: IDS,
        code: 130,
      });
    });
  },
);

it('ls says once that a service has cut its window', async ({ here }) => {
  const words = [
    'signals',
    'ls',
    '--all',
    '--since',
    '2026-11-01',
    '--max-credits',
    '30',
    '--ndjson',
  ];
  const ran = await here(words, await serve({ windows: 'cut to the last 7 days' }));
  expect({ code: ran.code, cards: printed(ran.stdout).length }).toEqual({ code: 0, cards: 56 });
  const warning =
    /from 2026-11-08T12:00:30.* on, not from 2026-11-01T00:00:00Z: older ones are missing here/g;
  expect(ran.stderr.match(warning)).toHaveLength(1);
});
