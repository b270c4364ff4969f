/**
 * Brings the journal into the month files. Each step leaves the directory in order, and doing all of it again changes
 * nothing: so a crash between any two steps is mended by doing it once more.
 */
import { type Applied, isAwaiting } from './apply-journal.ts';
import { type ExportManifest, saveManifest } from './export-manifest.ts';
import type { MonthFile } from './months.ts';
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
  const files = new Map<string, MonthFile>();
  const moved: { id: number; from: MonthFile }[] = [];
  for (const [month, updates] of cards.months) {
    files.set(month, await months.open(month));
    for (const card of updates.values()) {
      const from = await months.put(card);
      if (from !== undefined) moved.push({ id: card.id, from });
    }
  }
  for (const file of files.values()) await file.save();
  // Only now: a crash in between leaves a card twice, and never nowhere.
  for (const { id, from } of moved) from.delete(id);
  for (const { from } of moved) {
    await from.save();
    files.set(from.month, from);
  }
  const gone = new Set(applied.gone);
  const counts = new Map(Object.entries(applied.months));
  const damaged = new Map<string, number>();
  for (const [month, file] of files) {
    const all = [...file.lines.values()];
    counts.set(month, { cards: all.length, awaiting: all.filter((card) => isAwaiting(card, applied, gone)).length });
    if (file.damaged.length > 0) damaged.set(file.path, file.damaged.length);
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const manifest = { ...applied, months: Object.fromEntries(sorted), ...changes };
  await saveManifest(directory, manifest);
  await journal.clear();
  return { manifest, damaged };
}
