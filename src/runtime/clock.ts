export interface Clock {
  /** Epoch milliseconds UTC. */
  now(): number;
  /** Resolves after `millis`, or 24.8 days if that is less. Rejects with the signal's reason once it is aborted. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds: a longer timer of Node fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  async sleep(millis, signal) {
    try {
      // Loaded here, because most command lines never wait.
      const { setTimeout } = await import('node:timers/promises');
      const wait = Math.min(Math.max(0, millis), LONGEST_TIMER);
      await setTimeout(wait, undefined, signal === undefined ? {} : { signal });
    } catch {
      throw signal?.reason;
    }
  },
};

/** Stops the whole process for so long: no timer fires, and no signal is heard. */
export function blockFor(millis: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);
}
