/**
 * `.journal.ndjson`: everything that was paid for and is not in a month file yet. One line is one answer, with all that
 * is needed to go on from it; a line says how things are after it, never what changed, so that reading it twice does no
 * harm. What another command buys while a run has the directory lies in files of its own beside it, for the next run.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { time } from '../api/contract/primitives.ts';
import { ScreenerError } from '../errors.ts';
import { appendLine, isMissing, openPlainFile, storing, syncDirectory, truncateFile } from '../runtime/files.ts';
import { jsonText } from '../runtime/json-text.ts';
import { Asked, Coverage } from './export-manifest.ts';
import { asStoredCard, JOURNAL_FILE, type StoredCard } from './layout.ts';
import { parseJson, readLines } from './lines.ts';

const Card = v.custom<StoredCard>((value) => asStoredCard(value) !== undefined);
const ofCard = { id: v.pipe(v.number(), v.safeInteger()), created_at: time };

const Entry = v.variant('kind', [
  // A page of the list, and what is covered once it is in.
  v.object({ kind: v.literal('page'), items: v.pipe(v.array(Card), v.readonly()), coverage: Coverage }),
  // A detail that was bought.
  v.object({ kind: v.literal('detail'), detail: Card, asked: Asked }),
  // A detail that the server answered with 404, a second time.
  v.object({ kind: v.literal('gone'), ...ofCard }),
  // A detail that the server could not give, although it answers for others: to be asked for again later.
  v.object({ kind: v.literal('failed'), ...ofCard, asked: Asked }),
  // Statistics of a screener type that could not be had.
  v.object({ kind: v.literal('stats-failed'), type: v.string(), at: time }),
  // A look at `/screeners`, whose answer is in its own file.
  v.object({ kind: v.literal('screeners'), at: time }),
]);

export type JournalEntry = v.InferOutput<typeof Entry>;

/** The journal of the one run that holds the directory. What it reads and appends, it also keeps in memory. */
export class Journal {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #entries: JournalEntry[];
  /** Files of other commands that are read, and not in month files yet. */
  readonly #beside: string[];
  #size: number;

  private constructor(path: string, file: FileHandle, size: number, entries: JournalEntry[], beside: string[]) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#entries = entries;
    this.#beside = beside;
  }

  /** Opens it with the entries that a killed run left, and those beside it. @throws ScreenerError storage */
  static async open(directory: string): Promise<Journal> {
    const path = join(directory, JOURNAL_FILE);
    return storing(`open ${path}`, async () => {
      const file = await openPlainFile(path, APPENDING);
      try {
        await syncDirectory(directory);
        const beside = await filesBeside(directory);
        const entries = await Promise.all([path, ...beside].map(readEntries));
        return new Journal(path, file, (await file.stat()).size, entries.flat(), beside);
      } catch (cause) {
        await file.close();
        throw cause;
      }
    });
  }

  /** Whether a killed run left nothing, not even half a line, and nothing lies beside it. */
  get isEmpty(): boolean {
    return this.#size === 0 && this.#beside.length === 0;
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
        await this.#file.appendFile(line);
        await this.#file.sync();
      } catch (cause) {
        await truncateFile(this.#path, this.#size).catch(() => undefined);
        throw cause;
      }
    });
    this.#size += line.length;
    this.#entries.push(entry);
  }

  /** Empties it, once everything in it is in month files and `export.json`. */
  async clear(): Promise<void> {
    if (this.isEmpty) return;
    await storing(`empty ${this.#path}`, async () => {
      await truncateFile(this.#path, 0);
      for (const path of this.#beside.splice(0)) await fs.rm(path, { force: true });
    });
    this.#size = 0;
    this.#entries.length = 0;
  }

  /** An empty one is removed: it stands there only while a run is under way, or after one was killed. */
  async close(): Promise<void> {
    await this.#file.close();
    if (this.isEmpty) await storing(`remove ${this.#path}`, () => fs.rm(this.#path, { force: true }));
  }
}

const APPENDING = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/** Everything that was paid for and is not in a month file yet. @throws ScreenerError storage */
export async function readJournal(directory: string): Promise<JournalEntry[]> {
  const paths = [join(directory, JOURNAL_FILE), ...(await filesBeside(directory))];
  return (await Promise.all(paths.map(readEntries))).flat();
}

/** Whether a run is under way, or was killed. @throws ScreenerError storage */
export async function isUnfinished(directory: string): Promise<boolean> {
  return (await readEntries(join(directory, JOURNAL_FILE))).length > 0;
}

/** Where a command leaves what it bought while a run has the directory: a file each, whole once it has this name. */
const BESIDE = /^\.bought-[0-9a-f]{12}\.ndjson$/;

/** @throws ScreenerError storage */
export async function leaveBeside(directory: string, entries: readonly JournalEntry[]): Promise<void> {
  const path = join(directory, `.bought-${randomBytes(6).toString('hex')}.ndjson`);
  await storing(`write ${path}`, async () => {
    await appendLine(`${path}.part`, entries.map((entry) => jsonText(entry)).join('\n'));
    await fs.rename(`${path}.part`, path);
    await syncDirectory(directory);
  });
}

async function filesBeside(directory: string): Promise<string[]> {
  const names = await fs.readdir(directory).catch((cause) => (isMissing(cause) ? [] : Promise.reject(cause)));
  return names.filter((name) => BESIDE.test(name)).map((name) => join(directory, name));
}

/**
 * The entries of a file. A line that was cut off by a crash or a full disk is left out: its answer was not saved.
 * @throws ScreenerError storage, also where a line is whole and no entry
 */
async function readEntries(path: string): Promise<JournalEntry[]> {
  return (await readLines(path)).flatMap((line, i) => {
    const value = parseJson(line);
    if (value === undefined) return [];
    const entry = v.safeParse(Entry, value);
    if (entry.success) return [entry.output];
    throw new ScreenerError('storage', `${path} is damaged: line ${i + 1} is no entry of an export.`, {
      hint: 'Move it away and run the command again. Its other lines hold cards and outcomes as JSON.',
    });
  });
}
