/** Fills what is missing of the list, newest first; saves each page before the next is asked for. */
import type { BadCards } from '../../api/bad-cards.ts';
import type { SignalPage } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import { isRejection, pages } from '../../api/pages.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, MINUTE, SECOND } from '../../runtime/units.ts';
import type { JournalCards } from '../store/journal.ts';
import { createdAt, monthOf } from '../store/layout.ts';
import type { ExportSession } from './session.ts';
import { firstLook, lookBack, newestGap, type Span, spansOf, storedSpans, without, withSpan } from './spans.ts';

const NEWEST = 30 * DAY;

/** Stays below thirty days when the service rounds it. */
const WINDOW = 30 * DAY - 5 * MINUTE;

const SILENCE = 89 * DAY;

/** Allows for a service that rounds the bounds of a window to the minute. */
const ROUNDING = MINUTE;

/** Allows for a card that is listed a moment after its `created_at`. */
const PUNCTUAL = 10 * MINUTE;

/** `--since`, else where the list begins: epoch milliseconds UTC. */
export function goalOf({ coverage: { begins_at }, options: { since } }: ExportSession): number {
  return since ?? (begins_at === null ? 0 : at(begins_at));
}

export function isListDone(session: ExportSession): boolean {
  const { spans, gaps } = session.coverage;
  return spans.length > 0 && gaps.length === 0 && newestGap(spans, goalOf(session)) === undefined;
}

/**
 * @returns false if the budget ended it
 * @throws ScreenerError of the client or the disk; bad_answer if pages lead nowhere
 */
export async function bringUpToDate(session: ExportSession): Promise<boolean> {
  const { clock, history } = session;
  const before = session.coverage;
  const known = history.journal.cards();
  const from = history.journal.entries.length;
  const due = lookBack(before.look, clock.now());
  if (due !== undefined) {
    const late = { since: due.since, until: Number.POSITIVE_INFINITY };
    const spans = [...spansOf(before.gaps), late].reduce(without, before.spans);
    await session.savePage([], { ...before, spans, gaps: [], look: due.look });
  }
  const goal = goalOf(session);
  const [newest] = spansOf(session.coverage.spans);
  const window = { since: newest?.until ?? goal, until: undefined, enough: clock.now() - NEWEST };
  if (!(await fillWindow(session, window))) return false;
  const oldest = spansOf(before.spans).at(-1)?.since ?? Number.POSITIVE_INFINITY;
  const isDone = await fillGaps(session, { enough: Math.min(oldest, clock.now() - NEWEST) });
  if (due !== undefined) await keepLateness(session, { until: at(before.spans[0]?.until ?? ''), from, known });
  return isDone;
}

interface Limits {
  readonly enough?: number;
  readonly most?: number;
}

/** @returns false if the budget, or `most` pages, ended it */
export async function fillGaps(session: ExportSession, { enough = 0, most = Number.POSITIVE_INFINITY }: Limits) {
  const since = goalOf(session);
  const last = session.counts.pages + most;
  const { until: start = 0 } = newestGap(session.coverage.spans, since) ?? {};
  for (;;) {
    const gap = newestGap(session.coverage.spans, since);
    if (gap === undefined || gap.until <= enough) return true;
    if (!(await fillWindow(session, { ...gap, enough }, last))) return false;
    const rest = newestGap(session.coverage.spans, since);
    if (rest?.since === 0 && Math.min(start, session.oldest) - rest.until >= SILENCE) {
      await beginAt(session, rest.until);
      return true;
    }
  }
}

async function beginAt(session: ExportSession, time: number): Promise<void> {
  await session.savePage([], { ...session.coverage, begins_at: formatApiTime(time) });
}

/** Ends now, by the service's clock, if it has no `until`. */
interface Window {
  readonly since: number;
  readonly until: number | undefined;
  readonly enough?: number;
}

/**
 * Fills one window. What the service does not give of it becomes a gap.
 * @param last pages of this run after which it ends
 */
async function fillWindow(session: ExportSession, window: Window, last = Number.POSITIVE_INFINITY): Promise<boolean> {
  const end = window.until ?? session.clock.now();
  const isLong = end - window.since > WINDOW;
  if (isLong && session.asksShortWindows) return fillWindow(session, { ...window, since: end - WINDOW }, last);
  const [newest] = session.coverage.spans;
  try {
    const isDone = await walkWindow(session, window, last, isLong);
    return isDone === 'too long' ? await fillWindow(session, window, last) : isDone;
  } catch (error) {
    if (!isRejection(error)) throw error;
    if (isLong && !session.asksShortWindows) {
      session.notes.debug(`${error.message} Asking for 30 days at a time.`);
      session.asksShortWindows = true;
      return fillWindow(session, window, last);
    }
    const rest = newestGap(session.coverage.spans, window.since);
    const gaveNothing = window.until === undefined && session.coverage.spans[0]?.until === newest?.until;
    if (rest === undefined || gaveNothing) throw error;
    await giveUp(session, rest);
    if (error.code === 'bad_answer') session.failLater(error);
    return true;
  }
}

/** Counts pages in another order than newest first only once the window's last one is in. */
async function walkWindow(
  session: ExportSession,
  { since, until: end, enough = 0 }: Window,
  last: number,
  isLong: boolean,
): Promise<boolean | 'too long'> {
  const before = session.coverage.spans;
  let until = end;
  let reached = Number.POSITIVE_INFINITY;
  const from = {
    since: formatApiTime(Math.max(0, since - ROUNDING)),
    until: until === undefined ? undefined : formatApiTime(until + ROUNDING),
  };
  const isOver = () => reached <= enough || session.account.left().credits < 1 || session.counts.pages >= last;
  const wanted = () => (isOver() ? 0 : LIMITS.cardsPerPage);
  session.showProgress('Cards', session.counts.cards);
  for await (const { page, place, ended, bad } of pages(session.client, { from, wanted })) {
    session.counts.pages += 1;
    session.requests += 1;
    until ??= session.servedUntil(page);
    const isCut = ended && at(page.since) > since;
    reached = until;
    if (ended) reached = isCut ? at(page.since) : since;
    else if (place.sorted && place.oldest !== undefined) reached = place.oldest;
    const filled = { since: Math.min(until, Math.max(since, reached)), until };
    const look = session.coverage.look ?? firstLook(session.clock.now());
    const spans = withSpan(before, filled);
    const gaps = momentsOf(bad, page).reduce(withSpan, session.coverage.gaps);
    await session.savePage(page.items, { ...session.coverage, spans, gaps, look });
    if (bad !== undefined) session.failLater(bad);
    session.showProgress('Cards', session.counts.cards);
    if (isCut && reached >= until) await giveUp(session, { since, until });
    if (isCut || place.sorted === false) session.asksShortWindows = true;
    if (ended) return true;
    if (isLong && place.sorted === false) return 'too long';
  }
  return reached <= enough;
}

/** A bad card without a time may be from any moment of its page. */
function momentsOf(bad: BadCards | undefined, { items, since, until }: SignalPage): Span[] {
  const times = items.map(createdAt);
  const whole =
    times.length === 0
      ? { since: at(since), until: at(until) }
      : { since: Math.min(...times), until: Math.max(...times) };
  return (bad?.times ?? []).map((time) => (time === undefined ? whole : { since: time, until: time + SECOND }));
}

async function giveUp(session: ExportSession, rest: Span): Promise<void> {
  const { coverage } = session;
  if (rest.since === 0) {
    session.notes.note(`The service lists nothing before ${formatApiTime(rest.until)}.`);
    await beginAt(session, rest.until);
    return;
  }
  const gaps = [...coverage.gaps, ...storedSpans([rest])];
  await session.savePage([], { ...coverage, gaps, spans: withSpan(coverage.spans, rest) });
}

async function keepLateness(
  session: ExportSession,
  before: { readonly until: number; readonly from: number; readonly known: JournalCards },
): Promise<void> {
  const { journal, months } = session.history;
  const listed = journal.entries.slice(before.from).flatMap((entry) => (entry.kind === 'page' ? entry.items : []));
  const old = new Map(
    listed.filter((card) => createdAt(card) < before.until - PUNCTUAL).map((card) => [card.id, card]),
  );
  const { look } = session.coverage;
  const ids = new Set(old.keys());
  for (const month of new Set([...old.values()].map((card) => monthOf(createdAt(card))))) {
    for (const { id } of await months.find(month, ids, before.known)) old.delete(id);
  }
  const late = [...old.values()].map((card) => before.until - createdAt(card));
  if (look === null || late.length === 0) return;
  const late_by = Math.max(look.late_by, ...late);
  await session.savePage([], { ...session.coverage, look: { ...look, late_at: look.at, late_by } });
}
