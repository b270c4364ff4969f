import { setTimeout } from 'node:timers/promises';

export interface Clock {
  /** Epoch milliseconds, UTC. */
  now(): number;
  /** Resolves after `millis`; rejects at once with the signal's reason when aborted. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>;
}

/** Longest delay of Node's timers, milliseconds: a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  async sleep(millis, signal) {
    try {
      const wait = Math.min(Math.max(0, millis), LONGEST_TIMER);
      await setTimeout(wait, undefined, signal === undefined ? {} : { signal });
    } catch {
      throw signal?.reason;
    }
  },
};

/** Waits `millis` while nothing else of this process runs. */
export function blockFor(millis: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);
}
