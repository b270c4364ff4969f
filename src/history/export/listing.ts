/** What a run learns of the list: fills what is missing, newest first; saves each page before the next is asked for. */
import type { SignalPage } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import { type BadCards, pages, refusesWindow } from '../../api/pages.ts';
import { at, formatApiTime, parseApiTime } from '../../api/time.ts';
import type { ScreenerError } from '../../errors.ts';
import { DAY, MINUTE, SECOND } from '../../runtime/units.ts';
import { createdAt, monthOf, type StoredCard } from '../store/layout.ts';
import type { Coverage, Gap } from '../store/manifest.ts';
import type { Session } from './session.ts';
import {
  dueGaps,
  goalOf,
  lookBack,
  newestGap,
  overlaps,
  type Span,
  spansOf,
  without,
  withSpan,
} from './spans.ts';

/** Pages for older cards while outcomes wait: a third of a day's credits. */
export const OLDER_PAGES = LIMITS.creditsPerDay / 3;

const NEWEST = 30 * DAY;

/** Windows for a service that refuses longer ones; each stays below whole days when the service rounds it. */
const WIDTHS = [30 * DAY - 5 * MINUTE, 7 * DAY - 5 * MINUTE] as const;

const SILENCE = 89 * DAY;

/** Allows for a service that rounds the bounds of a window to the minute. */
const ROUNDING = MINUTE;

/** Allows for a card that is listed a moment after its `created_at`. */
const PUNCTUAL = 10 * MINUTE;

/** Without an end before the service has said what time it is. */
type Window = Pick<Span, 'since'> & { readonly until: number | undefined };

export class Listing {
  pages = 0;
  /** Why parts of the list are missing that the service had to give. */
  failure: ScreenerError | undefined;
  readonly #session: Session;
  #cards = 0;
  /** Of the longest window to ask for, milliseconds. */
  #width = Number.POSITIVE_INFINITY;
  #again: readonly Gap[] = [];
  /** Where the list ended when this run first asked for it. */
  #servedUntil: number | undefined;
  #oldest = Number.POSITIVE_INFINITY;
  /** Up to when the list was here before a look back, epoch milliseconds UTC. */
  #coveredUntil = Number.NEGATIVE_INFINITY;

  constructor(session: Session) {
    this.#session = session;
  }

  get #coverage(): Coverage {
    return this.#session.history.manifest;
  }

  get missing(): Span | undefined {
    return newestGap(this.#coverage, this.#session.options.since);
  }

  get isDone(): boolean {
    const { spans, gaps } = this.#coverage;
    return spans.length > 0 && gaps.length === 0 && this.missing === undefined;
  }

  /** @returns false if the budget ended it */
  async bringUpToDate(): Promise<boolean> {
    const now = this.#session.client.now();
    const before = this.#coverage;
    const due = lookBack(before.look, now);
    const late = { since: due?.since ?? now, until: Number.POSITIVE_INFINITY };
    this.#again = dueGaps(before.gaps, now, late);
    if (due !== undefined) this.#coveredUntil = parseApiTime(before.spans[0]?.until ?? '') ?? 0;
    if (due !== undefined || this.#again.length > 0) {
      const spans = [...spansOf(this.#again), ...(due === undefined ? [] : [late])].reduce(
        without,
        before.spans,
      );
      const gaps = before.gaps.filter((gap) => !this.#again.includes(gap));
      await this.#save([], { spans, gaps, look: due?.look ?? before.look });
    }
    const oldest = spansOf(before.spans).at(-1)?.since ?? Number.POSITIVE_INFINITY;
    return this.fillGaps({ stopAt: Math.min(oldest, now - NEWEST) });
  }

  /** @param limits what is older than `stopAt` can wait @returns false if the budget, or `most` pages, ended it */
  async fillGaps({ stopAt = 0, most = Number.POSITIVE_INFINITY }): Promise<boolean> {
    const pageLimit = this.pages + most;
    const { until: start = 0 } = this.missing ?? {};
    for (;;) {
      const window = this.#nextWindow();
      if (window === undefined || (window.until ?? Number.POSITIVE_INFINITY) <= stopAt) return true;
      const isDone = await this.#walkWindow(window, stopAt, pageLimit).catch((error) =>
        refusesWindow(error) ? this.#narrowWindow(window, error) : Promise.reject(error),
      );
      if (!isDone) return false;
      const rest = this.missing;
      const isSilent = rest?.since === 0 && Math.min(start, this.#oldest) - rest.until >= SILENCE;
      if (isSilent) await this.#save([], { begins_at: formatApiTime(rest.until) });
    }
  }

  /** First what is new, to the service's time at its first page; then the newest gap. */
  #nextWindow(): Window | undefined {
    const [newest] = spansOf(this.#coverage.spans);
    const until = this.#servedUntil;
    const since = newest?.until ?? goalOf(this.#coverage, this.#session.options.since);
    const window = until === undefined || since < until ? { since, until } : this.missing;
    if (window === undefined) return undefined;
    const end = window.until ?? this.#session.client.now();
    return { since: Math.max(window.since, end - this.#width), until: window.until };
  }

  /** Refused even so, or cut to nothing, the list begins there if it is behind all that is here, else it is a gap. */
  async #narrowWindow(asked: Window, error?: ScreenerError): Promise<true> {
    const { client, notes } = this.#session;
    const length = (asked.until ?? client.now()) - asked.since;
    const width = WIDTHS.find((one) => one < this.#width && one < length);
    if (error !== undefined && width !== undefined) {
      notes.debug(`${error.message} Asking for ${Math.round(width / DAY)} days at a time.`);
      this.#width = width;
      return true;
    }
    const rest = this.#nextWindow();
    if (rest?.until === undefined) throw error;
    if (error?.code === 'bad_answer') this.failure ??= error;
    const { until } = rest;
    const oldest = spansOf(this.#coverage.spans).at(-1);
    if (oldest !== undefined && oldest.since >= until) {
      const begins_at = formatApiTime(until);
      notes.note(`The service lists nothing before ${begins_at}.`);
      await this.#save([], { begins_at, refuses_older: true });
      return true;
    }
    const refused = { since: Math.max(rest.since, asked.since), until };
    await this.#save([], {
      gaps: this.#withGap(refused),
      spans: withSpan(this.#coverage.spans, refused),
    });
    return true;
  }

  /** One entry for what a page, or a window, lacks: each is asked for again by itself. */
  #withGap(lack: Span): Gap[] {
    const times =
      1 + Math.max(0, ...this.#again.filter((gap) => overlaps(gap, lack)).map((gap) => gap.times));
    const apart = this.#coverage.gaps.filter(
      (gap) => at(gap.since) < lack.since || at(gap.until) > lack.until,
    );
    const asked = formatApiTime(this.#session.client.now());
    return [
      ...apart,
      { since: formatApiTime(lack.since), until: formatApiTime(lack.until), times, at: asked },
    ];
  }

  /** Counts pages in another order than newest first only once the last is in. @returns false if a limit ended it */
  async #walkWindow(window: Window, stopAt: number, pageLimit: number): Promise<boolean> {
    const { client, account, bar } = this.#session;
    const { since } = window;
    let { until } = window;
    const before = this.#coverage.spans;
    const from = {
      since: formatApiTime(Math.max(0, since - ROUNDING)),
      until:
        until === undefined
          ? undefined
          : formatApiTime(Math.min(until + ROUNDING, this.#servedUntil ?? until)),
    };
    let reached = Number.POSITIVE_INFINITY;
    const isOver = () => reached <= stopAt || account.left().credits < 1 || this.pages >= pageLimit;
    const wanted = () => (isOver() ? 0 : LIMITS.cardsPerPage);
    bar.show('Cards', this.#cards);
    for await (const { page, place, ended, bad } of pages(client, { from, wanted })) {
      this.pages += 1;
      // The end of a page may lie beyond now.
      this.#servedUntil ??= Math.min(at(page.until), client.now());
      until ??= this.#servedUntil;
      const isCut = ended && at(page.since) > since;
      const isSorted = place.sorted !== false;
      const oldest = isSorted ? place.oldest : undefined;
      reached = Math.min(until, Math.max(since, ended ? at(page.since) : (oldest ?? until)));
      const lack = bad && lackOf(bad, page, { since, until });
      const gaps = lack ? this.#withGap(lack) : this.#coverage.gaps;
      await this.#save(page.items, { spans: withSpan(before, { since: reached, until }), gaps });
      this.failure ??= bad;
      bar.show('Cards', this.#cards);
      if (isCut && reached >= until) return this.#narrowWindow(window);
      const isLong = until - since > WIDTHS[0];
      if (isCut || !isSorted) this.#width = Math.min(this.#width, WIDTHS[0]);
      if (ended || (isLong && !isSorted)) return true;
    }
    return reached <= stopAt;
  }

  async #save(items: readonly StoredCard[], changes: Partial<Coverage>): Promise<void> {
    const { history } = this.#session;
    let { look } = { ...this.#coverage, ...changes };
    for (const card of items) {
      const by = this.#coveredUntil - createdAt(card);
      const { cards } = await history.months.open(monthOf(createdAt(card)));
      if (look === null || by <= PUNCTUAL || cards.has(card.id)) continue;
      look = { ...look, late_at: look.at, late_by: Math.max(look.late_by, by) };
    }
    await history.savePage(items, { ...changes, look });
    this.#cards += items.length;
    this.#oldest = Math.min(this.#oldest, ...items.map(createdAt));
  }
}

/** From the first to the last bad card of a page: one without a time may lie anywhere in it. */
function lackOf(
  bad: BadCards,
  { items, since, until }: SignalPage,
  window: Span,
): Span | undefined {
  const ofPage = items.length === 0 ? [at(since), at(until)] : items.map(createdAt);
  const times = bad.times.flatMap((time) => time ?? ofPage);
  const lack = { since: Math.min(...times), until: Math.max(...times) + SECOND };
  const within = {
    since: Math.max(lack.since, window.since),
    until: Math.min(lack.until, window.until),
  };
  return within.since < within.until ? within : undefined;
}
