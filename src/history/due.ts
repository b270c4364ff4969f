/**
 * Which outcomes are to be bought: found by scanning only those months that await some.
 */

import { parseApiTime } from '../api/time.ts';
import { HOUR } from '../runtime/units.ts';
import type { Asked, ExportManifest } from './export-manifest.ts';
import { createdAt, isDetail, monthPath, type StoredCard } from './layout.ts';
import { readMonth } from './month.ts';
import { isAwaiting, type Updates } from './updates.ts';

/** The 24 h outcome is measured 24 h after the trigger; the margin leaves the server time to do so. Milliseconds. */
export const DUE_AFTER = 24 * HOUR + 10 * 60_000;

/** How long to wait before a detail that still said `pending` is bought for the second, third and fourth time. */
const ASK_AGAIN_AFTER = [0, HOUR, 6 * HOUR, 24 * HOUR];

export interface Due {
  readonly id: number;
  readonly created_at: string;
  /** How often its detail was bought before. */
  readonly asked: number;
}

export interface DueCards {
  /** Oldest first. */
  readonly due: Due[];
  /** Cards whose outcome is still to be bought, but not yet. */
  readonly later: number;
}

/**
 * @param manifest with the journal's updates in it, except for the counts of months
 * @param updates what the journal holds beyond the month files
 */
export async function findDue(
  directory: string,
  manifest: ExportManifest,
  updates: Updates,
  now: number,
): Promise<DueCards> {
  const due: Due[] = [];
  let later = 0;
  const gone = new Set(manifest.gone);
  const awaiting = Object.keys(manifest.months).filter((month) => (manifest.months[month]?.awaiting ?? 0) > 0);
  for (const month of [...new Set([...awaiting, ...updates.months])].sort()) {
    const path = monthPath(directory, month);
    const { lines } = await readMonth(path, updates.cards.get(month));
    for (const { card } of lines) {
      if (!isAwaiting(card, manifest, gone)) continue;
      const asked = manifest.asked[card.id] ?? (isDetail(card) ? UNRECORDED : undefined);
      if (isDue(card, asked, now)) due.push({ id: card.id, created_at: card.created_at, asked: asked?.times ?? 0 });
      else later += 1;
    }
  }
  return { due, later };
}

/** A pending detail of which `export.json` does not know when it was bought: once, long ago. */
const UNRECORDED: Asked = { times: 1, at: '1970-01-01T00:00:00Z' };

function isDue(card: StoredCard, asked: Asked | undefined, now: number): boolean {
  if (asked !== undefined) {
    // A detail that was never had is not given up: at the longest interval it is asked for again.
    const wait = ASK_AGAIN_AFTER[asked.times] ?? (isDetail(card) ? undefined : ASK_AGAIN_AFTER.at(-1));
    if (wait === undefined || now < (parseApiTime(asked.at) ?? 0) + wait) return false;
  }
  return now >= createdAt(card) + DUE_AFTER;
}
