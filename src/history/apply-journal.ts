/**
 * What a journal changes: the latest version of each card in it, and where the history stands. Pure: applying the same
 * journal twice, or to month files that already hold it, gives the same.
 */
import { parseApiTime } from '../api/time.ts';
import type { Day, ExportManifest } from './export-manifest.ts';
import type { JournalEntry } from './journal.ts';
import { learn, MOST_BOUGHT } from './lateness.ts';
import { createdAt, isDetail, monthOf, newerVersion, type StoredCard } from './layout.ts';

/** Cards that are not in month files yet: by UTC month, then by id. */
export type JournalCards = ReadonlyMap<string, ReadonlyMap<number, StoredCard>>;

export interface Applied {
  /** As it is after the journal, except for the counts by month. */
  readonly manifest: ExportManifest;
  readonly cards: JournalCards;
}

/** The cards of a journal. A month is there too where only a count of it changes. */
export function journalCards(entries: readonly JournalEntry[]): JournalCards {
  const cards = new Map<string, Map<number, StoredCard>>();
  const ofMonth = (card: Pick<StoredCard, 'created_at'>) => {
    const month = monthOf(createdAt(card));
    const found = cards.get(month) ?? new Map<number, StoredCard>();
    cards.set(month, found);
    return found;
  };
  for (const entry of entries) {
    if (entry.kind === 'gone') ofMonth(entry);
    const items = entry.kind === 'page' ? entry.items : entry.kind === 'detail' ? [entry.detail] : [];
    for (const card of items) {
      const month = ofMonth(card);
      month.set(card.id, newerVersion(month.get(card.id), card));
    }
  }
  return cards;
}

export function applyJournal(before: ExportManifest, entries: readonly JournalEntry[]): Applied {
  const manifest = { ...before, asked: { ...before.asked } };
  const gone = new Set(before.gone);
  for (const entry of entries) {
    if (entry.kind === 'page') Object.assign(manifest, entry.coverage);
    if (entry.kind === 'screeners') manifest.screeners_at = entry.at;
    if (entry.kind === 'gone') gone.add(entry.id);
    if (entry.kind === 'failed') manifest.asked[entry.id] = entry.asked;
    if (entry.kind !== 'detail') continue;
    const { detail, asked } = entry;
    const settled = isSettled(detail);
    if (settled) delete manifest.asked[detail.id];
    else manifest.asked[detail.id] = asked;
    const age = (parseApiTime(asked.at) ?? 0) - createdAt(detail);
    if (asked.times === 1) manifest.lateness = learn(manifest.lateness, { age, settled });
    const day = asked.at.slice(0, 10);
    manifest.days = changeDay(manifest.days, day, (one) => ({ ...one, outcomes: one.outcomes + 1 }));
  }
  manifest.gone = [...gone].sort((a, b) => a - b);
  return { manifest, cards: journalCards(entries) };
}

/** Whether a line holds an outcome that asking again cannot better: one is there, and no horizon is pending. */
export function isSettled(card: StoredCard): boolean {
  const outcome = card.outcome as Record<string, unknown> | null | undefined;
  return isDetail(card) && outcome != null && outcome.state_1h !== 'pending' && outcome.state_24h !== 'pending';
}

/** Whether an outcome is still to be bought for this line, now or later. */
export function isAwaiting(
  card: StoredCard,
  { asked }: Pick<ExportManifest, 'asked'>,
  gone: ReadonlySet<number>,
): boolean {
  if (gone.has(card.id)) return false;
  if (!isDetail(card)) return true;
  return !isSettled(card) && (asked[card.id]?.times ?? 1) < MOST_BOUGHT;
}

/** Days of which the manifest knows what was done. */
const DAYS_KEPT = 31;

/** The days with one of them changed, oldest first. */
export function changeDay(days: readonly Day[], day: string, change: (one: Day) => Day): Day[] {
  const one = days.find((other) => other.day === day) ?? { day, runs: 0, outcomes: 0, backlog: 0 };
  const all = [...days.filter((other) => other.day !== day), change(one)];
  return all.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-DAYS_KEPT);
}
