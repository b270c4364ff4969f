/** The history that commands use unless the user names another one. Settled outcomes that it has are not bought again. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Screeners, SignalDetail } from '../api/contract/resources.ts';
import { formatApiTime, at as millisOf } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { ServiceAnswer } from '../outcomes/service-answers.ts';
import type { Context, Notes } from '../runtime/context.ts';
import { folderNamedBy } from '../runtime/directories.ts';
import { checkWritable } from '../runtime/plain-file.ts';
import { appendScreeners, appendStats } from './store/answers.ts';
import { History } from './store/history.ts';
import { leaveForNextRun, readJournal } from './store/journal.ts';
import { isSettled, MANIFEST_FILE, type StoredCard } from './store/layout.ts';
import { type DetailRequests, type ExportManifest, loadManifest } from './store/manifest.ts';

/** The folder of the default history: `SCREENER_HISTORY`, else `history` in the platform's data folder. An absolute path. */
export function defaultHistory({ env, directories }: Pick<Context, 'env' | 'directories'>): string {
  return folderNamedBy(env.SCREENER_HISTORY, env, join(directories.data, 'history'));
}

/** The command that uses the history. */
interface HistoryUser {
  readonly context: Pick<Context, 'env' | 'directories' | 'clock'>;
  readonly notes: Pick<Notes, 'warn' | 'debug'>;
  /** Hash of base URL and key. */
  readonly account: string;
}

/** What is done with the history of this account. */
type WorkOnHistory<T> = (history: History, manifest: ExportManifest) => Promise<T>;

/**
 * Uses the history of this account only, and never fails: a history that cannot be used counts as empty. Warns if the command
 * pays again for what the history has, or pays for what the history cannot keep.
 */
export class DefaultHistory {
  readonly #user: HistoryUser;
  readonly #directory: string;
  /**
   * The version of `export.json` when the command began. If the version differs later, an export has ended meanwhile, and the
   * month files are read again.
   */
  readonly #version: string;
  /** Details that need not be bought: they are settled, or another command has bought them meanwhile. */
  readonly #usableDetails = new Map<number, SignalDetail>();
  /** The warnings that were given: each is given once. */
  readonly #warningsGiven = new Set<'unread' | 'unkept'>();

  constructor(user: HistoryUser) {
    this.#user = user;
    this.#directory = defaultHistory(user.context);
    this.#version = versionOf(this.#directory);
  }

  /**
   * The cards whose details need not be bought. The command buys the details of the other cards. Two warnings come before it
   * pays:
   * - the history cannot be read, so that outcomes in it are bought again;
   * - the folder cannot be written to, so that what is bought cannot be kept.
   */
  async usableDetails(ids: readonly number[]): Promise<ReadonlyMap<number, SignalDetail>> {
    await this.#readCards(ids);
    const usable = new Map<number, SignalDetail>();
    for (const id of ids) {
      const detail = this.#usableDetails.get(id);
      if (detail !== undefined) usable.set(id, detail);
    }
    const buysDetails = usable.size < new Set(ids).size;
    try {
      if (buysDetails) checkWritable(this.#directory);
    } catch (cause) {
      this.#warnOfUnkept(cause);
    }
    return usable;
  }

  /**
   * Looks again for a card that another command may have bought meanwhile.
   * @param askedSince as in `#rememberIfUsable`
   */
  async findAgain(id: number, askedSince: number): Promise<SignalDetail | undefined> {
    const { notes } = this.#user;
    const warn = (text: string) => notes.warn(text);
    const journal = await this.#readPurchases(() => readJournal(this.#directory, warn));
    for (const entry of journal ?? []) {
      if (entry.kind === 'detail') this.#rememberIfUsable(entry.detail, entry.asked, askedSince);
    }
    const hasRunEnded = versionOf(this.#directory) !== this.#version;
    if (hasRunEnded) await this.#readCards([id], askedSince);
    return this.#usableDetails.get(id);
  }

  /**
   * Reads cards of the history, and remembers those whose details need not be bought.
   * @param askedSince as in `#rememberIfUsable`
   */
  async #readCards(ids: readonly number[], askedSince?: number): Promise<void> {
    await this.#readPurchases(async (history, { asked }) => {
      const cards = await history.find(ids);
      for (const card of cards.values()) this.#rememberIfUsable(card, asked[card.id], askedSince);
    });
  }

  /**
   * Remembers a card if its detail need not be bought: its outcome is settled, or was asked for just now.
   * @param requests the requests for its detail; undefined if there were none
   * @param askedSince an outcome that is not settled counts if it was asked for at this time or later, epoch milliseconds UTC.
   *   Undefined if only a settled outcome counts
   */
  #rememberIfUsable(
    card: StoredCard,
    requests: DetailRequests | undefined,
    askedSince: number | undefined,
  ): void {
    const wasAnswered = requests !== undefined && requests.failed === 0;
    const isRecent = wasAnswered && askedSince !== undefined && millisOf(requests.at) >= askedSince;
    // The cast is safe: a settled card, and one whose request was answered, have all fields of a detail.
    if (isSettled(card) || isRecent)
      this.#usableDetails.set(card.id, card as unknown as SignalDetail);
  }

  /**
   * Does work that only reads the history.
   * @returns the result of `work`; undefined if the history cannot be used, or is another account's
   */
  async read<T>(work: WorkOnHistory<T>): Promise<T | undefined> {
    try {
      return await this.#readOwnHistory(work);
    } catch (cause) {
      this.#user.notes.debug(
        `Cannot use the history ${this.#directory}: ${(cause as Error).message}`,
      );
      return undefined;
    }
  }

  /** Reads what would otherwise be paid for again. Warns once if the history cannot be read. */
  async #readPurchases<T>(work: WorkOnHistory<T>): Promise<T | undefined> {
    try {
      return await this.#readOwnHistory(work);
    } catch (cause) {
      const effect = 'cannot be read, so outcomes in it are bought again';
      this.#warnOnce('unread', `The history ${this.#directory} ${effect}`, cause);
      return undefined;
    }
  }

  /** @returns undefined if there is no history, or if it is another account's @throws ScreenerError storage */
  async #readOwnHistory<T>(work: WorkOnHistory<T>): Promise<T | undefined> {
    const history = new History(this.#directory, this.#user.notes, this.#user.context.clock);
    const manifest = await loadManifest(this.#directory);
    return manifest?.account === this.#user.account ? work(history, manifest) : undefined;
  }

  /** @returns whether the history has cards; undefined if it cannot be used, or is another account's */
  async hasCards(): Promise<boolean | undefined> {
    try {
      const manifest = await loadManifest(this.#directory);
      if (manifest === undefined) return false;
      const isOwn = manifest.account === this.#user.account;
      return isOwn ? Object.keys(manifest.months).length > 0 : undefined;
    } catch {
      return undefined;
    }
  }

  /** Adds a detail that was bought. Warns once if it cannot be kept. */
  async keepDetail(detail: SignalDetail): Promise<void> {
    try {
      const manifest = await this.#ownManifest();
      const earlier = manifest.asked[detail.id];
      const at = formatApiTime(this.#user.context.clock.now());
      const asked = { times: (earlier?.times ?? 0) + 1, at, failed: 0, not_found: false };
      await leaveForNextRun(this.#directory, { kind: 'detail', detail, asked });
    } catch (cause) {
      this.#warnOfUnkept(cause);
    }
  }

  /** Warns once that answers cannot be kept. They are printed in any case. */
  #warnOfUnkept(cause: unknown): void {
    const text = `What is bought cannot be kept in ${this.#directory}, so asking again costs again`;
    this.#warnOnce('unkept', text, cause);
  }

  #warnOnce(warning: 'unread' | 'unkept', text: string, cause: unknown): void {
    if (this.#warningsGiven.has(warning)) return;
    this.#warningsGiven.add(warning);
    this.#user.notes.warn(`${text}: ${causeInWords(cause)}`);
  }

  /**
   * The manifest of this account's history, which is made if there is none.
   * @throws Error if it is another account's; ScreenerError storage
   */
  async #ownManifest(): Promise<ExportManifest> {
    const user = this.#user;
    const stored = await loadManifest(this.#directory);
    const manifest = stored ?? (await makeHistory(this.#directory, user));
    if (manifest.account !== user.account)
      throw new Error('it is the history of another account, key or base URL');
    return manifest;
  }

  /**
   * Adds an answer of `/screeners`. Warns once if it cannot be kept.
   * @param makesHistory whether the history is made if there is none. If it is not made, the answer is not kept.
   */
  async keepScreeners(answer: Screeners, makesHistory = false): Promise<void> {
    const now = this.#user.context.clock.now();
    try {
      if (makesHistory) await this.#ownManifest();
      await this.#readOwnHistory((_, { screeners_at: lastSeenBefore }) =>
        appendScreeners(this.#directory, answer, now, lastSeenBefore),
      );
    } catch (cause) {
      this.#warnOfUnkept(cause);
    }
  }

  /** Adds an answer of `/signal-stats`. The history is made if there is none. Warns once if it cannot be kept. */
  async keepStats(answer: ServiceAnswer): Promise<void> {
    try {
      await this.#ownManifest();
      await appendStats(this.#directory, answer);
    } catch (cause) {
      this.#warnOfUnkept(cause);
    }
  }
}

/** What failed, and what to do about it. */
function causeInWords(cause: unknown): string {
  const { message } = cause as Error;
  if (!(cause instanceof ScreenerError) || cause.hint === undefined) return message;
  const end = message.endsWith('.') ? '' : '.';
  return `${message}${end} ${cause.hint}`;
}

/** A text that changes when a run replaces `export.json`. If two runs end in one tick of the disk's clock, the inode differs. */
function versionOf(directory: string): string {
  try {
    const { ctimeMs, ino } = statSync(join(directory, MANIFEST_FILE));
    return `${ctimeMs} ${ino}`;
  } catch {
    // There is no `export.json` yet, or a file stands where the folder should be.
    return '';
  }
}

/** A process may be killed while it makes the history. Its lock expires within this time, milliseconds. */
const LOCK_EXPIRES_WITHIN = 40_000;

/**
 * Makes the history. Waits while another command makes it: the answer that is to be kept is paid for.
 * @throws ScreenerError storage; busy, if there is still no history after `LOCK_EXPIRES_WITHIN`
 */
async function makeHistory(directory: string, user: HistoryUser): Promise<ExportManifest> {
  const { withLockedHistory } = await import('./export/working-history.ts');
  const { account, notes } = user;
  const { clock } = user.context;
  const until = clock.now() + LOCK_EXPIRES_WITHIN;
  for (;;) {
    try {
      // `withLockedHistory` itself waits a moment for the lock, so that this loop does not spin.
      return await withLockedHistory(
        directory,
        account,
        { clock, notes },
        async ({ manifest }) => manifest,
      );
    } catch (error) {
      const manifest = await loadManifest(directory);
      if (manifest !== undefined) return manifest;
      const isBusy = error instanceof ScreenerError && error.code === 'busy';
      if (!isBusy || clock.now() >= until) throw error;
    }
  }
}
