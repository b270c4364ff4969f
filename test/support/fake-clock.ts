import type { Clock } from '../../src/runtime/clock.ts';

/** A clock that only moves when told to. Sleepers wake in the order of their times, and what they cause is done first. */
export class FakeClock implements Clock {
  wall = Date.UTC(2026, 10, 20, 12);
  #elapsed = 0;
  #timers = new Set<{ readonly at: number; readonly wake: () => void }>();

  now = () => this.wall;

  sleep = (millis: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => this.#timers.delete(timer) && reject(signal?.reason);
      const wake = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const timer = { at: this.#elapsed + Math.max(0, millis), wake };
      this.#timers.add(timer);
      signal?.addEventListener('abort', stop);
    });

  /** Sets the wall clock, as an administrator would; time itself does not move. */
  set(wall: number): void {
    this.wall = wall;
  }

  /** As if it were new: nobody sleeps any more. */
  restart(wall: number): void {
    this.wall = wall;
    this.#timers.clear();
  }

  /** How many sleep. */
  get sleepers(): number {
    return this.#timers.size;
  }

  async advance(millis: number): Promise<void> {
    const end = this.#elapsed + millis;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      const moved = Math.max(0, (next?.at ?? end) - this.#elapsed);
      this.wall += moved;
      this.#elapsed += moved;
      if (next === undefined) return;
      this.#timers.delete(next);
      next.wake();
    }
  }
}

/** Lets every promise that can settle do so. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
