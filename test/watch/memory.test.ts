import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { listing } from '../support/server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes that stay. */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('500 looks leave nothing behind in memory', async ({ server, here }) => {
  const FIRST = 100;
  const LAST = 500;
  server.always('/signals', listing(samples.cards(25)));
  const heap = new Map<number, number>();
  let looks = 0;
  const ran = await here(['signals', 'watch', '--ndjson', '--quiet'], {
    interruptAt: () => {
      if (server.to('/signals').length === 0) return false;
      looks += 1;
      // What the stand-in remembers of its requests is none of the program's memory.
      server.requests.length = 0;
      if (looks === FIRST || looks === LAST) heap.set(looks, heapUsed());
      return looks === LAST;
    },
  });
  expect(ran.code).toBe(130);
  const bytesPerLook = ((heap.get(LAST) ?? Infinity) - (heap.get(FIRST) ?? 0)) / (LAST - FIRST);
  expect(bytesPerLook, 'bytes kept a look').toBeLessThan(2_000);
});
