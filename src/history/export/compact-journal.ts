/** Brings the journal into the month files; a crash between two steps is mended by doing it again. */
import { type ExportManifest, saveManifest } from '../store/manifest.ts';
import { applyJournal, isAwaiting } from './apply-journal.ts';
import type { LockedHistory } from './open.ts';

/** @param changes what else changes in `export.json` @throws ScreenerError storage; the journal stays then */
export async function compactJournal(
  { directory, manifest, journal, months }: Omit<LockedHistory, 'lock'>,
  changes: (applied: ExportManifest) => Partial<ExportManifest> = () => ({}),
): Promise<ExportManifest> {
  const applied = applyJournal(manifest, journal.entries);
  const counts = { ...applied.months };
  for (const card of journal.cards().values()) await months.put(card);
  await months.save();
  for (const { month, lines } of months.opened) {
    const awaiting = [...lines.values()].filter((card) => isAwaiting(card, applied)).length;
    if (lines.size > 0 || month in counts) counts[month] = { cards: lines.size, awaiting };
  }
  const sorted = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  const after = { ...applied, months: Object.fromEntries(sorted), ...changes(applied) };
  await saveManifest(directory, after);
  await journal.clear();
  return after;
}
