import type { Clock } from '../runtime/clock.ts';
import { DAY, durationInWords, MINUTE } from '../runtime/units.ts';
import type { SignalPage } from './contract/resources.ts';
import type { SignalsQuery } from './operations.ts';
import { at } from './time.ts';

const SAME_CLOCK = 5 * MINUTE;
/** A service may round a page's end up to a day. */
const SAME_DAY = 2 * DAY;

const isOff = (ahead: number) => Math.abs(ahead) > SAME_CLOCK;

/** The service's time, as the Date headers of its answers tell it; without them, as its pages do. */
export class ServiceTime {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #warn: (text: string) => void;
  /** Milliseconds by which this machine's clock is ahead, by the last Date header that is believed. */
  #ahead: number | undefined;
  /** The same, by the last page that told the time itself, or agreed with the header. */
  #listed: number | undefined;
  /** Milliseconds by which this machine's clock is behind the end of a page up to now: 0 at least. */
  #behindPage = 0;
  /** Time of the newest card, epoch milliseconds UTC. */
  #newest = 0;

  constructor(clock: Pick<Clock, 'now'>, warn: (text: string) => void) {
    this.#clock = clock;
    this.#warn = warn;
  }

  /**
   * Epoch milliseconds UTC; this machine's time if the service's is unknown, or the same. Never after the newest of this
   * machine's time and the end of a page: a Date header alone may be years off.
   */
  now(): number {
    const told = this.#ahead ?? Math.max(0, this.#listed ?? 0);
    const ahead = Math.max(told, -this.#behindPage);
    return this.#clock.now() - (isOff(ahead) ? ahead : 0);
  }

  learn(date: string | undefined, now: number): void {
    const ahead = now - Date.parse(date ?? '');
    if (Number.isNaN(ahead) || this.#isContradicted(ahead, now)) return;
    if (isOff(ahead) && !isOff(this.#ahead ?? 0)) {
      const far = `${durationInWords(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'}`;
      this.#warn(`This machine's clock is ${far} the service's, whose time counts.`);
    }
    this.#ahead = ahead;
  }

  /** No Date header is believed that is far from where a page ends, or from before its newest card. */
  compare({ until, items }: SignalPage, query: SignalsQuery): void {
    const now = this.#clock.now();
    this.#newest = Math.max(this.#newest, ...items.map(({ created_at }) => at(created_at)));
    // A list's first page may end beyond now; later ones have no newest card.
    const isUpToNow = query.until === undefined && query.cursor === undefined;
    if (isUpToNow) {
      this.#listed = now - Math.max(at(until), this.#newest);
      this.#behindPage = Math.max(0, at(until) - now);
    }
    if (this.#ahead !== undefined && this.#isContradicted(this.#ahead, now))
      this.#ahead = undefined;
    this.#listed ??= this.#ahead;
  }

  #isContradicted(ahead: number, now: number): boolean {
    return (
      Math.abs(ahead - (this.#listed ?? ahead)) > SAME_DAY ||
      this.#newest - (now - ahead) > SAME_DAY
    );
  }
}
