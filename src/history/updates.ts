/**
 * What a journal changes: the latest version of each card in it, by month, and where the run stands. Pure: applying the
 * same journal twice, or to month files that already hold it, gives the same.
 */

import type { Asked, Coverage, ExportManifest } from './export-manifest.ts';
import type { JournalEntry } from './journal.ts';
import { createdAt, isDetail, monthOf, newerVersion, type StoredCard, type StoredOutcome } from './layout.ts';

/** Bought once, and again at most three times while it was not settled. */
export const MOST_ASKED = 4;

export interface Updates {
  /** By month, then by id. */
  readonly cards: ReadonlyMap<string, ReadonlyMap<number, StoredCard>>;
  /** Months whose counts change, whether or not their lines do. */
  readonly months: ReadonlySet<string>;
  readonly coverage: Coverage | undefined;
  /** By id; null where the detail has settled. */
  readonly asked: ReadonlyMap<number, Asked | null>;
  readonly gone: ReadonlySet<number>;
}

export function collectUpdates(entries: readonly JournalEntry[]): Updates {
  const cards = new Map<string, Map<number, StoredCard>>();
  const months = new Set<string>();
  const asked = new Map<number, Asked | null>();
  const gone = new Set<number>();
  let coverage: Coverage | undefined;
  const put = (card: StoredCard) => {
    const month = monthOf(createdAt(card));
    months.add(month);
    let ofMonth = cards.get(month);
    if (ofMonth === undefined) {
      ofMonth = new Map();
      cards.set(month, ofMonth);
    }
    ofMonth.set(card.id, newerVersion(ofMonth.get(card.id), card));
  };
  for (const entry of entries) {
    if (entry.kind === 'page') {
      entry.items.forEach(put);
      coverage = entry.coverage;
    } else if (entry.kind === 'detail') {
      put(entry.detail);
      asked.set(entry.detail.id, isSettled(entry.detail) ? null : entry.asked);
    } else if (entry.kind === 'failed') {
      asked.set(entry.id, entry.asked);
    } else {
      gone.add(entry.id);
      months.add(monthOf(createdAt(entry)));
    }
  }
  return { cards, months, coverage, asked, gone };
}

/** Whether a line holds an outcome that asking again cannot better: one is there, and no horizon is pending. */
export function isSettled(card: StoredCard): boolean {
  const outcome = card.outcome as StoredOutcome | null | undefined;
  return isDetail(card) && outcome != null && outcome.state_1h !== 'pending' && outcome.state_24h !== 'pending';
}

/** Whether an outcome is still to be bought for this line, now or later. */
export function isAwaiting(
  card: StoredCard,
  manifest: Pick<ExportManifest, 'asked'>,
  gone: ReadonlySet<number>,
): boolean {
  if (gone.has(card.id)) return false;
  if (!isDetail(card)) return true;
  return !isSettled(card) && (manifest.asked[card.id]?.times ?? 1) < MOST_ASKED;
}

/** The manifest once the journal is in it; the counts by month are the fold's to add. */
export function updatedManifest(manifest: ExportManifest, updates: Updates): ExportManifest {
  const asked = { ...manifest.asked };
  for (const [id, last] of updates.asked) {
    if (last === null) delete asked[id];
    else asked[id] = last;
  }
  return {
    ...manifest,
    ...updates.coverage,
    asked,
    gone: [...new Set([...manifest.gone, ...updates.gone])].sort((a, b) => a - b),
  };
}
