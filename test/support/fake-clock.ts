import type { Clock } from '../../src/runtime/clock.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** A clock that only moves when told to. Timers fire in the order of their times, and everything they cause is done first. */
export class FakeClock implements Clock {
  wall: number;
  #elapsed = 0;
  #timers: Timer[] = [];

  constructor(start = Date.UTC(2026, 10, 20, 12)) {
    this.wall = start;
  }

  now = () => this.wall;

  sleep = (millis: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = () => {
        this.#drop(timer);
        reject(signal?.reason);
      };
      const fire = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const timer = { at: this.#elapsed + Math.max(0, millis), fire };
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
    const end = this.#elapsed + millis;
    for (;;) {
      await settled();
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      this.#move(next?.at ?? end);
      if (next === undefined) return;
      this.#drop(next);
      next.fire();
    }
  }

  #drop(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  #move(to: number): void {
    this.wall += Math.max(0, to - this.#elapsed);
    this.#elapsed = Math.max(this.#elapsed, to);
  }
}

/** Lets every promise that can settle do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
