/** Where a history stands after its journal. Pure; applying a journal twice changes nothing. */
import { at, parseApiTime } from '../../api/time.ts';
import { DAY } from '../../runtime/units.ts';
import type { JournalEntry } from '../store/journal.ts';
import { createdAt, isSettled } from '../store/layout.ts';
import { type Asked, type Day, type ExportManifest, isGone } from '../store/manifest.ts';
import type { KnownCard } from '../store/months.ts';
import { isAgainWorthwhile, learn, MOST_BOUGHT } from './lateness.ts';

export function applyJournal(before: ExportManifest, entries: readonly JournalEntry[]): ExportManifest {
  const manifest = { ...before, asked: { ...before.asked } };
  for (const entry of entries) {
    if (entry.kind === 'page') Object.assign(manifest, entry.coverage);
    if (entry.kind === 'others') {
      manifest.screeners_at = entry.screeners_at ?? manifest.screeners_at;
      manifest.refused = { ...manifest.refused, ...entry.refused };
    }
    if (entry.kind === 'failed') manifest.asked[entry.id] = entry.asked;
    if (entry.kind !== 'detail') continue;
    const { detail, asked } = entry;
    const settled = isSettled(detail);
    const created = createdAt(detail);
    const again = isAgain(manifest.asked[detail.id], created);
    manifest.lateness = learn(manifest.lateness, { createdAt: created, at: at(asked.at), settled, again });
    if (settled) delete manifest.asked[detail.id];
    else manifest.asked[detail.id] = asked;
    const day = asked.at.slice(0, 10);
    manifest.days = changeDay(manifest.days, day, (one) => ({ ...one, outcomes: one.outcomes + 1 }));
  }
  return manifest;
}

export function isAwaiting(
  { id, isBought, isSettled }: KnownCard,
  { asked, lateness }: Pick<ExportManifest, 'asked' | 'lateness'>,
): boolean {
  if (isGone(asked[id])) return false;
  if (!isBought) return true;
  return !isSettled && (asked[id]?.times ?? 1) < MOST_BOUGHT && isAgainWorthwhile(lateness);
}

/** Tells a second purchase from a look before the outcome could be there; `at` in epoch milliseconds UTC. */
export function isAgain(asked: Asked | undefined, at: number): boolean {
  return asked !== undefined && asked.times > 0 && (parseApiTime(asked.at) ?? 0) >= at + DAY;
}

const DAYS_KEPT = 31;

export function changeDay(days: readonly Day[], day: string, change: (one: Day) => Day): Day[] {
  const one = days.find((other) => other.day === day) ?? { day, runs: 0, outcomes: 0, credits: 0, backlog: 0 };
  const all = [...days.filter((other) => other.day !== day), change(one)];
  return all.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-DAYS_KEPT);
}
