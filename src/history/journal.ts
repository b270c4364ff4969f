/**
 * `.journal.ndjson`: everything that was paid for and is not in a month file yet. One line is one answer, with all that
 * is needed to go on from it; a line says how things are after it, never what changed, so that reading it twice does no
 * harm.
 */
import { type FileHandle, open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_MODE, storing, syncDirectory } from '../runtime/files.ts';
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

export class Journal {
  readonly #path: string;
  readonly #file: FileHandle;
  #size: number;

  private constructor(path: string, file: FileHandle, size: number) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
  }

  /** @throws ScreenerError storage */
  static async open(directory: string): Promise<Journal> {
    const path = join(directory, JOURNAL_FILE);
    return storing(`open ${path}`, async () => {
      const file = await open(path, 'a', FILE_MODE);
      await syncDirectory(directory);
      return new Journal(path, file, (await file.stat()).size);
    });
  }

  /**
   * Appends one entry in one write and waits until it is on the disk.
   * @throws ScreenerError storage; what was appended before is kept, and nothing of this entry
   */
  async append(entry: JournalEntry): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    await storing(`write ${this.#path}`, async () => {
      try {
        const { bytesWritten } = await this.#file.write(line);
        if (bytesWritten < line.length) {
          // Cut short: the next write says why (the disk is full, as a rule).
          await this.#file.write(line, bytesWritten);
        }
        await this.#file.sync();
        this.#size += line.length;
      } catch (cause) {
        await truncate(this.#path, this.#size).catch(() => undefined);
        throw cause;
      }
    });
  }

  /** Empties it, once everything in it is in month files and `export.json`. */
  async clear(): Promise<void> {
    await storing(`empty ${this.#path}`, async () => {
      await this.#file.truncate(0);
      await this.#file.sync();
      this.#size = 0;
    });
  }

  /** An empty one is removed: it stands there only while a run is under way, or after one was killed. */
  async close(): Promise<void> {
    await this.#file.close();
    if (this.#size === 0) await storing(`remove ${this.#path}`, () => rm(this.#path, { force: true }));
  }
}

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
