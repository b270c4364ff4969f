/** `.journal.ndjson`: what is paid for and in no month file yet. Reading a line twice does no harm. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { ScreenerError } from '../../errors.ts';
import { appendLine, storing, syncDirectory } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { asStoredCard, createdAt, JOURNAL_FILE, monthOf, namesIn, newerVersion, type StoredCard } from './layout.ts';
import { parseJson, readLines } from './lines.ts';
import { Asked, Coverage } from './manifest.ts';

const Card = v.custom<StoredCard>((value) => asStoredCard(value) !== undefined);
const ofCard = { id: v.pipe(v.number(), v.safeInteger()), created_at: time };

const Entry = v.variant('kind', [
  v.object({ kind: v.literal('page'), items: v.pipe(v.array(Card), v.readonly()), coverage: Coverage }),
  v.object({ kind: v.literal('detail'), detail: Card, asked: Asked }),
  // Answered with 404, a second time.
  v.object({ kind: v.literal('gone'), ...ofCard }),
  // Refused, although others are answered: asked for again later.
  v.object({ kind: v.literal('failed'), ...ofCard, asked: Asked }),
  v.object({
    kind: v.literal('others'),
    screeners_at: v.exactOptional(time),
    refused: v.exactOptional(v.record(v.string(), time)),
  }),
]);

export type JournalEntry = v.InferOutput<typeof Entry>;

interface JournalCards {
  readonly byId: ReadonlyMap<number, StoredCard>;
  /** UTC months of the cards, and those of which only a count changes. */
  readonly months: ReadonlySet<string>;
}

/** Only the run that has the lock appends or empties. */
export class Journal {
  readonly #directory: string;
  readonly #beside: string[];
  readonly entries: JournalEntry[];

  private constructor(directory: string, beside: string[], entries: JournalEntry[]) {
    this.#directory = directory;
    this.#beside = beside;
    this.entries = entries;
  }

  static async open(directory: string): Promise<Journal> {
    const beside = await filesBeside(directory);
    const entries: JournalEntry[][] = [];
    // One after the other: a month's purchases may be more files than a process may have open.
    for (const path of [pathIn(directory), ...beside]) entries.push(await readEntries(path));
    return new Journal(directory, beside, entries.flat());
  }

  /** @returns the details that other commands have bought since it was opened @throws ScreenerError storage */
  async readBeside(): Promise<StoredCard[]> {
    const added: JournalEntry[] = [];
    for (const path of await filesBeside(this.#directory)) {
      if (this.#beside.includes(path)) continue;
      added.push(...(await readEntries(path)));
      this.#beside.push(path);
    }
    this.entries.push(...added);
    return added.flatMap((entry) => (entry.kind === 'detail' ? [entry.detail] : []));
  }

  cards(): JournalCards {
    const byId = new Map<number, StoredCard>();
    const months = new Set<string>();
    for (const entry of this.entries) {
      if (entry.kind === 'gone') months.add(monthOf(createdAt(entry)));
      const items = entry.kind === 'page' ? entry.items : entry.kind === 'detail' ? [entry.detail] : [];
      for (const card of items) byId.set(card.id, newerVersion(byId.get(card.id), card));
    }
    for (const card of byId.values()) months.add(monthOf(createdAt(card)));
    return { byId, months };
  }

  /** Waits until the entry is on the disk. @throws ScreenerError storage; earlier entries are kept */
  async append(entry: JournalEntry): Promise<void> {
    const path = pathIn(this.#directory);
    await appendLine(path, jsonText(entry));
    this.entries.push(entry);
  }

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

/** Names a file of purchases, whole once it has this name. */
const BESIDE = /^\.bought-[0-9a-f]{12}\.ndjson$/;

export async function leaveBeside(directory: string, entries: readonly JournalEntry[]): Promise<void> {
  const path = join(directory, `.bought-${randomBytes(6).toString('hex')}.ndjson`);
  await storing(`write ${path}`, async () => {
    await appendLine(`${path}.part`, entries.map((entry) => jsonText(entry)).join('\n'));
    await fs.rename(`${path}.part`, path);
    await syncDirectory(directory);
  });
}

async function filesBeside(directory: string): Promise<string[]> {
  return (await namesIn(directory)).filter((name) => BESIDE.test(name)).map((name) => join(directory, name));
}

/** Leaves out a line that was cut off: its answer was not saved. @throws ScreenerError storage */
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
