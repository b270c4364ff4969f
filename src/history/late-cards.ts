/**
 * Cards that the service records some time after their `created_at`: how far a walk goes back into what is covered, to
 * find them, and what it learns from those it finds.
 */
import { LIMITS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';
import { DAY, MINUTE } from '../runtime/units.ts';
import type { Applied } from './apply-journal.ts';
import { OVERLAP } from './coverage.ts';
import type { Coverage } from './export-manifest.ts';
import type { JournalEntry } from './journal.ts';
import { createdAt, monthOf } from './layout.ts';
import type { Months } from './months.ts';

/** Nobody looks further back for a late card. */
const FURTHEST = 7 * DAY;

/** Cards of the last days: `created_at` in epoch milliseconds UTC by id. @throws ScreenerError storage */
export async function recentCards(
  months: Months,
  { manifest, cards }: Applied,
  now: number,
): Promise<ReadonlyMap<number, number>> {
  const first = monthOf(now - 2 * FURTHEST);
  const recent = new Map<number, number>();
  for (const month of new Set([...Object.keys(manifest.months), ...cards.months.keys()])) {
    if (month < first) continue;
    for (const { id, at } of await months.cards(month, cards)) recent.set(id, at);
  }
  return recent;
}

/**
 * How far before the end of what is covered the next walk begins: ten minutes; longer by as many known cards as fit on
 * the last page that the new ones will probably need, and back to just after the newest known card, which costs nothing;
 * and half as long again as cards were late. A clock that was fast has covered a time in which cards came later.
 */
export function overlapOf(
  { covered, recorded_late }: Coverage,
  known: ReadonlyMap<number, number>,
  now: number,
): number {
  if (covered === null) return OVERLAP;
  const until = Math.min(now, parseApiTime(covered.until) ?? now);
  const times = [...known.values()].filter((at) => at <= until).sort((a, b) => b - a);
  const within = (days: number) => times.filter((at) => at > until - days * DAY).length / days;
  const expected = Math.ceil(((now - until) / DAY) * Math.max(within(1), within(7)));
  // Two places are left for what comes besides; none is free where the new ones fill their pages.
  const taken = expected > 0 ? ((expected - 1) % LIMITS.cardsPerPage) + 1 : 0;
  const fits = LIMITS.cardsPerPage - taken - 2;
  const oldest = fits > 0 ? (times[fits - 1] ?? until - FURTHEST) : until;
  const overlap = Math.min(FURTHEST, Math.max(until - oldest, 1.5 * recorded_late));
  // Known are all of the last two weeks at least. The newest itself would take a place on the page.
  const silence = until - 1 - (times[0] ?? now - 2 * FURTHEST);
  // What lies before the covered window was not asked for.
  const most = until - (parseApiTime(covered.since) ?? until);
  return Math.max(OVERLAP, Math.min(most, Math.max(overlap, silence)));
}

/**
 * How late the latest of the cards was that a walk found in what was covered before it; milliseconds. It may have been
 * later by as much as the runs lie apart.
 */
export function recordedLate(
  { covered, recorded_late }: Coverage,
  known: ReadonlyMap<number, number>,
  entries: readonly JournalEntry[],
  now: number,
): number {
  const until = parseApiTime(covered?.until ?? '');
  if (until === undefined) return recorded_late;
  const found = entries.flatMap((entry) => (entry.kind === 'page' ? entry.items : []));
  const late = found.filter(({ id }) => !known.has(id)).map((card) => until - createdAt(card));
  // Later than the overlap looks for in any case, and within the days whose cards are known.
  const inside = late.filter((by) => by > OVERLAP - MINUTE && by < FURTHEST && now - until < FURTHEST);
  return Math.max(recorded_late, ...inside);
}
