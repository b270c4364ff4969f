/**
 * Brings the journal into the month files. Each step leaves the directory in order, and doing all of it again changes
 * nothing: so a crash between any two steps is mended by folding once more.
 */
import type { FileHandle } from 'node:fs/promises';
import { type State, saveState } from './export-manifest.ts';
import type { Journal } from './journal.ts';
import { readJournal } from './journal.ts';
import { monthPath, type StoredCard } from './layout.ts';
import { cardOf, type Merge, type MonthLine, mergeMonth, monthLines } from './month.ts';
import { replaceFile, storing, writeAll } from './storage.ts';
import { collectUpdates, isAwaiting, updatedState } from './updates.ts';

const FLUSH_BYTES = 1 << 20;

export interface Folded {
  readonly state: State;
  /** Files with lines that are no cards, and how many: they are kept as they are. */
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
    const merge = await storing(`read ${path}`, () => mergeMonth(path, updates.cards.get(month)));
    const counts = await foldMonth(path, merge, (card) => isAwaiting(card, next, gone));
    months[month] = { cards: counts.cards, awaiting: counts.awaiting };
    if (counts.damaged > 0) damaged.set(path, counts.damaged);
  }
  const folded = { ...next, months: sortedByKey(months) };
  const final = finish?.(folded) ?? folded;
  await saveState(directory, final);
  await journal.clear();
  return { state: final, damaged };
}

const NEWLINE = Buffer.from('\n');

/** Writes a month anew where one of its lines differs, and counts it either way. */
async function foldMonth(path: string, merge: Merge, isAwaited: (card: StoredCard) => boolean) {
  const counts = { cards: 0, awaiting: 0, damaged: 0 };
  async function* counted() {
    for await (const lines of monthLines(path, merge)) {
      for (const line of lines) {
        const card = cardOf(line);
        if (card === undefined) counts.damaged += 1;
        else counts.cards += 1;
        if (card !== undefined && isAwaited(card)) counts.awaiting += 1;
      }
      yield lines;
    }
  }
  if (merge.changed) {
    await replaceFile(path, (file) => writeLines(file, counted()));
  } else {
    await storing(`read ${path}`, async () => {
      for await (const _ of counted());
    });
  }
  return counts;
}

async function writeLines(file: FileHandle, batches: AsyncIterable<MonthLine[]>): Promise<void> {
  let texts: Buffer[] = [];
  let size = 0;
  for await (const lines of batches) {
    for (const { text } of lines) {
      texts.push(text, NEWLINE);
      size += text.length + 1;
    }
    if (size < FLUSH_BYTES) continue;
    await writeAll(file, Buffer.concat(texts));
    texts = [];
    size = 0;
  }
  await writeAll(file, Buffer.concat(texts));
}

function sortedByKey<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
