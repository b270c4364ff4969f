import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Plan, type Seen, simulate } from './simulation.ts';

const MINUTE = 60_000;
/**
 * A turn is looked for every half second, the window has a margin of a tenth, and those who waited leave 50 ms apart.
 */
const PATIENCE = 500 + 100 + 5 * 50;
const IN_FLIGHT = 4;

const plan: fc.Arbitrary<Plan> = fc.record({
  start: fc.integer({ min: 0, max: 90_000 }),
  latencies: fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 6 }),
  atOnce: fc.boolean(),
  diesAtLook: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 4 }),
  stopsAfter: fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined, freq: 4 }),
});

const scenario = fc.record({
  perMinute: fc.integer({ min: 1, max: 5 }),
  plans: fc.array(plan, { minLength: 1, maxLength: 6 }),
});

/** The most requests a service could count within any 60 s, wherever between sending and answer it counts each. */
function mostInAMinute(seen: readonly Seen[]): number {
  const left = seen.flatMap(({ sent, over }) => (sent === undefined ? [] : [{ sent, over: over ?? sent }]));
  const counts = left.map(
    (one) => left.filter((other) => other.sent <= one.sent && other.over > one.sent - MINUTE).length,
  );
  return Math.max(0, ...counts);
}

/** The most requests under way at once. */
function mostInFlight(seen: readonly Seen[]): number {
  const left = seen.flatMap(({ sent, over }) => (sent === undefined ? [] : [{ sent, over: over ?? sent }]));
  return Math.max(0, ...left.map(({ sent }) => left.filter((one) => one.sent <= sent && one.over > sent).length));
}

/** Milliseconds for which request `index` waited at most while there was room for it all the time. */
function waitedForNothing(seen: readonly Seen[], index: number, perMinute: number): number {
  const own = seen[index] as Seen;
  const others = seen.filter((other, at) => at !== index && other.sent !== undefined);
  // When a dead process's request was counted is known no better than: before somebody found it dead.
  const overAt = (other: Seen) => Math.max(other.over ?? Number.POSITIVE_INFINITY, other.died ? own.reserved : 0);
  const hasRoom = (at: number) => {
    const before = others.filter(({ sent = 0 }) => sent <= at);
    const inMinute = before.filter((other) => overAt(other) + MINUTE > at).length;
    return inMinute < perMinute && before.filter((other) => overAt(other) > at).length < IN_FLIGHT;
  };
  const { reserved, sent = reserved } = own;
  const changes = others.flatMap((other) => [other.sent ?? 0, overAt(other), overAt(other) + MINUTE]);
  const moments = [reserved, ...changes.filter((at) => at > reserved && at < sent), sent].sort((a, b) => a - b);
  let longest = 0;
  let since: number | undefined;
  for (const moment of moments) {
    if (since !== undefined) longest = Math.max(longest, moment - since);
    if (moment === sent || !hasRoom(moment)) since = undefined;
    else since ??= moment;
  }
  return longest;
}

async function run({ perMinute, plans }: { perMinute: number; plans: readonly Plan[] }): Promise<Seen[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'screener-pacing-'));
  try {
    return await simulate(directory, perMinute, plans);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

test('processes that come, crash and stop at random never exceed the allowance, and none waits while there is room', async () => {
  let requests = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ perMinute, plans }) => {
      const seen = await run({ perMinute, plans });
      requests += seen.length;
      expect(mostInAMinute(seen)).toBeLessThanOrEqual(perMinute);
      expect(mostInFlight(seen)).toBeLessThanOrEqual(IN_FLIGHT);
      seen.forEach((one, index) => {
        if (one.sent === undefined) return;
        expect(waitedForNothing(seen, index, perMinute)).toBeLessThanOrEqual(PATIENCE);
      });
    }),
    { numRuns: Number(process.env.SCREENER_RUNS ?? 60) },
  );
  expect(requests).toBeGreaterThan(100);
});

test('the measure sees a schedule that exceeds the allowance, and a wait for nothing', () => {
  const seen = [0, 30_000, 59_000].map((at) => ({ process: 0, reserved: 0, sent: at, over: at + 10 }));
  expect(mostInAMinute(seen)).toBe(3);
  expect(waitedForNothing(seen, 1, 2)).toBe(30_000);
  expect(waitedForNothing(seen, 2, 1)).toBe(0);
});
