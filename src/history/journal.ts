/**
 * `.journal.ndjson`: everything that was paid for and is not in a month file yet. One line is one answer, with all that
 * is needed to go on from it; a line says how things are after it, never what changed, so that reading it twice does no
 * harm.
 */
import { constants } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlainFile, storing, syncDirectory } from '../runtime/files.ts';
import { jsonText } from '../runtime/json-text.ts';
import type { Coverage } from './export-manifest.ts';
import { asStoredCard, JOURNAL_FILE, type StoredCard } from './layout.ts';
import { parseJson, readLines } from './month.ts';

/** A page of the list, and what is covered once it is in. */
export interface PageEntry {
  readonly kind: 'page';
  readonly items: readonly StoredCard[];
  readonly coverage: Coverage;
}

/** A detail that was bought: for the how-manieth time, and when. */
export interface DetailEntry {
  readonly kind: 'detail';
  readonly detail: StoredCard;
  readonly asked: { readonly times: number; readonly at: string };
}

/** A detail that the server answered with 404. */
export interface GoneEntry {
  readonly kind: 'gone';
  readonly id: number;
  readonly created_at: string;
}

/** A detail that the server could not give, although it answers for others: to be asked for again later. */
export interface FailedEntry {
  readonly kind: 'failed';
  readonly id: number;
  readonly created_at: string;
  readonly asked: { readonly times: number; readonly at: string };
}

export type JournalEntry = PageEntry | DetailEntry | GoneEntry | FailedEntry;

/** The journal of the one run that holds the directory. What it reads and appends, it also keeps in memory. */
export class Journal {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #entries: JournalEntry[];
  #size: number;

  private constructor(path: string, file: FileHandle, size: number, entries: JournalEntry[]) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#entries = entries;
  }

  /** Opens it with the entries that a killed run left. @throws ScreenerError storage */
  static async open(directory: string): Promise<Journal> {
    const path = join(directory, JOURNAL_FILE);
    return storing(`open ${path}`, async () => {
      const file = await openPlainFile(path, APPENDING);
      await syncDirectory(directory);
      return new Journal(path, file, (await file.stat()).size, await readJournal(directory));
    });
  }

  /** Whether a killed run left nothing, not even half a line. */
  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** What is not in month files and `export.json` yet, oldest first. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /**
   * Appends one entry in one write and waits until it is on the disk.
   * @throws ScreenerError storage; what was appended before is kept, and nothing of this entry
   */
  async append(entry: JournalEntry): Promise<void> {
    const line = Buffer.from(`${jsonText(entry)}\n`);
    await storing(`write ${this.#path}`, async () => {
      try {
        const { bytesWritten } = await this.#file.write(line);
        if (bytesWritten < line.length) {
          // Cut short: the next write says why (the disk is full, as a rule).
          await this.#file.write(line, bytesWritten);
        }
        await this.#file.sync();
      } catch (cause) {
        await this.#truncate(this.#size).catch(() => undefined);
        throw cause;
      }
    });
    this.#size += line.length;
    this.#entries.push(entry);
  }

  /** Empties it, once everything in it is in month files and `export.json`. */
  async clear(): Promise<void> {
    if (this.isEmpty) return;
    await storing(`empty ${this.#path}`, () => this.#truncate(0));
    this.#size = 0;
    this.#entries.length = 0;
  }

  /** Windows lets nobody cut a file through a handle that was opened for appending. */
  async #truncate(size: number): Promise<void> {
    const file = await openPlainFile(this.#path, constants.O_RDWR);
    try {
      await file.truncate(size);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** An empty one is removed: it stands there only while a run is under way, or after one was killed. */
  async close(): Promise<void> {
    await this.#file.close();
    if (this.isEmpty) await storing(`remove ${this.#path}`, () => fs.rm(this.#path, { force: true }));
  }
}

const APPENDING = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/**
 * Reads the journal. Lines that were cut off by a crash or a full disk are left out: their answers were not saved.
 * @throws ScreenerError storage
 */
export async function readJournal(directory: string): Promise<JournalEntry[]> {
  const path = join(directory, JOURNAL_FILE);
  return (await readLines(path)).flatMap((line) => parseEntry(line) ?? []);
}

function parseEntry(line: Buffer): JournalEntry | undefined {
  const entry = parseJson(line) as JournalEntry | undefined;
  switch (entry?.kind) {
    case 'page':
      return entry.items.every((item) => asStoredCard(item)) ? entry : undefined;
    case 'detail':
      return asStoredCard(entry.detail) && entry;
    case 'gone':
    case 'failed':
      return entry;
    default:
      return undefined;
  }
}
