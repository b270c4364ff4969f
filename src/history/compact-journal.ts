/**
 * Brings the journal into the month files. Each step leaves the directory in order, and doing all of it again changes
 * nothing: so a crash between any two steps is mended by doing it once more.
 */
import { replaceFile } from '../runtime/files.ts';
import { type Applied, isAwaiting } from './apply-journal.ts';
import { type ExportManifest, saveManifest } from './export-manifest.ts';
import type { Journal } from './journal.ts';
import { monthPath } from './layout.ts';
import { type Month, readMonth } from './month.ts';

/**
 * Months first, then `export.json`, then the journal is emptied. Only months with a line that differs are written.
 * @param changes what else is to change in `export.json` in the same step
 * @returns `damaged`: files with lines that are no cards, and how many; they are kept
 * @throws ScreenerError storage; everything stays in the journal then
 */
export async function compactJournal(
  directory: string,
  journal: Journal,
  applied: Applied,
  changes: Partial<ExportManifest> = {},
): Promise<{ manifest: ExportManifest; damaged: ReadonlyMap<string, number> }> {
  const gone = new Set(applied.manifest.gone);
  const months = new Map(Object.entries(applied.manifest.months));
  const damaged = new Map<string, number>();
  for (const [month, cards] of applied.cards) {
    const path = monthPath(directory, month);
    const found = await readMonth(path, cards);
    if (found.changed) await writeMonth(path, found);
    const awaiting = found.lines.filter(({ card }) => isAwaiting(card, applied.manifest, gone)).length;
    months.set(month, { cards: found.lines.length, awaiting });
    if (found.damaged.length > 0) damaged.set(path, found.damaged.length);
  }
  const sorted = [...months].sort(([a], [b]) => (a < b ? -1 : 1));
  const manifest = { ...applied.manifest, months: Object.fromEntries(sorted), ...changes };
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
