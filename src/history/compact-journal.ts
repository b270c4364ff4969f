/**
 * Brings the journal into the month files. Each step leaves the directory in order, and doing all of it again changes
 * nothing: so a crash between any two steps is mended by doing it once more.
 */
import { replaceFile } from '../runtime/files.ts';
import { type ExportManifest, saveManifest } from './export-manifest.ts';
import type { Journal } from './journal.ts';
import { monthPath } from './layout.ts';
import { type Month, readMonth } from './month.ts';
import { collectUpdates, isAwaiting, updatedManifest } from './updates.ts';

export interface Compacted {
  readonly manifest: ExportManifest;
  /** Files with lines that are no cards, and how many: they are kept. */
  readonly damaged: ReadonlyMap<string, number>;
}

/**
 * Months first, then `export.json`, then the journal is emptied. Only months with a line that differs are written.
 * @param finish what else is to change in `export.json` in the same step
 * @throws ScreenerError storage; everything stays in the journal then
 */
export async function compactJournal(
  directory: string,
  before: ExportManifest,
  journal: Journal,
  finish = (manifest: ExportManifest) => manifest,
): Promise<Compacted> {
  const updates = collectUpdates(journal.entries);
  const updated = updatedManifest(before, updates);
  const gone = new Set(updated.gone);
  const months = { ...updated.months };
  const damaged = new Map<string, number>();
  for (const month of updates.months) {
    const path = monthPath(directory, month);
    const found = await readMonth(path, updates.cards.get(month));
    if (found.changed) await writeMonth(path, found);
    const awaiting = found.lines.filter(({ card }) => isAwaiting(card, updated, gone)).length;
    months[month] = { cards: found.lines.length, awaiting };
    if (found.damaged.length > 0) damaged.set(path, found.damaged.length);
  }
  const manifest = finish({ ...updated, months: sortedByKey(months) });
  await saveManifest(directory, manifest);
  await journal.clear();
  return { manifest, damaged };
}

const NEWLINE = Buffer.from('\n');

/** Cards oldest first; lines that are no cards stay, behind them. */
function writeMonth(path: string, { lines, damaged }: Month): Promise<void> {
  const all = [...lines.map(({ bytes }) => bytes), ...damaged];
  return replaceFile(path, Buffer.concat(all.flatMap((bytes) => [bytes, NEWLINE])));
}

function sortedByKey<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
