/** Month files as one run sees them, the journal's cards included: each is read once. */
import { isDetail } from '../../outcomes/row.ts';
import { replaceFile } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { DAY } from '../../runtime/units.ts';
import {
  asStoredCard,
  createdAt,
  isSettled,
  monthOf,
  monthPath,
  newerVersion,
  type StoredCard,
} from './layout.ts';
import { parseJson, readLines } from './lines.ts';

export interface DamagedLine {
  readonly text: string;
  readonly number: number;
  /** `created_at` of the cards before and after it, epoch milliseconds UTC: the file is in that order. */
  readonly since: number;
  until: number;
}

/** @param keep what is kept of a card @param parse `JSON.parse` is faster, and right of fields that the document names */
export function cardsOfLines<T>(
  lines: readonly string[],
  keep: (card: StoredCard, at: number, line: string) => T,
  parse?: (json: string) => unknown,
) {
  const cards = new Map<number, T>();
  const damaged: DamagedLine[] = [];
  let since = Number.NEGATIVE_INFINITY;
  for (const [index, line] of lines.entries()) {
    const dated = asStoredCard(parseJson(line, parse));
    if (dated === undefined) {
      damaged.push({ text: line, number: index + 1, since, until: Number.POSITIVE_INFINITY });
      continue;
    }
    since = dated.at;
    for (const one of damaged) one.until = Math.min(one.until, since);
    cards.set(dated.card.id, keep(dated.card, dated.at, line));
  }
  return { cards, damaged };
}

export type KnownCard = Readonly<ReturnType<typeof known>>;

/** Keeps the line, not the card: a history of years would fill the memory. `at`: epoch milliseconds UTC. */
function known(card: StoredCard, at: number, line: string) {
  const type = String(card.source_bot_type);
  return { id: card.id, at, type, isBought: isDetail(card), isSettled: isSettled(card), line };
}

export type MonthFile = Awaited<ReturnType<typeof readMonth>>;

async function readMonth(directory: string, month: string) {
  const path = monthPath(directory, month);
  return { month, path, ...cardsOfLines(await readLines(path), known), isChanged: false };
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

  /** A card that changes its file is in the journal until all are saved. @throws ScreenerError storage */
  async save(): Promise<void> {
    for (const file of this.opened.filter(({ isChanged }) => isChanged)) {
      const cards = [...file.cards.values()].sort((a, b) => a.at - b.at || a.id - b.id);
      await replaceFile(file.path, cards.map(({ line }) => `${line}\n`).join(''));
      file.isChanged = false;
    }
  }
}
