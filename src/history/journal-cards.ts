/**
 * The cards of a journal: what was paid for and is not in month files yet.
 */
import type { JournalEntry } from './journal.ts';
import { createdAt, monthOf as monthOfTime, newerVersion, type StoredCard } from './layout.ts';

/** Cards that are not in month files yet. */
export interface JournalCards {
  /** By UTC month, then by id. A month is there too where only a count of it changes. */
  readonly months: ReadonlyMap<string, ReadonlyMap<number, StoredCard>>;
  /** The month of each of them, by id: a month file may hold it under another one. */
  readonly monthOf: ReadonlyMap<number, string>;
}

/** The latest version of each card of a journal. */
export function journalCards(entries: readonly JournalEntry[]): JournalCards {
  const months = new Map<string, Map<number, StoredCard>>();
  const monthOf = new Map<number, string>();
  const within = (card: Pick<StoredCard, 'created_at'>) => {
    const name = monthOfTime(createdAt(card));
    const cards = months.get(name) ?? new Map<number, StoredCard>();
    months.set(name, cards);
    return { name, cards };
  };
  for (const entry of entries) {
    if (entry.kind === 'gone') within(entry);
    const items = entry.kind === 'page' ? entry.items : entry.kind === 'detail' ? [entry.detail] : [];
    for (const card of items) {
      const before = months.get(monthOf.get(card.id) ?? '');
      const newer = newerVersion(before?.get(card.id), card);
      before?.delete(card.id);
      const { name, cards } = within(newer);
      cards.set(card.id, newer);
      monthOf.set(card.id, name);
    }
  }
  return { months, monthOf };
}
