import { afterEach, describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { affordableInterval, creditsPerDay } from '../../src/commands/watch/interval.ts';
import { interruptedError } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import type { World } from '../../src/sandbox/world.ts';
import { detail } from '../sandbox/support.ts';
import { TestClock, testContext } from '../support/context.ts';
import { createHome, type Home } from '../support/home.ts';
import { worldOf } from '../support/resources.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';
import { type Awkward, recordedLate, worstList } from '../support/worst-list.ts';

const START = Date.UTC(2026, 10, 20, 18, 0);
const MINUTE = 60_000;

/** A card recorded `minutes` after the start. */
const cardAt = (id: number, minutes: number): SignalDetail =>
  detail(id, { created_at: new Date(START + minutes * MINUTE).toISOString() });

let sandbox: Sandbox | undefined;
const homes: Home[] = [];
const newHome = (): Home => {
  const home = createHome();
  homes.push(home);
  return home;
};
afterEach(async () => {
  await sandbox?.close();
  for (const home of homes.splice(0)) home.remove();
});

interface Watched {
  readonly ids: number[];
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly looks: number;
  readonly clock: TestClock;
}

/**
 * Runs `signals watch` on a clock that jumps over every wait, against a server on the same clock, and stops it with
 * Ctrl-C after so many list calls.
 */
async function watch(
  args: readonly string[],
  details: readonly SignalDetail[],
  {
    stopAfter,
    home,
    faults = [],
    startAt = START,
    used = 0,
    terminal,
    undated = false,
    port,
    off = 0,
    awkward = {},
    recorded = (world) => world,
  }: {
    stopAfter: number;
    home: Home;
    port?: number;
    /** Minutes by which this machine's clock is ahead of the server's. */
    off?: number;
    awkward?: Awkward;
    recorded?: (world: World) => World;
    faults?: string[];
    startAt?: number;
    used?: number;
    terminal?: number;
    /** Whether the server's answers have no Date header. */
    undated?: boolean;
  },
): Promise<Watched> {
  const clock = new TestClock(startAt);
  const stop = new AbortController();
  let looks = 0;
  const all = worldOf(details);
  // A card exists once it is recorded.
  const world = recorded({ ...all, index: (now) => all.index(now).filter((card) => card.createdAt <= now) });
  sandbox = await startSandbox({
    port,
    now: () => clock.now(),
    world,
    faults,
    dated: !undated,
    list: worstList(awkward),
    onRequest: ({ path }) => {
      if (path === '/signals') looks += 1;
    },
  });
  if (used > 0) sandbox.spend(used, { today: false });
  const context = testContext({
    argv: ['signals', 'watch', ...args],
    env: { SCREENER_BASE_URL: sandbox.baseUrl, SCREENER_API_KEY: sandbox.key },
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
    ...(terminal === undefined ? {} : { width: terminal }),
  });
  const code = await main(context);
  const stdout = context.stdout.text;
  const ids = stdout.startsWith('{')
    ? stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id as number)
    : [];
  return { ids, code, stdout, stderr: context.stderr.text, looks, clock };
}

describe('signals watch', () => {
  it('prints each new card once, oldest first, one list call a look', async () => {
    const details = [cardAt(1, -5), cardAt(2, 1), cardAt(3, 2), cardAt(4, 12), cardAt(5, 25)];
    const run = await watch(['--ndjson', '--every', '10m'], details, { stopAfter: 5, home: newHome() });
    expect(run.ids).toEqual([2, 3, 4, 5]);
    expect(run.looks).toBe(5);
    expect(run.code).toBe(130);
    expect(sandbox?.requests.filter((request) => request.credits > 0)).toHaveLength(5);
    expect(run.stderr).toContain('A look every 10 minutes costs about 144 credits a day');
    expect(run.stderr).toContain('screener signals watch --resume');
  });

  it('misses no card that is recorded late, within the overlap, or of the same second', async () => {
    const run = await watch(['--ndjson', '--every', '1m'], [cardAt(1, 1), cardAt(2, 1), cardAt(3, 1), cardAt(9, 3)], {
      stopAfter: 6,
      home: newHome(),
    });
    expect(run.ids).toEqual([1, 2, 3, 9]);
  });

  it('finds more than a page of new cards', async () => {
    const details = Array.from({ length: 60 }, (_, index) => cardAt(index + 1, 1 + index / 10));
    const run = await watch(['--ndjson', '--every', '10m'], details, { stopAfter: 5, home: newHome() });
    expect(run.ids).toEqual(details.map((card) => card.id));
  });

  it.each([-20, 20, -180, 180, 26 * 60, -26 * 60])(
    'clocks %i minutes apart: no card is missed, none of before is shown, and it is said once',
    async (minutes) => {
      // The server's clock is the one that cards are recorded by; this machine's is off.
      const details = [cardAt(1, -30), cardAt(2, 12), cardAt(3, 25), cardAt(4, 38)];
      const run = await watch(['--ndjson', '--every', '10m'], details, { stopAfter: 7, home: newHome(), off: minutes });
      expect(run.ids).toEqual([2, 3, 4]);
      expect(run.stderr.match(/This machine's clock is .* (ahead of|behind) the service's/g)).toHaveLength(1);
    },
  );

  it('begins with what is new where this clock is a day ahead, and nothing tells the time but the list', async () => {
    const details = [cardAt(1, -30), cardAt(2, 12), cardAt(3, 25), cardAt(4, 38)];
    const run = await watch(['--ndjson', '--every', '10m'], details, {
      stopAfter: 7,
      home: newHome(),
      off: 26 * 60,
      undated: true,
    });
    expect(run.ids).toEqual([2, 3, 4]);
  });

  it('a page whose until is the end of the day does not blind it', async () => {
    const details = [cardAt(1, 4), cardAt(2, 12), cardAt(3, 25), cardAt(4, 38)];
    const run = await watch(['--ndjson', '--every', '10m'], details, {
      stopAfter: 7,
      home: newHome(),
      awkward: { windows: 'until raised to the day' },
    });
    expect(run.ids).toEqual([1, 2, 3, 4]);
  });

  it('finds cards that are recorded twenty minutes late', async () => {
    const details = Array.from({ length: 12 }, (_, index) => cardAt(index + 1, 1 + 4 * index));
    const run = await watch(['--ndjson', '--every', '5m'], details, {
      stopAfter: 16,
      home: newHome(),
      recorded: (world) => recordedLate(world, 20 * MINUTE),
    });
    expect([...run.ids].sort((a, b) => a - b)).toEqual(details.map((card) => card.id));
    expect(run.ids).not.toEqual(details.map((card) => card.id));
  });

  it('prints no old card that is seen again, where the service asks when it was last seen', async () => {
    const seenAgain = { ...cardAt(1, -180), last_seen_at: cardAt(1, 5).created_at };
    const run = await watch(['--ndjson', '--every', '5m'], [seenAgain, cardAt(2, 3), cardAt(3, 21)], {
      stopAfter: 10,
      home: newHome(),
      awkward: { windows: 'by last_seen_at', order: 'last_seen_at' },
    });
    expect(run.ids).toEqual([2, 3]);
  });

  it('ends where a page comes again and again: every look would pay for the circle', async () => {
    const details = Array.from({ length: 60 }, (_, index) => cardAt(index + 1, 1 + index / 10));
    const run = await watch(['--ndjson', '--every', '10m'], details, {
      stopAfter: 50,
      home: newHome(),
      awkward: { cursors: 'one page for ever' },
    });
    expect(run.code).toBe(9);
    expect(run.looks).toBeLessThan(8);
  });

  it('ends with Ctrl-C, and that is no error', async () => {
    const run = await watch(['--ndjson', '--every', '10m'], [], { stopAfter: 2, home: newHome() });
    expect(run.code).toBe(130);
    expect(run.stderr).not.toMatch(/error|Interrupted/);
  });

  it('survives outages and goes on without a gap', async () => {
    const details = [cardAt(1, 1), cardAt(2, 11), cardAt(3, 21), cardAt(4, 31)];
    const run = await watch(['--ndjson', '--every', '10m', '--max-wait', '0'], details, {
      stopAfter: 7,
      home: newHome(),
      faults: ['signals:2:503', 'signals:3:html', 'signals:4:reset'],
    });
    expect(run.ids).toEqual([1, 2, 3, 4]);
    expect(run.stderr).toContain('The watch goes on.');
  });

  it('stays away as long as Retry-After says, however long', async () => {
    const run = await watch(['--ndjson', '--every', '1m'], [cardAt(1, 100)], {
      stopAfter: 3,
      home: newHome(),
      faults: ['signals:2:429:retry-after=7200'],
    });
    expect(run.ids).toEqual([1]);
    const [, refused, next] = sandbox?.requests.filter((request) => request.path === '/signals') ?? [];
    expect((next?.receivedAt ?? 0) - (refused?.receivedAt ?? 0)).toBeGreaterThanOrEqual(7_200_000);
  });

  it('ends at once where going on is pointless', async () => {
    const run = await watch(['--ndjson', '--every', '1m'], [], {
      stopAfter: 9,
      home: newHome(),
      faults: ['signals:2:401'],
    });
    expect(run.code).toBe(3);
    expect(run.looks).toBe(2);
  });

  it('ends with exit 7 at --max-credits', async () => {
    const run = await watch(['--ndjson', '--every', '1m', '--max-credits', '3'], [cardAt(1, 1)], {
      stopAfter: 9,
      home: newHome(),
    });
    expect(run.code).toBe(7);
    expect(run.looks).toBe(3);
    expect(run.ids).toEqual([1]);
  });

  it('resumes where an earlier watch stopped', async () => {
    const home = newHome();
    const details = [cardAt(1, 1), cardAt(2, 8), cardAt(3, 90), cardAt(4, 200)];
    const first = await watch(['--ndjson', '--every', '10m'], details, { stopAfter: 3, home });
    const port = Number(new URL(sandbox?.baseUrl ?? '').port);
    await sandbox?.close();
    const second = await watch(['--ndjson', '--every', '10m', '--resume'], details, {
      stopAfter: 2,
      home,
      startAt: START + 300 * MINUTE,
      port,
    });
    expect(first.ids).toEqual([1, 2]);
    expect(second.ids).toEqual([3, 4]);
  });

  it('says so where there is nothing to resume', async () => {
    const run = await watch(['--ndjson', '--every', '10m', '--resume'], [cardAt(1, -5)], {
      stopAfter: 2,
      home: newHome(),
    });
    expect(run.stderr).toContain('No earlier watch');
    expect(run.ids).toEqual([]);
  });

  it('takes the interval that the credits left allow until they reset', async () => {
    const run = await watch(['--ndjson'], [], { stopAfter: 2, home: newHome(), used: 900 });
    const gaps = (sandbox?.requests ?? []).filter((request) => request.path === '/signals');
    const interval = (gaps[1]?.receivedAt ?? 0) - (gaps[0]?.receivedAt ?? 0);
    // 100 credits until 1 December: 246 h / 100.
    expect(Math.round(interval / MINUTE)).toBe(148);
    expect(run.stderr).toContain('about 10 credits a day');
  });

  it.each([['30s'], ['0'], ['soon']])('refuses --every %s without sending anything', async (every) => {
    const run = await watch(['--every', every], [], { stopAfter: 1, home: newHome() });
    expect(run.code).toBe(2);
    expect(sandbox?.requests).toHaveLength(0);
  });

  it.each(['--json', '--csv'])('refuses %s, which would never end', async (format) => {
    const run = await watch([format], [], { stopAfter: 1, home: newHome() });
    expect(run.code).toBe(2);
    expect(sandbox?.requests).toHaveLength(0);
  });

  it('shows a table row as it comes, below one header', async () => {
    const run = await watch(['--every', '10m'], [cardAt(11, 1), cardAt(12, 12)], {
      stopAfter: 4,
      home: newHome(),
      terminal: 100,
    });
    const lines = run.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('SYMBOL');
    expect(lines[1]).toContain('11');
    expect(lines[2]).toContain('12');
  });
});

describe('the interval', () => {
  const day = 86_400_000;
  it('keeps to the month, the day and the minute', () => {
    expect(affordableInterval({ remaining: 1000, resetsAt: 30 * day, now: 0 })).toBe(44 * MINUTE);
    expect(affordableInterval({ remaining: 1000, resetsAt: day, now: 0 })).toBe(10 * MINUTE);
    expect(affordableInterval({ remaining: 1, resetsAt: 3 * day, now: 0 })).toBe(3 * day);
    expect(affordableInterval({ remaining: 0, resetsAt: day, now: 0 })).toBeUndefined();
    expect(affordableInterval({ remaining: 5, resetsAt: 0, now: day })).toBe(10 * MINUTE);
  });

  it('never costs more than what is left, nor than a day allows', () => {
    for (const remaining of [1, 7, 150, 999]) {
      for (const days of [1, 3, 30]) {
        const interval = affordableInterval({ remaining, resetsAt: days * day, now: 0 }) ?? 0;
        expect((days * day) / interval).toBeLessThanOrEqual(remaining);
        expect(creditsPerDay(interval)).toBeLessThanOrEqual(150);
      }
    }
  });
});
