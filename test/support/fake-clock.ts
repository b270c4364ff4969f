import type { Clock } from '../../src/runtime/clock.ts';

/** A clock that only moves when told to. Timers fire in the order of their times, and everything they cause is done first. */
export class FakeClock implements Clock {
  wall: number;
  #mono = 0;
  #serial = 0;
  #timers: { at: number; serial: number; fire: () => void }[] = [];

  constructor(start = Date.UTC(2026, 10, 20, 12)) {
    this.wall = start;
  }

  now = () => this.wall;

  sleep = (millis: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      this.#serial += 1;
      const onAbort = () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
        reject(signal?.reason);
      };
      const fire = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const timer = { at: this.#mono + Math.max(0, millis), serial: this.#serial, fire };
      this.#timers.push(timer);
      signal?.addEventListener('abort', onAbort);
    });

  /** Sets the wall clock, as an administrator would; time itself does not move. */
  set(wall: number): void {
    this.wall = wall;
  }

  /** As if it were new: nobody sleeps any more. */
  restart(wall: number): void {
    this.wall = wall;
    this.#timers = [];
  }

  /** How many sleep. */
  get sleepers(): number {
    return this.#timers.length;
  }

  async advance(millis: number): Promise<void> {
    const end = this.#mono + millis;
    await settled();
    for (;;) {
      const next = this.#timers
        .filter((timer) => timer.at <= end)
        .sort((a, b) => a.at - b.at || a.serial - b.serial)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#move(next.at);
      next.fire();
      await settled();
    }
    this.#move(end);
  }

  #move(to: number): void {
    this.wall += Math.max(0, to - this.#mono);
    this.#mono = Math.max(this.#mono, to);
  }
}

/** Lets every promise that can settle do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
