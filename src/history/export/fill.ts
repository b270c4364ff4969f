/** Fills what is missing of the list, newest first; saves each page before the next is asked for. */
import type { BadCards } from '../../api/bad-cards.ts';
import type { SignalPage } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import { isRejection, pages } from '../../api/pages.ts';
import { at, formatApiTime, parseApiTime } from '../../api/time.ts';
import type { ScreenerError } from '../../errors.ts';
import { DAY, MINUTE, SECOND } from '../../runtime/units.ts';
import { createdAt } from '../store/layout.ts';
import type { ExportSession } from './session.ts';
import { lookBack, newestGap, type Span, spansOf, storedSpans, without, withSpan } from './spans.ts';

/** Pages for older cards while outcomes wait: a third of a day's credits. */
export const OLDER_PAGES = LIMITS.creditsPerDay / 3;

const NEWEST = 30 * DAY;

/** Stays below thirty days when the service rounds it. */
const WINDOW = 30 * DAY - 5 * MINUTE;

const SILENCE = 89 * DAY;

/** Allows for a service that rounds the bounds of a window to the minute. */
const ROUNDING = MINUTE;

interface Window {
  readonly since: number;
  /** Undefined before the service has said what time it is. */
  readonly until: number | undefined;
}

/** `--since`, else where the list begins: epoch milliseconds UTC. */
function goalOf({ history, options }: Pick<ExportSession, 'history' | 'options'>): number {
  const { begins_at } = history.manifest;
  return options.since ?? (begins_at === null ? 0 : at(begins_at));
}

export function missing(session: Pick<ExportSession, 'history' | 'options'>): Span | undefined {
  return newestGap(session.history.manifest.spans, goalOf(session));
}

export function isListDone(session: ExportSession): boolean {
  const { spans, gaps } = session.history.manifest;
  return spans.length > 0 && gaps.length === 0 && missing(session) === undefined;
}

/** @returns false if the budget ended it */
export async function bringUpToDate(session: ExportSession): Promise<boolean> {
  const { clock } = session;
  const before = session.history.manifest;
  const due = lookBack(before.look, clock.now());
  if (due !== undefined) {
    session.coveredUntil = parseApiTime(before.spans[0]?.until ?? '') ?? 0;
    const late = { since: due.since, until: Number.POSITIVE_INFINITY };
    const spans = [...spansOf(before.gaps), late].reduce(without, before.spans);
    await session.savePage([], { spans, gaps: [], look: due.look });
  }
  const oldest = spansOf(before.spans).at(-1)?.since ?? Number.POSITIVE_INFINITY;
  return fillGaps(session, { enough: Math.min(oldest, clock.now() - NEWEST) });
}

/**
 * @param limits what is older than `enough`, epoch milliseconds UTC, can wait
 * @returns false if the budget, or `most` pages, ended it
 */
export async function fillGaps(session: ExportSession, limits: { enough?: number; most?: number }): Promise<boolean> {
  const { enough = 0, most = Number.POSITIVE_INFINITY } = limits;
  const last = session.counts.pages + most;
  const { until: start = 0 } = missing(session) ?? {};
  for (;;) {
    const window = nextWindow(session);
    if (window === undefined || (window.until ?? Number.POSITIVE_INFINITY) <= enough) return true;
    const isDone = await walkWindow(session, window, enough, last).catch((error) =>
      isRejection(error) ? shorten(session, window, error) : Promise.reject(error),
    );
    if (!isDone) return false;
    const rest = missing(session);
    if (rest?.since === 0 && Math.min(start, session.oldest) - rest.until >= SILENCE)
      await session.savePage([], { begins_at: formatApiTime(rest.until) });
  }
}

/** First what is new, to the service's time at its first page; then the newest gap. */
function nextWindow(session: ExportSession): Window | undefined {
  const [newest] = spansOf(session.history.manifest.spans);
  const { servedUntil: until } = session;
  const since = newest?.until ?? goalOf(session);
  const window = until === undefined || since < until ? { since, until } : missing(session);
  if (window === undefined || !session.asksShortWindows) return window;
  return { ...window, since: Math.max(window.since, (window.until ?? session.clock.now()) - WINDOW) };
}

/** A window that is refused is asked for 30 days at a time; refused even so, it becomes a gap. */
async function shorten(session: ExportSession, asked: Window, error?: ScreenerError): Promise<true> {
  if (!session.asksShortWindows && (asked.until ?? session.clock.now()) - asked.since > WINDOW) {
    session.notes.debug(`${error?.message ?? 'A window was cut short.'} Asking for 30 days at a time.`);
    session.asksShortWindows = true;
    return true;
  }
  const rest = nextWindow(session);
  if (rest?.until === undefined) throw error;
  if (error?.code === 'bad_answer') session.failure ??= error;
  if (rest.since === 0) {
    const begins_at = formatApiTime(rest.until);
    session.notes.note(`The service lists nothing before ${begins_at}.`);
    await session.savePage([], { begins_at });
    return true;
  }
  const { manifest } = session.history;
  const refused = { since: Math.max(rest.since, asked.since), until: rest.until };
  const gaps = [...manifest.gaps, ...storedSpans([refused])];
  await session.savePage([], { gaps, spans: withSpan(manifest.spans, refused) });
  return true;
}

/** Counts pages in another order than newest first only once the last is in. @returns false if the budget ended it */
async function walkWindow(session: ExportSession, window: Window, enough: number, last: number): Promise<boolean> {
  const { since } = window;
  let { until } = window;
  const before = session.history.manifest.spans;
  const from = {
    since: formatApiTime(Math.max(0, since - ROUNDING)),
    until: until === undefined ? undefined : formatApiTime(until + ROUNDING),
  };
  let reached = Number.POSITIVE_INFINITY;
  const isOver = () => reached <= enough || session.account.left().credits < 1 || session.counts.pages >= last;
  const wanted = () => (isOver() ? 0 : LIMITS.cardsPerPage);
  session.showProgress('Cards', session.counts.cards);
  for await (const { page, place, ended, bad } of pages(session.client, { from, wanted })) {
    session.counts.pages += 1;
    until ??= session.hear(page);
    const isCut = ended && at(page.since) > since;
    const isSorted = place.sorted !== false;
    reached = until;
    if (ended) reached = Math.max(since, isCut ? at(page.since) : since);
    else if (isSorted && place.oldest !== undefined) reached = Math.max(since, place.oldest);
    const gaps = momentsOf(bad, page).reduce(withSpan, session.history.manifest.gaps);
    const spans = withSpan(before, { since: Math.min(until, reached), until });
    await session.savePage(page.items, { spans, gaps });
    session.failure ??= bad;
    session.showProgress('Cards', session.counts.cards);
    if (isCut && reached >= until) return shorten(session, window);
    const isLong = until - since > WINDOW && !session.asksShortWindows;
    if (isCut || !isSorted) session.asksShortWindows = true;
    if (ended || (isLong && !isSorted)) return true;
  }
  return reached <= enough;
}

/** A bad card without a time may be from any moment of its page. */
function momentsOf(bad: BadCards | undefined, { items, since, until }: SignalPage): Span[] {
  const times = items.length === 0 ? [at(since), at(until)] : items.map(createdAt);
  const whole = { since: Math.min(...times), until: Math.max(...times) };
  return (bad?.times ?? []).map((time) => (time === undefined ? whole : { since: time, until: time + SECOND }));
}
