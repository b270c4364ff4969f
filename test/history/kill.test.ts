import { chmodSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { newestCards, openHistory } from '../../src/history/history.ts';
import type { LoggedRequest } from '../../src/sandbox/api.ts';
import { aMinute } from '../support/allowances.ts';
import { worldOf } from '../support/resources.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';
import { buildDriver, start } from './processes.ts';
import { bare, cardsAnHourApart, directory, HOUR, linesOf, monthFiles, NOW, stored } from './support.ts';

const HEAVY = process.env.SCREENER_HEAVY === '1';
const KILLS = HEAVY ? 200 : 6;

let driver = '';

beforeAll(async () => {
  driver = await buildDriver();
});
afterAll(() => rmSync(dirname(driver), { recursive: true, force: true }));

/** Runs work against a service that has these cards, and a directory. */
async function serving(details: readonly SignalDetail[], work: (sandbox: Sandbox, dir: string) => Promise<void>) {
  const plenty = { allowances: aMinute(1_000_000), dayCredits: 1_000_000, monthCredits: 1_000_000 };
  const sandbox = await startSandbox({ world: worldOf(details), ...plenty, now: () => NOW });
  try {
    await work(sandbox, directory());
  } finally {
    await sandbox.close();
  }
}

const run = (sandbox: Sandbox, dir: string) => start('node', [driver, dir, sandbox.baseUrl, String(NOW)]);

/** A small repeatable generator: the seed is printed with a failure. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Reads as a user would while runs are killed: whole lines only, one a card, always. */
function pollingReader(dir: string) {
  let stopped = false;
  let reads = 0;
  const done = (async () => {
    while (!stopped) {
      if (existsSync(dir)) {
        const ids = monthFiles(dir).flatMap((name) => linesOf(join(dir, name)).map(({ id }) => id));
        if (new Set(ids).size !== ids.length) throw new Error('a reader saw a card twice');
        const history = await openHistory(dir, { warn: (text) => Promise.reject(new Error(text)) }).catch(
          () => undefined,
        );
        const seen: number[] = [];
        if (history !== undefined)
          for await (const cards of newestCards(history, {})) seen.push(...cards.map(({ id }) => id));
        if (new Set(seen).size !== seen.length) throw new Error('--from saw a card twice');
        if (seen.length < ids.length) throw new Error('--from saw fewer cards than the month files hold');
        reads += 1;
      }
      await new Promise(setImmediate);
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

describe('kill -9', () => {
  it(`at ${KILLS} random moments of walks loses nothing, doubles nothing and buys at most the answer in flight twice`, async () => {
    const seed = Number(process.env.SCREENER_SEED ?? Date.now() % 1_000_000);
    const next = random(seed);
    let kills = 0;
    while (kills < KILLS) kills += await killedWalk(seed, next);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  });
});

/** One history, its runs killed until one gets through. Returns how many were. */
async function killedWalk(seed: number, next: () => number): Promise<number> {
  const details = cardsAnHourApart(120);
  let kills = 0;
  await serving(details, async (sandbox, dir) => {
    const reader = pollingReader(dir);
    try {
      for (;;) {
        const { child, end } = run(sandbox, dir);
        // After so many of its requests and a moment, so that a slow machine gets on; or while it starts and folds.
        const from = sandbox.requests.length + Math.floor(next() * 30);
        const isAtStart = next() < 0.2;
        const delay = next();
        const kill = () => child.kill('SIGKILL');
        let timer = isAtStart ? setTimeout(kill, 30 + delay * 150) : undefined;
        let watch = isAtStart
          ? undefined
          : setInterval(() => {
              if (sandbox.requests.length <= from) return;
              clearInterval(watch);
              watch = undefined;
              timer = setTimeout(kill, delay * 8);
            }, 1);
        const { code, stdout, stderr } = await end;
        clearTimeout(timer);
        clearInterval(watch);
        if (code === null) {
          kills += 1;
          continue;
        }
        expect([seed, code, stdout, stderr]).toEqual([seed, 0, expect.stringContaining('"complete":true'), '']);
        break;
      }
      expect(await reader.stop()).toBeGreaterThan(0);
    } finally {
      await reader.stop().catch(() => 0);
    }
    const due = (one: SignalDetail) => NOW - Date.parse(one.created_at) >= 24 * HOUR + 600_000;
    expect(stored(dir)).toEqual(details.toReversed().map((one) => (due(one) ? one : bare(one))));
    const doubled = repeats(sandbox.requests.filter(({ path }) => path.startsWith('/signals/')));
    const pages = repeats(
      sandbox.requests.filter(({ path, query }) => path === '/signals' && query.includes('cursor')),
    );
    expect([seed, doubled + pages <= kills]).toEqual([seed, true]);
    expect(existsSync(join(dir, '.journal.ndjson'))).toBe(false);
  });
  return kills;
}

/** How many requests asked for what had been asked for before. */
function repeats(requests: readonly LoggedRequest[]): number {
  return requests.length - new Set(requests.map(({ path, query }) => path + query)).size;
}

describe('two runs at once', () => {
  it('the second exits with a clear message, the first is done; a killed one does not block', async () => {
    await serving(cardsAnHourApart(60), async (sandbox, dir) => {
      sandbox.addFault('signals:1:hang');
      const first = run(sandbox, dir);
      await expect.poll(() => sandbox.requests.length).toBeGreaterThan(1);
      const runs = Array.from({ length: 2 }, () => run(sandbox, dir).end);
      for (const { code, stdout } of await Promise.all(runs)) {
        expect(code).toBe(1);
        expect(JSON.parse(stdout).failed).toMatchObject({
          code: 'busy',
          message: expect.stringContaining(`process ${first.child.pid}`),
        });
      }
      expect(sandbox.requests).toHaveLength(2);
      first.child.kill('SIGKILL');
      await first.end;
      // All at once: exactly one takes over what the killed run left.
      const more = await Promise.all(Array.from({ length: 3 }, () => run(sandbox, dir).end));
      const done = more.filter(({ code }) => code === 0);
      expect(done.length).toBeGreaterThanOrEqual(1);
      for (const { code, stdout } of more) if (code !== 0) expect(JSON.parse(stdout).failed.code).toBe('busy');
      expect(stored(dir)).toHaveLength(60);
      expect(repeats(sandbox.requests.filter(({ path }) => path.startsWith('/signals/')))).toBe(0);
    });
  });
});

describe('disks', () => {
  it('a full one: a clear error, and what was paid for is kept', async () => {
    await serving(cardsAnHourApart(100), async (sandbox, dir) => {
      // A limit on file sizes stands for the full disk: the journal reaches it among the outcomes.
      const limited = (blocks: number) =>
        start('bash', ['-c', `ulimit -f ${blocks}; exec node "$@"`, 'bash', driver, dir, sandbox.baseUrl, String(NOW)])
          .end;
      const first = await limited(80);
      expect(first.code).toBe(1);
      const { failed } = JSON.parse(first.stdout.split('\n').find((line) => line.includes('failed')) ?? '{}');
      expect(failed).toMatchObject({ code: 'storage', hint: expect.stringContaining('goes on from what is saved') });
      expect(failed.message).toContain(dir);
      const bought = sandbox.requests.filter(({ path }) => path.startsWith('/signals/')).length;
      expect(bought).toBeGreaterThan(0);
      const second = await run(sandbox, dir).end;
      expect(second.code).toBe(0);
      expect(stored(dir)).toHaveLength(100);
      // Only the answer that could not be written was bought again.
      const details2 = sandbox.requests.filter(({ path }) => path.startsWith('/signals/'));
      expect(repeats(details2)).toBeLessThanOrEqual(1);
    });
  });

  it.runIf(process.getuid?.() === 0)('a directory that cannot be written: a clear error, nothing sent', async () => {
    await serving(cardsAnHourApart(5), async (sandbox, dir) => {
      chmodSync(dirname(dir), 0o755);
      mkdirSync(dir, { mode: 0o755 });
      const { code, stdout } = await start('node', [driver, dir, sandbox.baseUrl, String(NOW)], 65_534).end;
      expect(code).toBe(1);
      expect(JSON.parse(stdout).failed).toMatchObject({
        code: 'storage',
        hint: expect.stringContaining('permissions'),
      });
      expect(sandbox.requests).toEqual([]);
      expect(statSync(dir).isDirectory()).toBe(true);
    });
  });
});
