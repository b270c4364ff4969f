/**
 * What a journal changes: the latest version of each card in it, by month, and where the run stands. Pure: applying the
 * same journal twice, or to month files that already hold it, gives the same.
 */

import { parseApiTime } from '../api/time.ts';
import type { Asked, Coverage, Day, ExportManifest } from './export-manifest.ts';
import type { JournalEntry } from './journal.ts';
import { type FirstPurchase, learn, MOST_BOUGHT } from './lateness.ts';
import { createdAt, isDetail, monthOf, newerVersion, type StoredCard, type StoredOutcome } from './layout.ts';

export interface Updates {
  /** By month, then by id. */
  readonly cards: ReadonlyMap<string, ReadonlyMap<number, StoredCard>>;
  /** Months whose counts change, whether or not their lines do. */
  readonly months: ReadonlySet<string>;
  readonly coverage: Coverage | undefined;
  /** By id; null where the detail has settled. */
  readonly asked: ReadonlyMap<number, Asked | null>;
  readonly gone: ReadonlySet<number>;
  /** Details that were bought for the first time, in that order. */
  readonly first: readonly FirstPurchase[];
  /** Details bought, by UTC day. */
  readonly bought: ReadonlyMap<string, number>;
  /** When `/screeners` was asked. */
  readonly screenersAt: string | undefined;
}

export function collectUpdates(entries: readonly JournalEntry[]): Updates {
  const cards = new Map<string, Map<number, StoredCard>>();
  const months = new Set<string>();
  const asked = new Map<number, Asked | null>();
  const gone = new Set<number>();
  const first: FirstPurchase[] = [];
  const bought = new Map<string, number>();
  let coverage: Coverage | undefined;
  let screenersAt: string | undefined;
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
      const { times, at } = entry.asked;
      const age = (parseApiTime(at) ?? 0) - createdAt(entry.detail);
      if (times === 1) first.push({ age, settled: isSettled(entry.detail) });
      bought.set(at.slice(0, 10), (bought.get(at.slice(0, 10)) ?? 0) + 1);
      asked.set(entry.detail.id, isSettled(entry.detail) ? null : entry.asked);
    } else if (entry.kind === 'failed') {
      asked.set(entry.id, entry.asked);
    } else if (entry.kind === 'screeners') {
      screenersAt = entry.at;
    } else {
      gone.add(entry.id);
      months.add(monthOf(createdAt(entry)));
    }
  }
  return { cards, months, coverage, asked, gone, first, bought, screenersAt };
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
  return !isSettled(card) && (manifest.asked[card.id]?.times ?? 1) < MOST_BOUGHT;
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
    screeners_at: updates.screenersAt ?? manifest.screeners_at,
    lateness: updates.first.reduce(learn, manifest.lateness),
    days: withBought(manifest.days, updates.bought),
    gone: [...new Set([...manifest.gone, ...updates.gone])].sort((a, b) => a - b),
  };
}

/** Days of which the manifest knows what was done. */
const DAYS_KEPT = 31;

function withBought(days: readonly Day[], bought: ReadonlyMap<string, number>): Day[] {
  return [...bought].reduce(
    (all, [day, outcomes]) => changeDay(all, day, (one) => ({ ...one, outcomes: one.outcomes + outcomes })),
    [...days],
  );
}

/** The days with one of them changed, oldest first. */
export function changeDay(days: readonly Day[], day: string, change: (one: Day) => Day): Day[] {
  const one = days.find((other) => other.day === day) ?? { day, runs: 0, outcomes: 0, backlog: 0 };
  const all = [...days.filter((other) => other.day !== day), change(one)];
  return all.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-DAYS_KEPT);
}
