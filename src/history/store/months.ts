/** The month files during one run, with the journal's cards put into them. Each file is read once, when it is first needed. */
import { DAY } from '../../base/units.ts';
import { isDetail } from '../../outcomes/history-card.ts';
import { appendLine, replaceFile } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import {
  asStoredCard,
  createdAt,
  isSettled,
  mergeVersions,
  monthOf,
  monthPath,
  type StoredCard,
} from './layout.ts';
import { parseJson, visitLines } from './lines.ts';

/** Damaged lines in a row: none of them holds a card. */
export interface DamagedLines {
  readonly texts: string[];
  /** The number of the first line; lines are counted from 1. */
  readonly number: number;
  /** `created_at` of the card before these lines, epoch milliseconds UTC; -Infinity at the beginning of the file. */
  readonly since: number;
  /** `created_at` of the card after these lines, epoch milliseconds UTC; Infinity at the end of the file. */
  until: number;
}

export interface CardsOfFile<T> {
  /** By id, in the file's order. */
  readonly cards: Map<number, T>;
  /** In the file's order. */
  damaged: DamagedLines[];
}

/**
 * Reads the cards of a month file.
 * @param keep what to keep of each card
 * @param parse `parseExactly` unless given. `JSON.parse` is faster; it changes only integers beyond 2^53, which no
 *   field of the document has.
 * @throws ScreenerError storage
 */
export async function cardsOfFile<T>(
  path: string,
  keep: (card: StoredCard, at: number, line: string) => T,
  parse?: (json: string) => unknown,
): Promise<CardsOfFile<T>> {
  const cards = new Map<number, T>();
  const damaged: DamagedLines[] = [];
  let since = Number.NEGATIVE_INFINITY;
  /** The damaged lines since the last card, if there are any. The next card ends them. */
  let linesAfterCard: DamagedLines | undefined;
  await visitLines(path, (line, number) => {
    const dated = asStoredCard(parseJson(line, parse));
    if (dated === undefined) {
      if (linesAfterCard === undefined) {
        linesAfterCard = { texts: [], number, since, until: Number.POSITIVE_INFINITY };
        damaged.push(linesAfterCard);
      }
      linesAfterCard.texts.push(line);
      return;
    }
    since = dated.at;
    if (linesAfterCard !== undefined) linesAfterCard.until = since;
    linesAfterCard = undefined;
    cards.set(dated.card.id, keep(dated.card, dated.at, line));
  });
  return { cards, damaged };
}

/** How many lines are damaged. */
export function countDamaged(damaged: readonly DamagedLines[]): number {
  return damaged.reduce((count, { texts }) => count + texts.length, 0);
}

/** What a run keeps of a card. */
export interface KnownCard {
  readonly id: number;
  /** `created_at`, epoch milliseconds UTC. */
  readonly at: number;
  readonly type: string;
  readonly isBought: boolean;
  readonly isSettled: boolean;
  /** The card's line of the file. The parsed cards of several years would fill the memory. */
  readonly line: string;
}

function knownCard(card: StoredCard, at: number, line: string): KnownCard {
  const type = String(card.source_bot_type);
  return { id: card.id, at, type, isBought: isDetail(card), isSettled: isSettled(card), line };
}

/** A month file that was read, with what this run has put into it. */
export interface MonthFile extends CardsOfFile<KnownCard> {
  /** `2026-11`. */
  readonly month: string;
  readonly path: string;
  /** Whether it differs from the file on the disk. */
  isChanged: boolean;
}

async function readMonth(directory: string, month: string): Promise<MonthFile> {
  const path = monthPath(directory, month);
  return { month, path, ...(await cardsOfFile(path, knownCard)), isChanged: false };
}

export class Months {
  readonly #directory: string;
  readonly #read = new Map<string, MonthFile>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  get opened(): readonly MonthFile[] {
    return [...this.#read.values()];
  }

  /** The files with damaged lines that were not set aside yet. */
  get damaged(): readonly MonthFile[] {
    return this.opened.filter(({ damaged }) => damaged.length > 0);
  }

  /** The cards of the opened months. */
  get cards(): readonly KnownCard[] {
    return this.opened.flatMap(({ cards }) => [...cards.values()]);
  }

  async open(month: string): Promise<MonthFile> {
    const file = this.#read.get(month) ?? (await readMonth(this.#directory, month));
    this.#read.set(month, file);
    return file;
  }

  /**
   * Adds a card, or merges it into the card that is there. Only `save` writes to the disk.
   * @throws ScreenerError storage
   */
  async put(card: StoredCard): Promise<void> {
    const at = createdAt(card);
    const file = await this.open(monthOf(at));
    // If the service has changed `created_at` by up to a day, the card may be in the month before or after this one.
    for (const near of [at - DAY, at + DAY]) await this.open(monthOf(near));
    const oldFile = this.opened.find(({ cards }) => cards.has(card.id));
    const oldLine = oldFile?.cards.get(card.id)?.line;
    const old = oldLine === undefined ? undefined : (parseJson(oldLine) as StoredCard);
    const merged = mergeVersions(old, card);
    const line = jsonText(merged);
    if (oldFile === file && line === oldLine) return;
    if (oldFile !== undefined) {
      oldFile.cards.delete(card.id);
      oldFile.isChanged = true;
    }
    file.cards.set(card.id, knownCard(merged, at, line));
    file.isChanged = true;
  }

  /**
   * Appends the damaged lines of a month file to the file `….damaged` beside it. `save` then writes the month file without them.
   * @returns the path of the file `….damaged`
   * @throws ScreenerError storage
   */
  async setAside(file: MonthFile): Promise<string> {
    const path = `${file.path}.damaged`;
    const texts = file.damaged.flatMap((lines) => lines.texts);
    await appendLine(path, texts.join('\n'));
    file.damaged = [];
    file.isChanged = true;
    return path;
  }

  /**
   * Writes the changed files. The damaged lines must have been set aside before, because only cards are written. If a card
   * moves to another month, and a kill comes between the two files, the journal still has the card.
   * @throws ScreenerError storage
   */
  async save(): Promise<void> {
    for (const file of this.opened.filter(({ isChanged }) => isChanged)) {
      const cards = [...file.cards.values()].sort((a, b) => a.at - b.at || a.id - b.id);
      await replaceFile(file.path, cards.map(({ line }) => `${line}\n`).join(''));
      file.isChanged = false;
    }
  }
}
