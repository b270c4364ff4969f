/** Month files as one run sees them, the journal's cards included: each is read once. */
import { isDetail } from '../../outcomes/row.ts';
import { replaceFile } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { DAY } from '../../runtime/units.ts';
import {
  asStoredCard,
  createdAt,
  type DatedCard,
  isSettled,
  monthOf,
  monthPath,
  newerVersion,
  type StoredCard,
} from './layout.ts';
import { type Parse, parseJson, readLines } from './lines.ts';

interface LineCard extends DatedCard {
  readonly line: string;
}

export interface DamagedLine {
  readonly text: string;
  readonly number: number;
  /** `created_at` of the cards before and after it, epoch milliseconds UTC: the file is in that order. */
  readonly since: number;
  until: number;
}

/** @param parse JSON.parse is faster, and right if only fields that the document names are read */
export function cardsOfLines(lines: readonly string[], parse?: Parse) {
  const cards = new Map<number, LineCard>();
  const damaged: DamagedLine[] = [];
  let open: DamagedLine[] = [];
  let since = Number.NEGATIVE_INFINITY;
  for (const [index, line] of lines.entries()) {
    const dated = asStoredCard(parseJson(line, parse));
    if (dated === undefined) {
      open.push({ text: line, number: index + 1, since, until: Number.POSITIVE_INFINITY });
      damaged.push(...open.slice(-1));
      continue;
    }
    for (const one of open) one.until = dated.at;
    open = [];
    since = dated.at;
    cards.set(dated.card.id, { card: dated.card, at: dated.at, line });
  }
  return { cards, damaged };
}

/** Keeps no line parsed: a history of years would fill the memory. */
export interface KnownCard {
  readonly id: number;
  readonly created_at: string;
  /** Epoch milliseconds UTC. */
  readonly at: number;
  readonly type: string;
  readonly isBought: boolean;
  readonly isSettled: boolean;
}

function known(card: StoredCard): KnownCard {
  return {
    id: card.id,
    created_at: card.created_at,
    at: createdAt(card),
    type: String(card.source_bot_type),
    isBought: isDetail(card),
    isSettled: isSettled(card),
  };
}

interface Line extends KnownCard {
  readonly text: string;
}

export class MonthFile {
  readonly month: string;
  readonly path: string;
  readonly lines = new Map<number, Line>();
  damaged: readonly DamagedLine[];
  #isChanged = false;

  constructor(month: string, path: string, stored: readonly string[]) {
    this.month = month;
    this.path = path;
    const { cards, damaged } = cardsOfLines(stored);
    this.damaged = damaged;
    for (const { card, line } of cards.values()) this.lines.set(card.id, { ...known(card), text: line });
  }

  put(card: StoredCard): void {
    const text = jsonText(card);
    if (this.lines.get(card.id)?.text === text) return;
    this.lines.set(card.id, { ...known(card), text });
    this.#isChanged = true;
  }

  delete(id: number): void {
    this.#isChanged = this.lines.delete(id) || this.#isChanged;
  }

  dropDamaged(): void {
    this.damaged = [];
    this.#isChanged = true;
  }

  async save(): Promise<void> {
    if (!this.#isChanged) return;
    const cards = [...this.lines.values()].sort((a, b) => a.at - b.at || a.id - b.id);
    await replaceFile(this.path, cards.map(({ text }) => `${text}\n`).join(''));
    this.#isChanged = false;
  }
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

  async open(month: string): Promise<MonthFile> {
    const known = this.#read.get(month);
    if (known !== undefined) return known;
    const path = monthPath(this.#directory, month);
    const file = new MonthFile(month, path, await readLines(path));
    this.#read.set(month, file);
    return file;
  }

  async has(card: StoredCard): Promise<boolean> {
    return (await this.open(monthOf(createdAt(card)))).lines.has(card.id);
  }

  /** Brings a card of the journal in, or up to date; `save` writes it. @throws ScreenerError storage */
  async put(card: StoredCard): Promise<void> {
    const file = await this.open(monthOf(createdAt(card)));
    // The service may round a time to the day.
    for (const at of [createdAt(card) - DAY, createdAt(card) + DAY]) await this.open(monthOf(at));
    const home = this.opened.find(({ lines }) => lines.has(card.id));
    const line = home?.lines.get(card.id);
    file.put(newerVersion(line && (parseJson(line.text) as StoredCard), card));
    if (home !== file) home?.delete(card.id);
  }

  /** A card that changes its file is in the journal until all are saved. @throws ScreenerError storage */
  async save(): Promise<void> {
    for (const file of this.opened) await file.save();
  }
}
