/**
 * Brings the journal into the month files. Each step leaves the directory in order, and doing all of it again changes
 * nothing: so a crash between any two steps is mended by doing it once more.
 */
import { type ExportManifest, saveManifest } from '../store/manifest.ts';
import { applyJournal, isAwaiting } from './apply-journal.ts';
import type { LockedHistory } from './open.ts';

/**
 * Months first, then `export.json`, then the journal is emptied. Only months with a line that differs are written.
 * @param changes what else is to change in `export.json` in the same step
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
