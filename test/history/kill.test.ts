/** Exports as processes that are killed, that find no room, or that may not write. */

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { History } from '../../src/history/store/history.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { LoggedRequest } from '../../src/sandbox/api.ts';
import { aMinute } from '../support/allowances.ts';
import { ageLock } from '../support/files.ts';
import { errorLine } from '../support/fixtures.ts';
import { randomOf } from '../support/history.ts';
import { programPath, startCommand } from '../support/run.ts';
import { type Sandbox, startSandbox, worldOf } from '../support/sandbox.ts';
import {
  bare,
  cardsAnHourApart,
  directory,
  HOUR,
  linesOf,
  monthFiles,
  NOW,
  stored,
} from './support.ts';

const HEAVY = process.env.SCREENER_HEAVY === '1';
/** Kills; and for how many seconds a run is suspended: for none, its lock is aged. */
const [KILLS, SUSPENDED] = HEAVY ? [200, [0, 31]] : [4, [0]];

/** A service that has these cards and its own idea of the time, and a directory, until the test has ended. */
async function serving(details: readonly SignalDetail[]) {
  const plenty = { allowances: aMinute(1_000_000), dayCredits: 1_000_000, monthCredits: 1_000_000 };
  const looks = new Set<() => void>();
  const onRequest = () => {
    for (const look of looks) look();
  };
  const sandbox = await startSandbox({
    world: worldOf(details),
    ...plenty,
    now: () => NOW,
    onRequest,
  });
  onTestFinished(() => sandbox.close());
  /** Resolves once so many requests have come. */
  const asked = (count: number) =>
    new Promise<void>((resolve) => looks.add(() => sandbox.requests.length >= count && resolve()));
  return { sandbox, dir: directory(), asked };
}

/** One run, as a user whose ledger is new: no day's credits end it. @param before words in front of the command */
function run(sandbox: Sandbox, dir: string, before: readonly string[] = []) {
  const words = [
    programPath(),
    'signals',
    'export',
    dir,
    '--json',
    '--quiet',
    '--no-screeners',
    '--no-stats',
  ];
  return startCommand([...before, process.execPath, ...words], { env: sandbox.env });
}

/** Names, sizes and times of a directory's files: as long as they are the same, so is what is read there. */
function filesIn(dir: string): string {
  const names = existsSync(dir) ? readdirSync(dir) : [];
  const states = names.map((name) => {
    const { ino, size, mtimeMs } = lstatSync(join(dir, name), { throwIfNoEntry: false }) ?? {};
    return [name, ino, size, mtimeMs].join(' ');
  });
  return states.join('\n');
}

/** Reads as a user would while runs are killed, after each change: whole lines only, one a card, always. */
function pollingReader(dir: string) {
  let stopped = false;
  let reads = 0;
  let filesRead = '';
  const read = async () => {
    const ids = monthFiles(dir).flatMap((name) => linesOf(join(dir, name)).map(({ id }) => id));
    if (new Set(ids).size !== ids.length) throw new Error('a reader saw a card twice');
    const history = new History(
      dir,
      { warn: (text) => Promise.reject(new Error(text)) },
      systemClock,
    );
    const seen: number[] = [];
    // Before the run has made it there is none.
    if ((await history.months().catch(() => undefined)) !== undefined)
      for await (const cards of history.cards({})) seen.push(...cards.map(({ card }) => card.id));
    if (new Set(seen).size !== seen.length) throw new Error('--from saw a card twice');
    if (seen.length < ids.length)
      throw new Error('--from saw fewer cards than the month files hold');
    reads += 1;
  };
  const done = (async () => {
    while (!stopped) {
      const files = filesIn(dir);
      if (files !== filesRead) await read();
      filesRead = files;
      // Without a pause it would take the time that the runs need.
      await setTimeout(1);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await done;
      return reads;
    },
  };
}

it(`kill -9 at ${KILLS} random moments loses nothing, doubles nothing and buys at most the answer in flight twice`, async () => {
  const seed = Number(process.env.SCREENER_SEED ?? Date.now() % 1_000_000);
  const random = randomOf(seed);
  let kills = 0;
  while (kills < KILLS) kills += await killedWalk(seed, random);
});

/** One history, its runs killed until one gets through. Returns how many were. */
async function killedWalk(seed: number, random: () => number): Promise<number> {
  const details = cardsAnHourApart(60);
  let kills = 0;
  const { sandbox, dir, asked } = await serving(details);
  const reader = pollingReader(dir);
  try {
    for (;;) {
      // A moment after so many of its requests, so that a slow machine gets on; often while it folds what is there.
      const moment = asked(
        sandbox.requests.length + 1 + (random() < 0.3 ? 0 : Math.floor(random() * 30)),
      );
      const delay = random() * 8;
      const { child, done } = run(sandbox, dir);
      moment.then(() => setTimeout(delay)).then(() => child.kill('SIGKILL'));
      const { code, signal, stdout, stderr } = await done;
      if (signal === 'SIGKILL') {
        kills += 1;
        if (existsSync(join(dir, '.lock'))) ageLock(dir);
        continue;
      }
      expect({ seed, code, complete: JSON.parse(stdout).complete, stderr }).toEqual({
        seed,
        code: 0,
        complete: true,
        stderr: '',
      });
      // A run that took over leaves one outcome to the next.
      if (stored(dir).every((card) => 'outcome' in card || !isDue(card))) break;
    }
    expect(await reader.stop(), 'how often the reader read').toBeGreaterThan(0);
  } finally {
    await reader.stop().catch(() => 0);
  }
  expect(stored(dir)).toEqual(
    details.toReversed().map((card) => (isDue(card) ? card : bare(card))),
  );
  const paid = sandbox.requests.filter(
    ({ path, query }) => isDetail({ path }) || query.includes('cursor'),
  );
  expect(repeats(paid), `requests paid for twice, seed ${seed}`).toBeLessThanOrEqual(kills);
  expect(existsSync(join(dir, '.journal.ndjson')), 'a journal is left').toBe(false);
  return kills;
}

const isDue = ({ created_at }: { readonly created_at: string }) =>
  NOW - Date.parse(created_at) >= 24 * HOUR + 600_000;

const isDetail = ({ path }: Pick<LoggedRequest, 'path'>) => path.startsWith('/signals/');

/** How many requests asked for what had been asked for before. */
function repeats(requests: readonly LoggedRequest[]): number {
  return requests.length - new Set(requests.map(({ path, query }) => path + query)).size;
}

it('of runs at once one takes over what a killed one left once that is silent', async () => {
  const { sandbox, dir, asked } = await serving(cardsAnHourApart(60));
  sandbox.addFault('signals:1:hang');
  const first = run(sandbox, dir);
  await asked(2);
  first.child.kill('SIGKILL');
  await first.done;
  expect(errorLine((await run(sandbox, dir).done).stderr).code).toBe('busy');
  ageLock(dir);
  const ended = await Promise.all(Array.from({ length: 3 }, () => run(sandbox, dir).done));
  expect(ended.map(({ code }) => code)).toContain(0);
  for (const { code, stderr } of ended) if (code !== 0) expect(errorLine(stderr).code).toBe('busy');
  expect(stored(dir)).toHaveLength(60);
  expect(repeats(sandbox.requests.filter(isDetail))).toBe(0);
});

it.each(SUSPENDED)(
  'a run suspended (%i s) and taken over sends nothing more: exit code 1',
  async (seconds) => {
    const { sandbox, dir, asked } = await serving(cardsAnHourApart(60));
    const first = run(sandbox, dir);
    await asked(20);
    first.child.kill('SIGSTOP');
    if (seconds === 0) ageLock(dir);
    else await setTimeout(seconds * 1000);
    const before = sandbox.requests.length;
    expect(await run(sandbox, dir).done).toMatchObject({ code: 0 });
    const after = sandbox.requests.length;
    first.child.kill('SIGCONT');
    const { code, stderr } = await first.done;
    expect({ code, message: errorLine(stderr).message }).toEqual({
      code: 1,
      message: expect.stringContaining('another one took over'),
    });
    expect(after, 'requests once another run had ended').toBeGreaterThan(before);
    expect(sandbox.requests, 'once the suspended run had ended').toHaveLength(after);
    // What was under way when it was suspended is not lost, and nobody else paid for it.
    expect(await run(sandbox, dir).done).toMatchObject({ code: 0 });
    expect(stored(dir).filter((card) => 'outcome' in card)).toHaveLength(
      stored(dir).filter(isDue).length,
    );
    expect({
      cards: stored(dir).length,
      repeats: repeats(sandbox.requests.filter(isDetail)),
    }).toEqual({ cards: 60, repeats: 0 });
  },
);

it('a full disk: a clear error, and what was paid for is kept', async () => {
  const { sandbox, dir, asked } = await serving(cardsAnHourApart(100));
  const within = (blocks: number) =>
    run(sandbox, dir, ['bash', '-c', `ulimit -f ${blocks}; exec "$@"`, 'bash']).done;
  // A limit on file sizes stands for the full disk: the journal reaches it among the outcomes.
  const limited = await within(80);
  expect(limited.code).toBe(1);
  expect(errorLine(limited.stderr)).toMatchObject({
    code: 'storage',
    message: expect.stringContaining(dir),
    hint: expect.stringContaining('continues from what was saved'),
  });
  expect(
    sandbox.requests.filter(isDetail).length,
    'details asked for before the disk was full',
  ).toBeGreaterThan(0);
  const killed = run(sandbox, dir);
  await asked(sandbox.requests.length + 8);
  killed.child.kill('SIGKILL');
  await killed.done;
  ageLock(dir);
  const before = sandbox.requests.length;
  // Where there is no room for what is saved, nothing is paid for.
  expect((await within(8)).code).toBe(1);
  expect(sandbox.requests).toHaveLength(before);
  expect(await run(sandbox, dir).done).toMatchObject({ code: 0 });
  expect(stored(dir)).toHaveLength(100);
  // Only the answers in flight, and the one that could not be written, were bought again.
  expect(repeats(sandbox.requests.filter(isDetail)), 'details asked for again').toBeLessThanOrEqual(
    2,
  );
});
