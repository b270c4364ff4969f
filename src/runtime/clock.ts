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
  sleep: (millis, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(Math.max(0, millis), LONGEST_TIMER),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};
