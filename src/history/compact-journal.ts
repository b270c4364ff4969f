/**
 * Brings the journal into the month files. Each step leaves the directory in order, and doing all of it again changes
 * nothing: so a crash between any two steps is mended by folding once more.
 */
import { replaceFile } from '../runtime/files.ts';
import { type State, saveState } from './export-manifest.ts';
import type { Journal } from './journal.ts';
import { readJournal } from './journal.ts';
import { monthPath } from './layout.ts';
import { type Month, readMonth } from './month.ts';
import { collectUpdates, isAwaiting, updatedState } from './updates.ts';

export interface Folded {
  readonly state: State;
  /** Files with lines that are no cards, and how many: they are kept. */
  readonly damaged: ReadonlyMap<string, number>;
}

/**
 * Months first, then `export.json`, then the journal is emptied. Only months with a line that differs are written.
 * @param finish what else is to change in `export.json` in the same step; without it, an empty journal changes nothing
 * @throws ScreenerError storage; everything stays in the journal then
 */
export async function fold(
  directory: string,
  state: State,
  journal: Journal,
  finish?: (state: State) => State,
): Promise<Folded> {
  const entries = await readJournal(directory);
  if (entries.length === 0 && finish === undefined) {
    await journal.clear();
    return { state, damaged: new Map() };
  }
  const updates = collectUpdates(entries);
  const next = updatedState(state, updates);
  const gone = new Set(next.gone);
  const months = { ...next.months };
  const damaged = new Map<string, number>();
  for (const month of [...updates.months].sort()) {
    const path = monthPath(directory, month);
    const found = await readMonth(path, updates.cards.get(month));
    if (found.changed) await writeMonth(path, found);
    const awaiting = found.lines.filter(({ card }) => isAwaiting(card, next, gone)).length;
    months[month] = { cards: found.lines.length, awaiting };
    if (found.damaged.length > 0) damaged.set(path, found.damaged.length);
  }
  const folded = { ...next, months: sortedByKey(months) };
  const final = finish?.(folded) ?? folded;
  await saveState(directory, final);
  await journal.clear();
  return { state: final, damaged };
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
