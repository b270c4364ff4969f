export interface Clock {
  now(): number;
  /** Resolves after `millis`; rejects at once with the signal's reason when aborted. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds: Node fires a longer timer at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  async sleep(millis, signal) {
    try {
      // Loaded by whoever waits: most command lines never do.
      const { setTimeout } = await import('node:timers/promises');
      const wait = Math.min(Math.max(0, millis), LONGEST_TIMER);
      await setTimeout(wait, undefined, signal === undefined ? {} : { signal });
    } catch {
      throw signal?.reason;
    }
  },
};

export function blockFor(millis: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);
}
