/** The time, and waiting. */

export interface Clock {
  /** Epoch milliseconds UTC. */
  now(): number;
  /** Resolves after `millis`, at most `LONGEST_TIMER`. If the signal is aborted, rejects with its reason. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>;
}

/** The longest timer of Node, milliseconds (24.8 days): a longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  async sleep(millis, signal) {
    try {
      // Loaded only here, because most commands never wait.
      const { setTimeout } = await import('node:timers/promises');
      const wait = Math.min(Math.max(0, millis), LONGEST_TIMER);
      await setTimeout(wait, undefined, signal === undefined ? {} : { signal });
    } catch {
      // `setTimeout` rejects only if the signal is aborted.
      throw signal?.reason;
    }
  },
};

/** Stops the whole process for some time: no timer fires, and no signal is heard. */
export function blockFor(millis: number): void {
  // Waits for a change of a value that nobody can change.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);
}
