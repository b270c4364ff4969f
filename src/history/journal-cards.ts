/**
 * The cards of a journal: what was paid for and is not in month files yet.
 */
import type { JournalEntry } from './journal.ts';
import { createdAt, monthOf, newerVersion, type StoredCard } from './layout.ts';

export interface JournalCards {
  /** The latest version of each card, by id: a month file may hold it under another month. */
  readonly byId: ReadonlyMap<number, StoredCard>;
  /** UTC months of theirs, and those of which only a count changes. */
  readonly months: ReadonlySet<string>;
}

export function journalCards(entries: readonly JournalEntry[]): JournalCards {
  const byId = new Map<number, StoredCard>();
  const months = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'gone') months.add(monthOf(createdAt(entry)));
    const items = entry.kind === 'page' ? entry.items : entry.kind === 'detail' ? [entry.detail] : [];
    for (const card of items) byId.set(card.id, newerVersion(byId.get(card.id), card));
  }
  for (const card of byId.values()) months.add(monthOf(createdAt(card)));
  return { byId, months };
}

export function cardsOfMonth({ byId }: JournalCards, month: string): StoredCard[] {
  return [...byId.values()].filter((card) => monthOf(createdAt(card)) === month);
}
