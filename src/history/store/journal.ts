/**
 * `.journal.ndjson`: everything that was paid for and is not in a month file yet. One line is one answer, with all that
 * is needed to go on from it; a line says how things are after it, never what changed, so that reading it twice does no
 * harm. What another command buys lies in files of its own beside it, for the next run.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { ScreenerError } from '../../errors.ts';
import { appendLine, isMissing, storing, syncDirectory } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { asStoredCard, createdAt, JOURNAL_FILE, MONTH, monthOf, newerVersion, type StoredCard } from './layout.ts';
import { parseJson, readLines } from './lines.ts';
import { Asked, Coverage } from './manifest.ts';

const Card = v.custom<StoredCard>((value) => asStoredCard(value) !== undefined);
const ofCard = { id: v.pipe(v.number(), v.safeInteger()), created_at: time };

const Entry = v.variant('kind', [
  // A page of the list, and what is covered once it is in.
  v.object({ kind: v.literal('page'), items: v.pipe(v.array(Card), v.readonly()), coverage: Coverage }),
  // Damaged lines were set aside: the months whose counts change, and what is covered without them.
  v.object({ kind: v.literal('mended'), months: v.array(v.pipe(v.string(), v.regex(MONTH))), coverage: Coverage }),
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
  v.object({ kind: v.literal('screeners-failed'), at: time }),
]);

export type JournalEntry = v.InferOutput<typeof Entry>;

/** The cards of a journal: what was paid for and is not in month files yet. */
export interface JournalCards {
  /** The latest version of each card, by id: a month file may hold it under another month. */
  readonly byId: ReadonlyMap<number, StoredCard>;
  /** UTC months of theirs, and those of which only a count changes. */
  readonly months: ReadonlySet<string>;
}

/** What a directory's journal holds; the one run that has the lock also appends to it, and empties it. */
export class Journal {
  readonly #directory: string;
  /** Files of other commands that are read, and not in month files yet. */
  readonly #beside: string[];
  /** What is not in month files and `export.json` yet, oldest first. */
  readonly entries: JournalEntry[];

  private constructor(directory: string, beside: string[], entries: JournalEntry[]) {
    this.#directory = directory;
    this.#beside = beside;
    this.entries = entries;
  }

  /** Reads what a killed run left, and what lies beside it. @throws ScreenerError storage */
  static async open(directory: string): Promise<Journal> {
    const beside = await filesBeside(directory);
    const entries: JournalEntry[][] = [];
    // One after the other: a month's purchases may be more files than a process may have open.
    for (const path of [pathIn(directory), ...beside]) entries.push(await readEntries(path));
    return new Journal(directory, beside, entries.flat());
  }

  /**
   * Reads what other commands have bought since it was opened.
   * @returns the ids of their details
   * @throws ScreenerError storage
   */
  async readBeside(): Promise<number[]> {
    const added: JournalEntry[] = [];
    for (const path of await filesBeside(this.#directory)) {
      if (this.#beside.includes(path)) continue;
      added.push(...(await readEntries(path)));
      this.#beside.push(path);
    }
    this.entries.push(...added);
    return added.flatMap((entry) => (entry.kind === 'detail' ? [entry.detail.id] : []));
  }

  cards(): JournalCards {
    const byId = new Map<number, StoredCard>();
    const months = new Set<string>();
    for (const entry of this.entries) {
      if (entry.kind === 'mended') for (const month of entry.months) months.add(month);
      if (entry.kind === 'gone') months.add(monthOf(createdAt(entry)));
      const items = entry.kind === 'page' ? entry.items : entry.kind === 'detail' ? [entry.detail] : [];
      for (const card of items) byId.set(card.id, newerVersion(byId.get(card.id), card));
    }
    for (const card of byId.values()) months.add(monthOf(createdAt(card)));
    return { byId, months };
  }

  /**
   * Appends one entry in one write and waits until it is on the disk.
   * @throws ScreenerError storage; what was appended before is kept
   */
  async append(entry: JournalEntry): Promise<void> {
    const path = pathIn(this.#directory);
    await storing(`write ${path}`, () => appendLine(path, jsonText(entry)));
    this.entries.push(entry);
  }

  /** Removes it, once everything in it is in month files and `export.json`. @throws ScreenerError storage */
  async clear(): Promise<void> {
    for (const path of [pathIn(this.#directory), ...this.#beside]) {
      await storing(`remove ${path}`, () => fs.rm(path, { force: true }));
    }
    this.entries.length = 0;
  }
}

function pathIn(directory: string): string {
  return join(directory, JOURNAL_FILE);
}

/** Whether a run is under way, or was killed. @throws ScreenerError storage */
export async function isUnfinished(directory: string): Promise<boolean> {
  return (await readEntries(pathIn(directory))).length > 0;
}

/** Where a command leaves what it bought for the next run: a file each, whole once it has this name. */
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
      hint: 'Move it away and run the command again. Its other lines contain cards and outcomes as JSON.',
    });
  });
}
