/**
 * A month file together with the updates that are not in it yet: one stream of lines in which every card appears once.
 */
import { asStoredCard, byAge, type StoredCard } from './layout.ts';
import { lineId } from './line-id.ts';
import { linesBackwards, linesForwards } from './line-reader.ts';
import { newerVersion } from './updates.ts';

/** A line of a month: its text (without newline), and for the updated ones the card. */
export interface MonthLine {
  readonly text: Buffer;
  readonly id: number | undefined;
  readonly update?: StoredCard;
}

export interface Merge {
  /** The updated cards as they will be stored, oldest first. */
  readonly updates: readonly StoredCard[];
  readonly ids: ReadonlySet<number>;
  /** Whether any line differs from what is stored. */
  readonly changed: boolean;
}

export const NO_MERGE: Merge = { updates: [], ids: new Set(), changed: false };

/** A line read as a card; undefined where it is damaged. */
export function parseLine(text: Buffer): StoredCard | undefined {
  try {
    return asStoredCard(JSON.parse(text.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Reads the stored versions of the updated cards and merges the two. Memory: what the updates hold, twice. */
export async function mergeMonth(path: string, updates: ReadonlyMap<number, StoredCard> | undefined): Promise<Merge> {
  if (updates === undefined || updates.size === 0) return NO_MERGE;
  const stored = new Map<number, StoredCard>();
  for await (const batch of linesForwards(path)) {
    for (const text of batch) {
      const id = lineId(text);
      if (id === undefined || !updates.has(id)) continue;
      const card = parseLine(text);
      if (card !== undefined) stored.set(id, card);
    }
  }
  const merged = [...updates.values()].map((card) => newerVersion(stored.get(card.id), card)).sort(byAge);
  const changed = merged.some((card) => JSON.stringify(card) !== JSON.stringify(stored.get(card.id)));
  return { updates: merged, ids: new Set(updates.keys()), changed };
}

/**
 * The month's lines in order. Damaged lines are passed on as they are, with no id.
 * @param direction oldest first, or newest first
 */
export async function* monthLines(
  path: string,
  merge: Merge,
  direction: 'oldest' | 'newest' = 'oldest',
): AsyncGenerator<MonthLine[]> {
  const sign = direction === 'oldest' ? 1 : -1;
  const waiting = direction === 'oldest' ? [...merge.updates] : merge.updates.toReversed();
  const batches = direction === 'oldest' ? linesForwards(path) : linesBackwards(path);
  let next = 0;
  for await (const batch of batches) {
    const lines: MonthLine[] = [];
    for (const text of batch) {
      const id = lineId(text);
      if (id !== undefined && merge.ids.has(id)) continue;
      let update = waiting[next];
      if (update !== undefined) {
        const card = parseLine(text);
        while (update !== undefined && card !== undefined && sign * byAge(update, card) < 0) {
          lines.push(asLine(update));
          next += 1;
          update = waiting[next];
        }
      }
      lines.push({ text, id });
    }
    yield lines;
  }
  yield waiting.slice(next).map(asLine);
}

function asLine(update: StoredCard): MonthLine {
  return { text: Buffer.from(JSON.stringify(update)), id: update.id, update };
}

/** The card of a line: the update itself, or the text read. */
export function cardOf(line: MonthLine): StoredCard | undefined {
  return line.update ?? parseLine(line.text);
}
