import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Plan, type Seen, simulate } from './simulation.ts';

const MINUTE = 60_000;
/** A turn is looked for every half second, and the window has a margin of a tenth. */
const PATIENCE = 500 + 100;

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
  const moments = [own.reserved, ...before.map(freeAt)].filter((at) => at >= own.reserved).sort((a, b) => a - b);
  const open = (at: number) => before.filter((other) => freeAt(other) > at).length;
  return moments.find((at) => open(at) < perMinute) ?? Number.POSITIVE_INFINITY;
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
      seen.forEach((one, index) => {
        if (one.sent === undefined) return;
        expect(one.sent - earliest(seen, index, perMinute)).toBeLessThanOrEqual(PATIENCE);
      });
    }),
    { numRuns: Number(process.env.SCREENER_RUNS ?? 60) },
  );
  expect(requests).toBeGreaterThan(100);
}, 120_000);

test('the measure sees a schedule that exceeds the allowance', () => {
  const seen = [0, 30_000, 59_000].map((at) => ({ process: 0, reserved: at, sent: at, over: at + 10 }));
  expect(mostInAMinute(seen)).toBe(3);
  expect(earliest(seen, 2, 2)).toBe(60_010);
});
