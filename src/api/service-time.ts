import type { Clock } from '../runtime/clock.ts';
import { DAY, MINUTE } from '../runtime/units.ts';
import type { SignalPage } from './contract/resources.ts';
import type { SignalsQuery } from './operations.ts';
import { parseApiTime } from './time.ts';

const SAME_CLOCK = 5 * MINUTE;
/** A service may round a page's end up to a day. */
const SAME_DAY = 2 * DAY;

/** The service's time, as the Date headers of its answers tell it. */
export class ServiceTime {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #clockIsOff: (ahead: number) => void;
  /** Milliseconds by which this machine's clock is ahead; undefined where no Date header is believed. */
  #ahead: number | undefined;
  #isDoubted = false;

  /** @param clockIsOff hears once by how many milliseconds this machine's clock is ahead, where that matters */
  constructor(clock: Pick<Clock, 'now'>, clockIsOff: (ahead: number) => void) {
    this.#clock = clock;
    this.#clockIsOff = clockIsOff;
  }

  get isKnown(): boolean {
    return this.#ahead !== undefined;
  }

  /** Epoch milliseconds UTC; this machine's time if the service's is unknown, or the same. */
  now(): number {
    const ahead = this.#ahead ?? 0;
    return this.#clock.now() - (isOff(ahead) ? ahead : 0);
  }

  learn(date: string | undefined, at: number): void {
    const served = this.#isDoubted ? Number.NaN : Date.parse(date ?? '');
    if (Number.isNaN(served)) return;
    const wasOff = isOff(this.#ahead ?? 0);
    this.#ahead = at - served;
    if (isOff(this.#ahead) && !wasOff) this.#clockIsOff(this.#ahead);
  }

  /** No Date header is believed once a page ends far from it, or has a card from after it. */
  compare({ until, items }: SignalPage, asked: SignalsQuery): void {
    if (this.#ahead === undefined) return;
    const served = this.#clock.now() - this.#ahead;
    const end = asked.until === undefined ? (parseApiTime(until) ?? served) : served;
    const newest = Math.max(...items.map(({ created_at }) => parseApiTime(created_at) ?? 0));
    if (Math.abs(end - served) <= SAME_DAY && newest - served <= SAME_DAY) return;
    this.#ahead = undefined;
    this.#isDoubted = true;
  }
}

function isOff(ahead: number): boolean {
  return Math.abs(ahead) > SAME_CLOCK;
}
