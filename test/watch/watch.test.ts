import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { DAY, MINUTE } from '../../src/base/units.ts';
import { accountId } from '../../src/config/credentials.ts';
import { interruptedError } from '../../src/errors.ts';
import { type ExportManifest, emptyManifest } from '../../src/history/store/manifest.ts';
import { main } from '../../src/main.ts';
import type { World } from '../../src/sandbox/world.ts';
import { detail } from '../sandbox/support.ts';
import { recordedLate } from '../support/awkward.ts';
import { TestClock, testContext } from '../support/context.ts';
import { parseLines } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';
import { createHome, type Home } from '../support/home.ts';
import { type Sandbox, startSandbox, worldOf } from '../support/sandbox.ts';

const START = Date.UTC(2026, 10, 20, 18, 0);

/** A card recorded `minutes` after the start. */
const cardAt = (id: number, minutes: number): SignalDetail =>
  detail(id, { created_at: new Date(START + minutes * MINUTE).toISOString() });

let sandbox: Sandbox | undefined;
let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(async () => {
  await sandbox?.close();
  home.remove();
});

/**
 * Ctrl-C comes after `stopAfter` list calls; `off`: minutes by which this machine's clock is ahead of the server's;
 * `undated`: the server's answers have no Date header; `date`: what it says, epoch milliseconds UTC. `history` makes the default history of an account, and names it.
 */
type Given = Readonly<{ stopAfter: number; undated?: boolean; faults?: string[] }> &
  Readonly<Partial<Record<'port' | 'off' | 'date' | 'startAt' | 'used', number>>> &
  Readonly<{ recorded?: (world: World) => World; history?: (account: string) => string }>;

/** Runs `signals watch` on a clock that jumps over every wait, against a server on the same clock. */
async function watch(args: string, details: readonly SignalDetail[], given: Given) {
  const { stopAfter, port, off = 0, recorded = (world) => world, faults = [], undated } = given;
  const clock = new TestClock(given.startAt ?? START);
  const stop = new AbortController();
  let looks = 0;
  const all = worldOf(details);
  // A card exists once it is recorded.
  const world = recorded({
    ...all,
    index: (now) => all.index(now).filter((card) => card.createdAt <= now),
  });
  sandbox = await startSandbox({
    port,
    now: () => clock.now(),
    world,
    faults,
    dated: !undated,
    ...(given.date !== undefined && { date: () => given.date as number }),
    onRequest: ({ path }) => {
      if (path === '/signals') looks += 1;
    },
  });
  if (given.used !== undefined) sandbox.spend(given.used, { today: false });
  const context = testContext({
    argv: ['signals', 'watch', ...args.split(' ')],
    env: {
      ...sandbox.env,
      SCREENER_HISTORY: given.history?.(accountId(sandbox.baseUrl, sandbox.key)),
    },
    clock: {
      now: () => clock.now() + off * MINUTE,
      // Ctrl-C comes in the wait after the last look.
      sleep: async (millis, signal) => {
        if (looks >= stopAfter) stop.abort(interruptedError());
        return clock.sleep(millis, signal);
      },
    },
    signal: stop.signal,
    directories: home,
  });
  const code = await main(context);
  const [stdout, stderr] = [context.stdout.text, context.stderr.text];
  const ids = stdout.startsWith('{') ? parseLines(stdout).map(({ id }) => id as number) : [];
  const times = sandbox.requests
    .filter(({ path }) => path === '/signals')
    .map(({ receivedAt }) => receivedAt);
  return { ids, code, stderr, looks, times };
}

/** Makes the default history of an account. @returns its directory */
function historyOf(
  account: string,
  cards: readonly object[],
  more: Partial<ExportManifest>,
): string {
  const directory = writeCards(path.join(home.folder, 'history'), cards);
  writeFileSync(
    path.join(directory, 'export.json'),
    JSON.stringify({ ...emptyManifest(account), ...more }),
  );
  return directory;
}

const FOUR = [cardAt(1, -30), cardAt(2, 12), cardAt(3, 25), cardAt(4, 38)];

describe('signals watch', () => {
  it('prints each new card once, oldest first, one list call a look; Ctrl-C is its end, and no error', async () => {
    const details = [cardAt(1, -5), cardAt(2, 1), cardAt(3, 2), cardAt(4, 12), cardAt(5, 25)];
    const run = await watch('--ndjson --every 10m', details, { stopAfter: 5 });
    expect({ ids: run.ids, looks: run.looks, code: run.code }).toEqual({
      ids: [2, 3, 4, 5],
      looks: 5,
      code: 130,
    });
    expect(sandbox?.requests.filter((request) => request.credits > 0)).toHaveLength(5);
    expect(run.stderr).toContain('A look every 10 minutes costs about 144 credits a day');
    expect(run.stderr).toContain('screener signals watch --resume');
    expect(run.stderr).not.toMatch(/error|Interrupted|cannot be saved/);
  });

  it('goes on if its position cannot be saved, and says so', async () => {
    // A file in the place of the state folder.
    writeFileSync(home.state, '');
    const run = await watch('--ndjson --every 10m', FOUR, { stopAfter: 2 });
    expect({ ids: run.ids, looks: run.looks, code: run.code }).toEqual({
      ids: [],
      looks: 2,
      code: 130,
    });
    expect(run.stderr).toContain(
      'warning: The position cannot be saved: --resume cannot continue this watch.\n',
    );
  });

  it('--exec hands each new card to a program, without the key; one that fails or floods ends nothing', async () => {
    const { folder } = home;
    const script = path.join(folder, 'card.cjs');
    writeFileSync(
      script,
      `const fs = require('node:fs'); const card = JSON.parse(fs.readFileSync(0, 'utf8'));
       fs.appendFileSync(${JSON.stringify(path.join(folder, 'said'))}, card.id + JSON.stringify(process.env) + '\\n');
       if (card.id === 3) { process.stdout.write('x'.repeat(1 << 22)); process.exitCode = 3; }`,
    );
    const run = await watch(
      `--ndjson --bell --every 10m --exec=${process.execPath}\u00a0${script}`,
      FOUR,
      {
        stopAfter: 6,
      },
    );
    expect({ ids: run.ids, code: run.code }).toEqual({ ids: [2, 3, 4], code: 130 });
    // Without --exec the cards would count as seen, and never reach the program.
    expect(run.stderr).toMatch(/signals watch --resume --every 10m --bell --exec '.*card\.cjs'$/m);
    const said = readFileSync(path.join(folder, 'said'), 'utf8');
    expect(said.match(/^\d+/gm)).toEqual(['2', '3', '4']);
    expect(said).not.toContain('SCREENER_API_KEY');
    expect(run.stderr.match(/--exec failed for card .*/g)).toEqual([
      '--exec failed for card 3: it ended with 3. The watch continues.',
    ]);
    const none = await watch('--ndjson --every 10m --exec=/nowhere/program', FOUR, {
      stopAfter: 6,
    });
    expect({ ids: none.ids, code: none.code }).toEqual({ ids: [2, 3, 4], code: 130 });
    expect(none.stderr).toContain('--exec failed for card 2: no such program.');
  });

  const sixty = Array.from({ length: 60 }, (_, index) => cardAt(index + 1, 1 + index / 10));
  const dozen = Array.from({ length: 12 }, (_, index) => cardAt(index + 1, 1 + 4 * index));
  const idsOf = (cards: readonly SignalDetail[]) => cards.map(({ id }) => id);
  it.each<{
    readonly which: string;
    readonly every: string;
    readonly cards: readonly SignalDetail[];
    readonly given: Given;
    readonly ids: readonly number[];
  }>([
    {
      which: 'within the overlap, or of one second',
      every: '1m',
      cards: [1, 2, 3].map((id) => cardAt(id, 1)),
      given: { stopAfter: 6 },
      ids: [1, 2, 3],
    },
    {
      which: 'of more than a page',
      every: '10m',
      cards: sixty,
      given: { stopAfter: 5 },
      ids: idsOf(sixty),
    },
    {
      which: 'where this clock is a day ahead',
      every: '10m',
      cards: FOUR,
      given: { stopAfter: 7, off: 26 * 60, undated: true },
      ids: [2, 3, 4],
    },
    {
      which: 'recorded twenty minutes late',
      every: '5m',
      cards: dozen,
      given: { stopAfter: 16, recorded: (world) => recordedLate(world, 20 * MINUTE) },
      ids: idsOf(dozen),
    },
  ])('finds all cards $which', async ({ every, cards, given, ids }) => {
    const run = await watch(`--ndjson --every ${every}`, cards, given);
    expect(run.ids.sort((a, b) => a - b)).toEqual(ids);
  });

  it('shows no card of before, though a card of its first full page is damaged', async () => {
    const before = Array.from({ length: 40 }, (_, index) => cardAt(index + 1, -20 + index / 2));
    const damaged = { ...cardAt(41, -0.1), source_symbol: 7 } as unknown as SignalDetail;
    const run = await watch('--ndjson --every 10m', [...before, damaged, cardAt(50, 5)], {
      stopAfter: 3,
    });
    expect(run.ids).toEqual([50]);
    expect(run.stderr).toContain('Card 41 does not match the API document');
  });

  it.each([-20, 20, -180, 180, 26 * 60, -26 * 60])(
    'clocks %i minutes apart: no card is missed, none of before is shown, and it is said once',
    async (minutes) => {
      // The server's clock is the one that cards are recorded by; this machine's is off.
      const run = await watch('--ndjson --every 10m', FOUR, { stopAfter: 7, off: minutes });
      expect(run.ids).toEqual([2, 3, 4]);
      expect(
        run.stderr.match(/This machine's clock is .* (ahead of|behind) the service's/g),
      ).toHaveLength(1);
    },
  );

  it.each([
    { which: 'decades in the past', date: 0, distance: /ahead of/ },
    { which: 'a year in the future', date: START + 365 * DAY, distance: /behind/ },
  ])("goes by this machine's clock where the Date header is $which", async ({ date, distance }) => {
    const run = await watch('--ndjson', [cardAt(1, -30), cardAt(2, 12)], { stopAfter: 2, date });
    expect(run).toMatchObject({ ids: [2], code: 130 });
    expect(run.stderr).toContain('A look every 30 minutes costs about 48 credits a day');
    expect(run.stderr).toContain('Watching for cards after 2026-11-20 18:00 UTC');
    expect(run.stderr).toContain(
      "Until a page of cards shows which is right, this machine's counts.",
    );
    expect(run.stderr).toMatch(distance);
    expect(run.stderr).not.toContain('whose time counts');
  });

  it('survives outages and goes on without a gap', async () => {
    const details = [cardAt(1, 1), cardAt(2, 11), cardAt(3, 21), cardAt(4, 31)];
    const faults = ['signals:2:503', 'signals:3:garbage', 'signals:4:reset'];
    const run = await watch('--ndjson --every 10m --max-wait 0', details, { stopAfter: 7, faults });
    expect(run.ids).toEqual([1, 2, 3, 4]);
    expect(run.stderr).toContain('The watch continues.');
  });

  it('stays away as long as Retry-After says, however long', async () => {
    const faults = ['signals:2:429:retry-after=7200'];
    const { ids, times } = await watch('--ndjson --every 1m', [cardAt(1, 100)], {
      stopAfter: 3,
      faults,
    });
    expect(ids).toEqual([1]);
    expect(
      (times[2] ?? 0) - (times[1] ?? 0),
      'milliseconds between the second look and the third',
    ).toBeGreaterThanOrEqual(7_200_000);
  });

  it.each([
    {
      where: 'where going on is pointless',
      words: '--ndjson --every 1m',
      faults: ['signals:2:401'],
      code: 3,
      looks: 2,
    },
    {
      where: 'at --max-credits',
      words: '--ndjson --every 1m --max-credits 3',
      faults: [],
      code: 7,
      looks: 3,
    },
  ])('ends $where', async ({ words, faults, code, looks }) => {
    const run = await watch(words, [], { stopAfter: 9, faults });
    expect({ code: run.code, looks: run.looks }).toEqual({ code, looks });
  });

  it('may cost one credit a day', async () => {
    const { stderr } = await watch('--ndjson --every 2d', [], { stopAfter: 1 });
    expect(stderr).toContain('A look every 2 days costs about 1 credit a day, more if');
  });

  it('resumes where an earlier watch stopped', async () => {
    const details = [cardAt(1, 1), cardAt(2, 8), cardAt(3, 90), cardAt(4, 200)];
    const first = await watch('--ndjson --every 10m', details, { stopAfter: 3 });
    const port = Number(new URL(sandbox?.baseUrl ?? '').port);
    await sandbox?.close();
    const startAt = START + 300 * MINUTE;
    const second = await watch('--ndjson --every 10m --resume', details, {
      stopAfter: 2,
      startAt,
      port,
    });
    expect(first.ids).toEqual([1, 2]);
    expect(second.ids).toEqual([3, 4]);
  });

  it('takes the interval that the credits left allow until they reset', async () => {
    const { times, stderr } = await watch('--ndjson', [], { stopAfter: 2, used: 900 });
    // 100 credits until 1 December: 246 h / 100.
    expect(Math.round(((times[1] ?? 0) - (times[0] ?? 0)) / MINUTE)).toBe(148);
    expect(stderr).toContain('about 10 credits a day');
  });

  it('looks twice an hour where credits would allow more, unless it is asked to', async () => {
    const { times, stderr } = await watch('--ndjson', [], { stopAfter: 2 });
    expect(Math.round(((times[1] ?? 0) - (times[0] ?? 0)) / MINUTE)).toBe(30);
    expect(stderr).toContain('A look every 30 minutes costs about 48 credits a day');
    await sandbox?.close();
    const more = await watch('--ndjson --every 10m', [], { stopAfter: 1 });
    expect(more.stderr).toContain('A look every 10 minutes costs about 144 credits a day');
  });

  it('goes on by the ledger while /access alone is refused', async () => {
    const run = await watch('--ndjson', FOUR, { stopAfter: 3, faults: ['access:*:403'] });
    expect({ code: run.code, looks: run.looks }, run.stderr).toEqual({ code: 130, looks: 3 });
    expect(run.stderr).toContain(
      'The service refuses /access (403): the credits left are as this machine knows them.',
    );
  });

  // 300 credits in 246 h are 29.3 a day; exports take 17 of them, or would take 27 if a quarter were not the watch's.
  it.each([
    [14, 12],
    [40, 8],
  ])('leaves exports of %i outcomes a day their share', async (perDay, looks) => {
    const history = (account: string) => {
      const cards = Array.from({ length: 2 * perDay }, (_, i) =>
        cardAt(9000 + i, (-i * 24 * 60) / perDay),
      );
      const until = cardAt(1, 0).created_at;
      return historyOf(account, cards, {
        last_run: { started_at: until, finished_at: until, stopped_by: null },
        spans: [{ since: cardAt(1, -2 * 24 * 60).created_at, until }],
        months: { '2026-11': { cards: 2 * perDay, awaiting: 0 } },
      });
    };
    const { stderr } = await watch('--ndjson', [], { stopAfter: 1, used: 700, history });
    expect(stderr).toContain(`costs about ${looks} credits a day`);
  });

  it.each(['--every 30s', '--every 0', '--every soon', '--json', '--csv'])(
    'refuses %s',
    async (args) => {
      const run = await watch(args, [], { stopAfter: 1 });
      expect(run.code).toBe(2);
      expect(sandbox?.requests).toHaveLength(0);
    },
  );
});
