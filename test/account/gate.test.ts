import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock, type Process, send, startProcess } from './world.ts';

let directory: string;
let clock: FakeClock;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'screener-gate-'));
  clock = new FakeClock();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const start = (options = {}) => startProcess(clock, directory, options);

/** What a promise came to, looked at without waiting for it. */
function watch<T>(promise: Promise<T>): { value?: T; error?: unknown } {
  const seen: { value?: T; error?: unknown } = {};
  promise.then(
    (value) => {
      seen.value = value;
    },
    (error) => {
      seen.error = error;
    },
  );
  return seen;
}

describe('pacing', () => {
  test('15 requests of several processes leave at once, the 16th 60 s after the first was answered', async () => {
    const processes = [start(), start(), start()];
    for (let n = 0; n < 15; n += 1) await send(processes[n % 3] as Process, clock);
    const late = processes[0] as Process;
    const began = clock.now();
    const sixteenth = watch(send(late, clock));
    await clock.advance(60_000);
    expect(sixteenth.value).toBeUndefined();
    expect(late.shown.waits).toEqual([
      { reason: expect.stringContaining('15 requests a minute'), until: began + 60_100, stopped: false },
    ]);
    await clock.advance(200);
    expect(sixteenth.value?.sent).toBe(began + 60_100);
    expect(late.shown.waits[0]?.stopped).toBe(true);
  });

  test('an allowance of /access is taken over by every process', async () => {
    start().account.observe(access({ per_minute: 2 }));
    const other = start();
    await send(other, clock);
    await send(other, clock);
    const third = watch(send(other, clock));
    await clock.advance(59_000);
    expect(third.value).toBeUndefined();
    await clock.advance(2_000);
    expect(third.value).toBeDefined();
  });

  test('an allowance of 0 lets one request a minute through, so that a better one can be learnt', async () => {
    const one = start();
    one.account.observe(access({ per_minute: 0 }));
    await send(one, clock);
    const second = watch(send(one, clock));
    await clock.advance(60_000);
    expect(second.value).toBeUndefined();
    await clock.advance(200);
    expect(second.value).toBeDefined();
    expect(one.account.today().perMinute).toBe(0);
  });
});

function access({ used = 100, limit = 1000, per_minute = 15, resets_at = '2026-12-01T00:00:00Z' } = {}) {
  return { credits: { used, limit, remaining: limit - used, resets_at }, per_minute };
}
