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

/** When request `index` could have left at the earliest, without breaking the rule or jumping the queue. */
function earliest(seen: readonly Seen[], index: number, perMinute: number): number {
  const own = seen[index] as Seen;
  const before = seen.slice(0, index);
  const freeAt = (other: Seen) => {
    if (other.givenUp !== undefined) return other.givenUp;
    if (other.over === undefined) return Number.POSITIVE_INFINITY;
    // When a dead process's request was counted is known no better than: before somebody found it dead.
    return Math.max(other.over, other.died ? own.reserved : 0) + MINUTE;
  };
  const overAt = (other: Seen) =>
    other.givenUp ?? Math.max(other.over ?? Number.POSITIVE_INFINITY, other.died ? own.reserved : 0);
  const moments = [own.reserved, ...before.flatMap((other) => [freeAt(other), overAt(other)])]
    .filter((at) => at >= own.reserved)
    .sort((a, b) => a - b);
  const open = (at: number) => before.filter((other) => freeAt(other) > at).length;
  const inFlight = (at: number) => before.filter((other) => overAt(other) > at).length;
  return moments.find((at) => open(at) < perMinute && inFlight(at) < IN_FLIGHT) ?? Number.POSITIVE_INFINITY;
}

async function run({ perMinute, plans }: { perMinute: number; plans: readonly Plan[] }): Promise<Seen[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'screener-pacing-'));
  try {
    return await simulate(directory, perMinute, plans);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

test('processes that come, crash and stop at random never exceed the allowance, and none waits longer than needed', async () => {
  let requests = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ perMinute, plans }) => {
      const seen = await run({ perMinute, plans });
      requests += seen.length;
      expect(mostInAMinute(seen)).toBeLessThanOrEqual(perMinute);
      expect(mostInFlight(seen)).toBeLessThanOrEqual(IN_FLIGHT);
      seen.forEach((one, index) => {
        if (one.sent === undefined) return;
        expect(one.sent - earliest(seen, index, perMinute)).toBeLessThanOrEqual(PATIENCE);
      });
    }),
    { numRuns: Number(process.env.SCREENER_RUNS ?? 60) },
  );
  expect(requests).toBeGreaterThan(100);
});

test('the measure sees a schedule that exceeds the allowance', () => {
  const seen = [0, 30_000, 59_000].map((at) => ({ process: 0, reserved: at, sent: at, over: at + 10 }));
  expect(mostInAMinute(seen)).toBe(3);
  expect(earliest(seen, 2, 2)).toBe(60_010);
});
