/** Brings the journal into the month files; a crash between two steps is mended by doing it again. */
import { type ExportManifest, saveManifest } from '../store/manifest.ts';
import { applyJournal, isAwaiting } from './apply-journal.ts';
import type { LockedHistory } from './open.ts';

/**
 * Months first, then `export.json`, then the journal is emptied.
 * @param changes what else changes in `export.json` in the same step
 * @throws ScreenerError storage; everything stays in the journal then
 */
export async function compactJournal(
  { directory, manifest, journal, months }: Omit<LockedHistory, 'lock'>,
  changes: (applied: ExportManifest) => Partial<ExportManifest> = () => ({}),
): Promise<ExportManifest> {
  const applied = applyJournal(manifest, journal.entries);
  const gone = new Set(applied.gone);
  const counts = new Map(Object.entries(applied.months));
  for (const file of await months.bringIn(journal.cards())) {
    const all = [...file.lines.values()];
    counts.set(file.month, {
      cards: all.length,
      awaiting: all.filter((card) => isAwaiting(card, applied, gone)).length,
    });
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const after = { ...applied, months: Object.fromEntries(sorted), ...changes(applied) };
  await saveManifest(directory, after);
  await journal.clear();
  return after;
}
