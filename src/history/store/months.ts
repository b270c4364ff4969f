/** Month files as one run sees them, the journal's cards included: each is read once. */

import { DAY } from '../../base/units.ts';
import { isDetail } from '../../outcomes/row.ts';
import { appendLine, replaceFile } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import {
  asStoredCard,
  createdAt,
  isSettled,
  monthOf,
  monthPath,
  newerVersion,
  type StoredCard,
} from './layout.ts';
import { parseJson, visitLines } from './lines.ts';

/** Lines that follow each other and are no cards. */
export interface DamagedLines {
  readonly texts: string[];
  /** Of the first of them, from 1 on. */
  readonly number: number;
  /** `created_at` of the cards before and after them, epoch milliseconds UTC: the file is in that order. */
  readonly since: number;
  until: number;
}

export interface CardsOfFile<T> {
  /** By id, in the file's order. */
  readonly cards: Map<number, T>;
  damaged: DamagedLines[];
}

/**
 * The cards of a month file, line by line.
 * @param keep what is kept of a card @param parse `JSON.parse` is faster, and right of fields that the document names
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
  /** What is damaged since the last card. */
  let open: DamagedLines | undefined;
  await visitLines(path, (line, number) => {
    const dated = asStoredCard(parseJson(line, parse));
    if (dated === undefined) {
      if (open === undefined) {
        open = { texts: [], number, since, until: Number.POSITIVE_INFINITY };
        damaged.push(open);
      }
      open.texts.push(line);
      return;
    }
    since = dated.at;
    if (open !== undefined) open.until = since;
    open = undefined;
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
  /** In the place of the card, because a history of years would fill the memory. */
  readonly line: string;
}

function known(card: StoredCard, at: number, line: string): KnownCard {
  const type = String(card.source_bot_type);
  return { id: card.id, at, type, isBought: isDetail(card), isSettled: isSettled(card), line };
}

/** A month file that was read, with what this run has put into it. */
export interface MonthFile extends CardsOfFile<KnownCard> {
  /** `2026-11`. */
  readonly month: string;
  readonly path: string;
  /** Whether it is to be written. */
  isChanged: boolean;
}

async function readMonth(directory: string, month: string): Promise<MonthFile> {
  const path = monthPath(directory, month);
  return { month, path, ...(await cardsOfFile(path, known)), isChanged: false };
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

  get cards(): readonly KnownCard[] {
    return this.opened.flatMap(({ cards }) => [...cards.values()]);
  }

  async open(month: string): Promise<MonthFile> {
    const file = this.#read.get(month) ?? (await readMonth(this.#directory, month));
    this.#read.set(month, file);
    return file;
  }

  /** Brings a card of the journal in, or up to date; `save` writes it. @throws ScreenerError storage */
  async put(card: StoredCard): Promise<void> {
    const at = createdAt(card);
    const file = await this.open(monthOf(at));
    // The service may round a time to the day.
    for (const near of [at - DAY, at + DAY]) await this.open(monthOf(near));
    const home = this.opened.find(({ cards }) => cards.has(card.id));
    const before = home?.cards.get(card.id)?.line;
    const newest = newerVersion(
      before === undefined ? undefined : (parseJson(before) as StoredCard),
      card,
    );
    const line = jsonText(newest);
    if (home === file && line === before) return;
    if (home !== undefined) home.isChanged = home.cards.delete(card.id);
    file.cards.set(card.id, known(newest, at, line));
    file.isChanged = true;
  }

  /**
   * Appends the damaged lines of a file to another one beside it. `save` then writes the file without them.
   * @returns the path of that file
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
   * Writes the changed files. They get their cards only: damaged lines must be set aside before. A card that moves to
   * another month is in the journal until both files are written.
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
