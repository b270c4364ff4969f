import type { Clock } from '../runtime/clock.ts';
import { DAY, MINUTE } from '../runtime/units.ts';
import type { SignalPage } from './contract/resources.ts';
import type { SignalsQuery } from './operations.ts';
import { parseApiTime } from './time.ts';

const SAME_CLOCK = 5 * MINUTE;
/** A service may round a page's end up to a day. */
const SAME_DAY = 2 * DAY;

/** The service's time, as the Date headers of its answers tell it; without them, as its pages do. */
export class ServiceTime {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #clockIsOff: (ahead: number) => void;
  /** Milliseconds by which this machine's clock is ahead; undefined where no Date header is believed. */
  #ahead: number | undefined;
  /** The same, by the last page that told the time itself, or agreed with the header. */
  #listed: number | undefined;
  #isDoubted = false;

  /** @param clockIsOff hears once by how many milliseconds this machine's clock is ahead, where that matters */
  constructor(clock: Pick<Clock, 'now'>, clockIsOff: (ahead: number) => void) {
    this.#clock = clock;
    this.#clockIsOff = clockIsOff;
  }

  /** Epoch milliseconds UTC; this machine's time if the service's is unknown, or the same. */
  now(): number {
    const ahead = this.#ahead ?? this.#listed ?? 0;
    return this.#clock.now() - (isOff(ahead) ? ahead : 0);
  }

  /** @param isPage whether the answer is a page, whose own time is compared with the header */
  learn(date: string | undefined, at: number, isPage = false): void {
    const served = this.#isDoubted ? Number.NaN : Date.parse(date ?? '');
    if (Number.isNaN(served)) return;
    // The headers of one operation may be wrong.
    if (!isPage && this.#listed !== undefined && Math.abs(at - served - this.#listed) > SAME_DAY) return;
    const wasOff = isOff(this.#ahead ?? 0);
    this.#ahead = at - served;
    if (isOff(this.#ahead) && !wasOff) this.#clockIsOff(this.#ahead);
  }

  /** No Date header is believed once a page ends far from it, or has a card from after it. */
  compare({ until, items }: SignalPage, query: SignalsQuery): void {
    const now = this.#clock.now();
    const end = query.until === undefined ? parseApiTime(until) : undefined;
    const newest = Math.max(...items.map(({ created_at }) => parseApiTime(created_at) ?? 0));
    if (this.#ahead !== undefined) {
      const served = now - this.#ahead;
      const isRight = Math.abs((end ?? served) - served) <= SAME_DAY && newest - served <= SAME_DAY;
      if (isRight) this.#listed = this.#ahead;
      if (isRight) return;
      this.#ahead = undefined;
      this.#isDoubted = true;
    }
    // A list's first page may end beyond now; later ones have no newest card.
    if (end !== undefined && query.cursor === undefined) this.#listed = Math.max(0, now - Math.max(end, newest));
  }
}

function isOff(ahead: number): boolean {
  return Math.abs(ahead) > SAME_CLOCK;
}
