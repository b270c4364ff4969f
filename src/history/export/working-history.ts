import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatApiTime } from '../../api/time.ts';
import { groupBy } from '../../base/collections.ts';
import { pluralize } from '../../base/units.ts';
import { ScreenerError, usageError } from '../../errors.ts';
import type { Context, Notes } from '../../runtime/context.ts';
import {
  makeDirectory,
  removeTemporaryFiles,
  replaceFile,
  withStorageErrors,
} from '../../runtime/files.ts';
import { type Lock, takeLock } from '../../runtime/lock.ts';
import { checkWritable } from '../../runtime/plain-file.ts';
import {
  appendToJournal,
  cardsOf,
  type JournalEntry,
  leaveForNextRun,
  readJournal,
} from '../store/journal.ts';
import { APPENDED_FILES, MANIFEST_FILE, type StoredCard, storedMonths } from '../store/layout.ts';
import {
  type Coverage,
  coverageOf,
  type ExportManifest,
  emptyManifest,
  type LostPart,
  type MissingCards,
  manifestWithoutFuture,
  readManifest,
  type StoredSpan,
  saveManifest,
} from '../store/manifest.ts';
import { countDamaged, Months } from '../store/months.ts';
import { applyEntry, isAwaiting } from './apply-journal.ts';
import { type Loss, lossesOfDamage } from './damage.ts';
import {
  coveredParts,
  gapsWithout,
  partsOf,
  storedSpans,
  unanswered,
  withoutPart,
  withPart,
} from './spans.ts';

/** What a run needs to write a history. */
export interface Writer {
  readonly lock: Lock;
  /** Gets a warning of damaged lines. */
  readonly notes: Pick<Notes, 'warn'>;
}

interface OpenedManifest {
  readonly manifest: ExportManifest;
  /** Whether the file was damaged, and was made anew. */
  readonly isRebuilt?: boolean;
}

/** A key that all parts of one loss share. A part without `loss` is the whole loss. */
function idOfLoss(part: LostPart): string {
  const loss = part.loss ?? part;
  return `${loss.since} ${loss.until}`;
}

/** A history as an export works on it: the month files and the manifest, with the entries of the journal added. */
export class WorkingHistory {
  readonly directory: string;
  readonly months: Months;
  manifest: ExportManifest;
  readonly #writer: Writer | undefined;
  /**
   * Whether `export.json` was damaged, and was made anew. It is then not known which parts were listed, so that all is listed
   * again.
   */
  readonly isRebuilt: boolean;
  /** The paths of the journal files that were read. `readJournal` adds to them. */
  readonly #journals = new Set<string>();

  /** @param writer undefined if the history is only read */
  constructor(directory: string, { manifest, isRebuilt = false }: OpenedManifest, writer?: Writer) {
    this.directory = directory;
    this.months = new Months(directory);
    this.manifest = manifest;
    this.isRebuilt = isRebuilt;
    this.#writer = writer;
  }

  /** Undefined if the history is only read. */
  get lock(): Lock | undefined {
    return this.#writer?.lock;
  }

  /**
   * Takes in what a killed run left, and what other commands have bought.
   * @returns the entries that were not read before
   * @throws ScreenerError storage
   */
  async takeInJournal(): Promise<JournalEntry[]> {
    const warn = (text: string) => this.#writer?.notes.warn(text);
    const entries = await readJournal(this.directory, warn, this.#journals);
    for (const entry of entries) await this.#add(entry);
    return entries;
  }

  /** Writes to the disk what a request brought, before the next request is sent. @throws ScreenerError storage, busy */
  async save(entry: JournalEntry): Promise<void> {
    try {
      this.lock?.check();
      await appendToJournal(this.directory, entry);
      await this.#add(entry);
      // If the lock was lost, the run that took over may have removed the journal, and this entry with it.
      this.lock?.check();
    } catch (error) {
      const isLockLost = error instanceof ScreenerError && error.code === 'busy';
      // The detail of a card is paid for. It is left in a file of its own, which the next run takes in.
      if (isLockLost && entry.kind === 'detail') await leaveForNextRun(this.directory, entry);
      throw error;
    }
  }

  /** Saves cards of the list, and what changes in the coverage. @throws ScreenerError storage, busy */
  async savePage(items: readonly StoredCard[], changes: Partial<Coverage>): Promise<void> {
    await this.save({
      kind: 'page',
      items,
      coverage: { ...coverageOf(this.manifest), ...changes },
    });
  }

  /**
   * Marks the parts of the list whose cards a month file has lost as unread, so that they are listed again.
   * @throws ScreenerError storage, busy
   */
  async markUnread(losses: readonly Loss[]): Promise<void> {
    const { spans, lost } = this.manifest;
    const lostParts = losses.flatMap((loss) => this.#lostPartsOf(loss));
    await this.savePage([], {
      spans: losses.reduce(withoutPart, spans),
      lost: [...lost, ...lostParts],
    });
  }

  /** The parts of a loss that were read before: what was not read has no cards to lose. With a gap in the loss these are several. */
  #lostPartsOf(loss: Loss): LostPart[] {
    const readBefore = storedSpans(coveredParts(this.manifest.spans, loss));
    // How many cards there were: those that are lost, and those that are left. It is not known which part the lost ones are from, so
    // every part has the number of the whole loss.
    const cards = loss.cards + this.#cardsOf(readBefore);
    if (readBefore.length === 1) return readBefore.map((part) => ({ ...part, cards }));
    const wholeLoss = { since: formatApiTime(loss.since), until: formatApiTime(loss.until) };
    return readBefore.map((part) => ({ ...part, cards, loss: wholeLoss }));
  }

  /** How many cards the months that were read have in parts of the list. */
  #cardsOf(stored: readonly StoredSpan[]): number {
    const parts = partsOf(stored);
    const isInAny = (time: number) =>
      parts.some(({ since, until }) => time >= since && time < until);
    return this.months.cards.filter((card) => isInAny(card.at)).length;
  }

  /**
   * If a backup has brought lost cards back, the parts of their loss count as read again. `fold` writes the manifest.
   *
   * If one part of a loss was listed again before, it is no longer among `lost`, and its cards are not counted. The count of the
   * others stays below the number of the whole loss, so that they are listed again, too.
   */
  noteRestored(): void {
    for (const parts of groupBy(this.manifest.lost, idOfLoss).values()) {
      // All parts of a loss have the same number.
      const cards = parts[0]?.cards;
      if (cards === undefined || this.#cardsOf(parts) < cards) continue;
      for (const part of partsOf(parts)) {
        const spans = withPart(this.manifest.spans, part);
        const gaps = gapsWithout(this.manifest.gaps, part);
        this.manifest = { ...this.manifest, spans, gaps };
      }
    }
  }

  /** The parts that lost cards and are still to be listed again: not those before the beginning of the list. */
  #lostPartsToList(): ExportManifest['lost'] {
    const { lost, spans, begins_at } = this.manifest;
    // A gap does not count as listed again: the service may still give its cards later.
    const isToList = (part: LostPart) =>
      unanswered([part], { spans, gaps: [], begins_at }).length > 0;
    return lost.filter(isToList);
  }

  /** Takes the gaps out of the spans. An older program counted gaps as read, and its files have spans that cover them. */
  uncoverGaps(): void {
    const { spans, gaps } = this.manifest;
    this.manifest = { ...this.manifest, spans: partsOf(gaps).reduce(withoutPart, spans) };
  }

  /**
   * Keeps in the manifest which cards a month file lacks. `fold` writes the manifest.
   * @param missing undefined if the file lacks no cards, or if no more are expected of it
   */
  noteMissing(month: string, missing: MissingCards | undefined): void {
    const before = this.manifest.months[month];
    if (before === undefined) return;
    const { cards, awaiting } = before;
    const counts = missing === undefined ? { cards, awaiting } : { cards, awaiting, missing };
    this.manifest = { ...this.manifest, months: { ...this.manifest.months, [month]: counts } };
  }

  async #add(entry: JournalEntry): Promise<void> {
    this.manifest = applyEntry(this.manifest, entry);
    for (const card of cardsOf(entry)) await this.months.put(card);
  }

  /**
   * Sets aside the damaged lines of the months that were read. Their hours no longer count as covered, so that they are listed
   * again.
   * @throws ScreenerError storage, busy
   */
  async mendDamage(): Promise<void> {
    const { damaged } = this.months;
    if (damaged.length === 0) return;
    const losses: Loss[] = [];
    for (const file of damaged) {
      const lines = pluralize(countDamaged(file.damaged), 'damaged line');
      losses.push(...lossesOfDamage(file));
      const aside = await this.months.setAside(file);
      this.#writer?.notes.warn(
        `${file.path}: ${lines} set aside in ${aside}; fetching them again.`,
      );
    }
    // The journal gets the spans before the month files are written. If a kill comes between, the hours are still listed again.
    await this.markUnread(losses);
  }

  /**
   * Sets damaged lines aside with a warning, writes the month files and the manifest, then removes the journal. If it is stopped
   * between two steps, the next fold completes it.
   * @throws ScreenerError storage, busy; then the journal stays
   */
  async fold(changes: Partial<ExportManifest> = {}): Promise<void> {
    this.lock?.check();
    await this.mendDamage();
    await this.months.save();
    const months = this.#countMonths();
    this.manifest = { ...this.manifest, months, lost: this.#lostPartsToList(), ...changes };
    await saveManifest(this.directory, this.manifest);
    for (const path of this.#journals)
      await withStorageErrors(`remove ${path}`, () => rmSync(path, { force: true }));
  }

  /** What the file of each month has, oldest month first. Months that were not read have the counts of an earlier run. */
  #countMonths(): ExportManifest['months'] {
    const counts = { ...this.manifest.months };
    for (const { month, cards } of this.months.opened) {
      const awaiting = [...cards.values()].filter((card) => isAwaiting(card, this.manifest)).length;
      if (cards.size > 0 || month in counts)
        counts[month] = { ...counts[month], cards: cards.size, awaiting };
    }
    const oldestFirst = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(oldestFirst);
  }
}

/** Takes the lock of a history: only one run at a time changes it. @throws ScreenerError busy, storage */
export function lockHistory(directory: string): Lock {
  return takeLock(directory, { heldMessage: `Another run is exporting into ${directory}.` });
}

interface Opening extends Pick<Context, 'clock'>, Pick<Writer, 'notes'> {
  /** Whether another account's history is taken over. */
  readonly adopts?: boolean;
}

/**
 * Works on a history that no other run changes meanwhile. Makes the directory if it is missing.
 * @throws ScreenerError busy; usage, if it is another account's; storage
 */
export async function withLockedHistory<T>(
  directory: string,
  account: string,
  { clock, notes, adopts = false }: Opening,
  work: (history: WorkingHistory) => Promise<T>,
): Promise<T> {
  await makeDirectory(directory);
  const take = () => withStorageErrors(`lock ${directory}`, () => lockHistory(directory));
  // Another command may hold the lock for a moment only, while it makes the history. After any other error the second attempt tells
  // what is wrong.
  const takeLater = () => clock.sleep(200).then(take);
  const lock = await take().catch(takeLater);
  try {
    await withStorageErrors(`tidy ${directory}`, () => removeTemporaryFiles(directory));
    const writer = { lock, notes };
    const opened = await openManifest(directory, account, { adopts, writer });
    // Answers that are paid for are appended to these files. If a file cannot be written, that is noticed before anything is
    // paid.
    for (const name of APPENDED_FILES)
      await withStorageErrors(`write ${name}`, () => checkWritable(join(directory, name)));
    const manifest = manifestWithoutFuture(opened.manifest, clock.now());
    const history = new WorkingHistory(directory, { ...opened, manifest }, writer);
    await history.takeInJournal();
    history.uncoverGaps();
    return await work(history);
  } finally {
    lock.release();
  }
}

/**
 * Refuses the history of another account.
 * @param owner the account of the history; undefined if it is not known
 * @throws ScreenerError usage
 */
export function refuseOther(directory: string, owner: string | undefined, account: string): void {
  if (owner === undefined || owner === account) return;
  throw usageError(
    `${directory} holds the history of another account, or of the same one under another key or base URL.`,
    'Export into another directory; or add --adopt, if only the key or the base URL of the same subscriber has changed.',
  );
}

/** Reads the manifest. A new manifest is written at once: it says to which account the first month files belong. */
async function openManifest(
  directory: string,
  account: string,
  { adopts, writer }: { readonly adopts: boolean; readonly writer: Writer },
): Promise<OpenedManifest> {
  const stored = await readManifest(directory);
  if (stored.kind === 'none') return { manifest: await startManifest(directory, account) };
  const owner = stored.kind === 'whole' ? stored.manifest.account : stored.account;
  if (!adopts) refuseOther(directory, owner, account);
  // A history that is adopted, or whose account is not known, becomes this account's.
  if (stored.kind === 'whole') return { manifest: { ...stored.manifest, account } };
  const path = join(directory, MANIFEST_FILE);
  await replaceFile(`${path}.damaged`, stored.text);
  const manifest = await rebuildManifest(directory, account, writer);
  return { manifest, isRebuilt: true };
}

async function startManifest(directory: string, account: string): Promise<ExportManifest> {
  if (storedMonths(directory).length > 0) {
    throw new ScreenerError('storage', `${directory} has month files but no export.json.`, {
      hint: 'Restore export.json from a backup, or export into a new directory. `--from` can still read the files.',
    });
  }
  const fresh = emptyManifest(account);
  await saveManifest(directory, fresh);
  return fresh;
}

/**
 * Makes a manifest from the files beside it. They show which cards are bought. They do not show which parts of the list were
 * read, so that the whole list is read again.
 */
async function rebuildManifest(
  directory: string,
  account: string,
  writer: Writer,
): Promise<ExportManifest> {
  const history = new WorkingHistory(directory, { manifest: emptyManifest(account) }, writer);
  for (const month of storedMonths(directory)) await history.months.open(month);
  await history.fold();
  return history.manifest;
}
