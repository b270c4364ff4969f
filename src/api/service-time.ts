/** What time it is where the service is. */
import { DAY, durationInWords, MINUTE } from '../base/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { SignalPage } from './contract/resources.ts';
import type { SignalsQuery } from './operations.ts';
import { at } from './time.ts';

/** Milliseconds: two clocks that differ by at most this are taken for the same. */
const SAME_CLOCK = 5 * MINUTE;
/** Milliseconds: a service may round the end of a page to the day. */
const SAME_DAY = 2 * DAY;

/**
 * The service's time, as the Date headers of its answers tell it; without such headers, as its pages of cards do. A proxy may
 * send a wrong Date. Therefore a header is not believed if it is more than two days from the time of a page, or more than two
 * days before the newest card. Until the first page, it is not believed if it is more than two days from this machine's time.
 *
 * Only a page that reaches up to now has a time: its end, or the time of the newest card if that is later.
 *
 * Each difference in this class is this machine's time minus the service's, in milliseconds: it is positive if this
 * machine's clock is ahead, and negative if it is behind.
 */
export class ServiceTime {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #warn: (text: string) => void;
  /** The difference by the last Date header, of those that pages do not contradict; undefined if there is none. */
  #byHeader: number | undefined;
  /** The difference by the time of the last page that reached up to now; undefined before the first one. */
  #byPage: number | undefined;
  /** This machine's time minus the end of that page, if that difference is negative; otherwise 0. */
  #behindPage = 0;
  /** When the newest card of all pages was recorded, epoch milliseconds UTC. */
  #newestCard = 0;

  constructor(clock: Pick<Clock, 'now'>, warn: (text: string) => void) {
    this.#clock = clock;
    this.#warn = warn;
  }

  /**
   * Epoch milliseconds UTC. It is this machine's time if the service's is unknown, or within five minutes of it. A Date header
   * may be years off. Therefore the result is at most the later of two times: this machine's, and the end of the last page.
   */
  now(): number {
    // Without a header, a page that ends in the past shows that this machine is ahead. A page that ends in the future shows nothing,
    // because a service may round the end up.
    const difference = this.#believedHeader() ?? Math.max(0, this.#byPage ?? 0);
    // If the page ends two minutes after this machine's time, the service is ahead by at most two minutes, whatever a header says.
    const bounded = Math.max(difference, this.#behindPage);
    const correction = areSame(bounded) ? 0 : bounded;
    return this.#clock.now() - correction;
  }

  /**
   * The time by the last Date header that pages do not contradict, epoch milliseconds UTC; undefined if there is none. Unlike `now`,
   * it may be years off: use it only for what can be undone.
   */
  dateHeaderTime(): number | undefined {
    return this.#byHeader === undefined ? undefined : this.#clock.now() - this.#byHeader;
  }

  /** @param date the Date header of an answer, if it had one @param now this machine's time, epoch milliseconds UTC */
  learnFromHeader(date: string | undefined, now: number): void {
    const difference = now - Date.parse(date ?? '');
    if (Number.isNaN(difference) || this.#isContradicted(difference, now)) return;
    const wereSame = areSame(this.#byHeader ?? 0);
    this.#byHeader = difference;
    if (wereSame && !areSame(difference)) this.#warn(this.#differenceInWords(difference));
  }

  /** Learns from a page, and forgets a header that the page contradicts. @param query the parameters of its request */
  learnFromCards({ until, items }: SignalPage, query: SignalsQuery): void {
    const now = this.#clock.now();
    const cardTimes = items
      .map(({ created_at }) => at(created_at))
      // A card from the future says nothing of the present time.
      .filter((time) => time <= Math.max(now, at(until)) + SAME_DAY);
    this.#newestCard = Math.max(this.#newestCard, ...cardTimes);
    // The list reaches up to now if its request has no `until`. Without a cursor it is the first page, which has the newest cards.
    const isUpToNow = query.until === undefined && query.cursor === undefined;
    if (isUpToNow) {
      const end = at(until);
      const timeOfPage = Math.max(end, this.#newestCard);
      this.#byPage = now - timeOfPage;
      this.#behindPage = Math.min(0, now - end);
    }
    const header = this.#byHeader;
    if (header !== undefined && this.#isContradicted(header, now)) this.#byHeader = undefined;
  }

  /** The difference by the Date header; undefined if there is no header, or if the header is doubtful. */
  #believedHeader(): number | undefined {
    const header = this.#byHeader;
    return header === undefined || this.#isDoubtful(header) ? undefined : header;
  }

  /** Whether a header is far from this machine's time, and no page up to now has shown yet which of the two is right. */
  #isDoubtful(byHeader: number): boolean {
    return this.#byPage === undefined && Math.abs(byHeader) > SAME_DAY;
  }

  /** Whether a header is far from the time of the last page up to now, or far before the newest card. */
  #isContradicted(byHeader: number, now: number): boolean {
    const isFarFromPage =
      this.#byPage !== undefined && Math.abs(byHeader - this.#byPage) > SAME_DAY;
    const serviceTime = now - byHeader;
    const isBeforeNewestCard = this.#newestCard - serviceTime > SAME_DAY;
    return isFarFromPage || isBeforeNewestCard;
  }

  #differenceInWords(byHeader: number): string {
    const direction = byHeader > 0 ? 'ahead of' : 'behind';
    const distance = durationInWords(Math.abs(byHeader));
    const difference = `This machine's clock is ${distance} ${direction} the service's`;
    if (!this.#isDoubtful(byHeader)) return `${difference}, whose time counts.`;
    return `${difference}. Until a page of cards shows which is right, this machine's counts.`;
  }
}

/** Whether two clocks with this difference, in milliseconds, are taken for the same. */
function areSame(difference: number): boolean {
  return Math.abs(difference) <= SAME_CLOCK;
}
