/**
 * Brings the journal into the month files. Each step leaves the directory in order, and doing all of it again changes
 * nothing: so a crash between any two steps is mended by doing it once more.
 */
import { type Applied, isAwaiting } from './apply-journal.ts';
import { type ExportManifest, saveManifest } from './export-manifest.ts';
import type { LockedHistory } from './open-export.ts';

/**
 * Months first, then `export.json`, then the journal is emptied. Only months with a line that differs are written.
 * @param changes what else is to change in `export.json` in the same step
 * @returns `damaged`: files with lines that are no cards, and how many; they are kept
 * @throws ScreenerError storage; everything stays in the journal then
 */
export async function compactJournal(
  { directory, journal, months }: Pick<LockedHistory, 'directory' | 'journal' | 'months'>,
  { manifest: applied, cards }: Applied,
  changes: Partial<ExportManifest> = {},
): Promise<{ manifest: ExportManifest; damaged: ReadonlyMap<string, number> }> {
  const gone = new Set(applied.gone);
  const counts = new Map(Object.entries(applied.months));
  const damaged = new Map<string, number>();
  for (const file of await months.bringIn(cards)) {
    const all = [...file.lines.values()];
    counts.set(file.month, {
      cards: all.length,
      awaiting: all.filter((card) => isAwaiting(card, applied, gone)).length,
    });
    if (file.damaged.length > 0) damaged.set(file.path, file.damaged.length);
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const manifest = { ...applied, months: Object.fromEntries(sorted), ...changes };
  await saveManifest(directory, manifest);
  await journal.clear();
  return { manifest, damaged };
}
