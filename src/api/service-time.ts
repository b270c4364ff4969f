import { DAY, durationInWords, MINUTE } from '../base/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { SignalPage } from './contract/resources.ts';
import type { SignalsQuery } from './operations.ts';
import { at } from './time.ts';

/** Milliseconds: clocks that differ by no more are taken for the same. */
const SAME_CLOCK = 5 * MINUTE;
/** Milliseconds: a service may round a page's end to the day. */
const SAME_DAY = 2 * DAY;

/** @param ahead milliseconds by which one clock is ahead of another, or behind it if negative */
function isOff(ahead: number): boolean {
  return Math.abs(ahead) > SAME_CLOCK;
}

/**
 * The service's time, as the Date headers of its answers tell it; without them, as its pages do. No header is believed
 * that is far from where a page ends, or from before its newest card. All differences are in milliseconds, by which this
 * machine's clock is ahead; negative ones say that it is behind.
 */
export class ServiceTime {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #warn: (text: string) => void;
  /** How far ahead this machine is by the last Date header that is believed. */
  #aheadOfHeader: number | undefined;
  /** The same by the last page up to now, or else by the first header that a page did not contradict. */
  #aheadOfPage: number | undefined;
  /** The same by the end of that page, if this machine is behind it: 0 or less. */
  #behindPage = 0;
  /** Time of the newest card, epoch milliseconds UTC. */
  #newestCard = 0;

  constructor(clock: Pick<Clock, 'now'>, warn: (text: string) => void) {
    this.#clock = clock;
    this.#warn = warn;
  }

  /**
   * Epoch milliseconds UTC; this machine's time if the service's is unknown, or the same. Never after the newest of this
   * machine's time and the end of a page: a Date header alone may be years off.
   */
  now(): number {
    // A page may end beyond now: if pages alone say that this machine is behind, they are not believed.
    const ahead = this.#aheadOfHeader ?? Math.max(0, this.#aheadOfPage ?? 0);
    const bounded = Math.max(ahead, this.#behindPage);
    const difference = isOff(bounded) ? bounded : 0;
    return this.#clock.now() - difference;
  }

  /** @param date a Date header, if there was one @param now this machine's time, epoch milliseconds UTC */
  learn(date: string | undefined, now: number): void {
    const ahead = now - Date.parse(date ?? '');
    if (Number.isNaN(ahead) || this.#isContradicted(ahead, now)) return;
    const wasOff = isOff(this.#aheadOfHeader ?? 0);
    if (isOff(ahead) && !wasOff) {
      const direction = ahead > 0 ? 'ahead of' : 'behind';
      const distance = durationInWords(Math.abs(ahead));
      this.#warn(
        `This machine's clock is ${distance} ${direction} the service's, whose time counts.`,
      );
    }
    this.#aheadOfHeader = ahead;
  }

  /** Learns from a page, and forgets a header that it contradicts. @param query what it was asked for with */
  compare({ until, items }: SignalPage, query: SignalsQuery): void {
    const now = this.#clock.now();
    const cardTimes = items
      .map(({ created_at }) => at(created_at))
      // A card from the future tells no time.
      .filter((time) => time <= Math.max(now, at(until)) + SAME_DAY);
    this.#newestCard = Math.max(this.#newestCard, ...cardTimes);
    // A list's first page may end beyond now; later ones have no newest card.
    const isUpToNow = query.until === undefined && query.cursor === undefined;
    if (isUpToNow) {
      this.#aheadOfPage = now - Math.max(at(until), this.#newestCard);
      this.#behindPage = Math.min(0, now - at(until));
    }
    const header = this.#aheadOfHeader;
    if (header !== undefined && this.#isContradicted(header, now)) this.#aheadOfHeader = undefined;
    this.#aheadOfPage ??= this.#aheadOfHeader;
  }

  /** Whether pages say otherwise. @param ahead by a Date header */
  #isContradicted(ahead: number, now: number): boolean {
    const fromPage = ahead - (this.#aheadOfPage ?? ahead);
    const serviceTime = now - ahead;
    const isBeforeNewestCard = this.#newestCard - serviceTime > SAME_DAY;
    return Math.abs(fromPage) > SAME_DAY || isBeforeNewestCard;
  }
}
