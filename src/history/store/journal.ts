/**
 * `.journal.ndjson`: the answers that are paid for, and are in no month file yet. A line may be read again after its cards have
 * come into a month file: that changes nothing.
 */
import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { appendLine, syncDirectory, withStorageErrors } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { asStoredCard, JOURNAL_FILE, namesIn, type StoredCard } from './layout.ts';
import { parseJson, visitLines } from './lines.ts';
import { Coverage, DetailRequests } from './manifest.ts';

const Card = v.custom<StoredCard>((value) => asStoredCard(value) !== undefined);

const Entry = v.variant('kind', [
  v.object({
    kind: v.literal('page'),
    items: v.pipe(v.array(Card), v.readonly()),
    coverage: Coverage,
  }),
  v.object({ kind: v.literal('detail'), detail: Card, asked: DetailRequests }),
  // The request for a detail failed. The detail is asked for again later.
  v.object({
    kind: v.literal('failed'),
    id: v.pipe(v.number(), v.safeInteger()),
    asked: DetailRequests,
  }),
  // The screeners' settings were recorded.
  v.object({ kind: v.literal('settings'), screeners_at: time }),
]);

/** The cards of a line that another version of this program wrote. What else the line has is not known, and left out. */
interface CardsAlone {
  readonly kind: 'cards';
  readonly items: readonly StoredCard[];
}

export type JournalEntry = v.InferOutput<typeof Entry> | CardsAlone;

/** The name of a file of purchases beside the journal. A file gets this name only when all of it is written. */
const PURCHASES_FILE = /^\.bought-[0-9a-f]{12}\.ndjson$/;

function nameOfPurchases(): string {
  return `.bought-${randomBytes(6).toString('hex')}.ndjson`;
}

/**
 * Entries of the journal and of the files of purchases beside it.
 * @param warn is told of lines that are no JSON, and of lines that are no entry. They are left out, but for the cards of the latter.
 * @param readPaths the files that were read before: they are not read again. Gets the files that are read now.
 * @throws ScreenerError storage
 */
export async function readJournal(
  directory: string,
  warn: (text: string) => void,
  readPaths = new Set<string>(),
): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const inFolder = await withStorageErrors(`read ${directory}`, () => namesIn(directory));
  const names = [JOURNAL_FILE, ...inFolder.filter((name) => PURCHASES_FILE.test(name))];
  // The files are read one after the other, because a month's purchases may be more files than a process may have open.
  for (const path of names.map((name) => join(directory, name))) {
    if (!readPaths.has(path)) entries.push(...(await readEntries(path, warn)));
    readPaths.add(path);
  }
  return entries;
}

/**
 * Leaves out lines that are no JSON, and warns of them. If the last line of the journal is no JSON, there is no warning: a kill
 * cut it off while it was being written.
 *
 * A line that is JSON, but no entry, was written by another version of this program. A run of this one must not end with it: its
 * cards are kept, because they may be paid for.
 * @throws ScreenerError storage
 */
async function readEntries(path: string, warn: (text: string) => void): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  /** The number of the previous line, if that line is no JSON. The warning is held back until another line follows. */
  let unreadable: number | undefined;
  const warnOfUnreadable = () => {
    if (unreadable === undefined) return;
    warn(`${path}: line ${unreadable} is damaged, and left out: the purchase in it is lost.`);
    unreadable = undefined;
  };
  await visitLines(path, (line, number) => {
    warnOfUnreadable();
    const value = parseJson(line);
    if (value === undefined) {
      unreadable = number;
      return;
    }
    const entry = v.safeParse(Entry, value, { abortEarly: true });
    if (entry.success) {
      entries.push(entry.output);
      return;
    }
    warn(
      `${path}: line ${number} is of another version of screener. Its cards are kept, and the rest is left out.`,
    );
    entries.push({ kind: 'cards', items: cardsOfUnknown(value) });
  });
  // No line of a file of purchases was cut off by a kill.
  if (basename(path) !== JOURNAL_FILE) warnOfUnreadable();
  return entries;
}

/** The cards of a line that is no entry. All versions have had them in these two fields. */
function cardsOfUnknown(value: unknown): StoredCard[] {
  const { items, detail } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const values = Array.isArray(items) ? [...items, detail] : [detail];
  const cards = values.map((card) => asStoredCard(card)?.card);
  return cards.filter((card) => card !== undefined);
}

export function cardsOf(entry: JournalEntry): readonly StoredCard[] {
  if (entry.kind === 'page' || entry.kind === 'cards') return entry.items;
  return entry.kind === 'detail' ? [entry.detail] : [];
}

/** Only the run that holds the lock may call this. Waits until the entry is on the disk. @throws ScreenerError storage */
export function appendToJournal(directory: string, entry: JournalEntry): Promise<void> {
  return appendLine(join(directory, JOURNAL_FILE), jsonText(entry));
}

/**
 * A command that does not hold the lock calls this. It writes the entry to a file of its own, which the next run takes in.
 * @throws ScreenerError storage
 */
export async function leaveForNextRun(directory: string, entry: JournalEntry): Promise<void> {
  const path = join(directory, nameOfPurchases());
  await withStorageErrors(`write ${path}`, async () => {
    await appendLine(`${path}.part`, jsonText(entry));
    renameSync(`${path}.part`, path);
    syncDirectory(directory);
  });
}
