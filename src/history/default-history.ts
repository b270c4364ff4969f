/** The history that commands use unless the user names another one. What is settled in it is not bought again. */
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
import { leaveBeside, readJournal } from './store/journal.ts';
import { isSettled, MANIFEST_FILE, type StoredCard } from './store/layout.ts';
import { type DetailRequests, type ExportManifest, loadManifest } from './store/manifest.ts';

/** The folder of the default history, an absolute path: `SCREENER_HISTORY`, else `history` in the platform's data folder. */
export function defaultHistory({ env, directories }: Pick<Context, 'env' | 'directories'>): string {
  return folderNamedBy(env.SCREENER_HISTORY, env, join(directories.data, 'history'));
}

/** The command that uses the history. */
interface HistoryUser {
  readonly context: Pick<Context, 'env' | 'directories' | 'clock'>;
  readonly notes: Pick<Notes, 'warn' | 'debug'>;
  readonly account: string;
}

/** Uses the history of this account only, and never fails: a history that cannot be used counts as empty. */
export class DefaultHistory {
  readonly #user: HistoryUser;
  readonly #directory: string;
  /** The version of the manifest when this began. It changes when a run ends, which may have replaced month files. */
  readonly #version: string;
  /** Details that need not be bought: settled ones, and those that another command has bought meanwhile. */
  readonly #usable = new Map<number, SignalDetail>();
  #hasWarned = false;

  constructor(user: HistoryUser) {
    this.#user = user;
    this.#directory = defaultHistory(user.context);
    this.#version = versionOf(this.#directory);
  }

  /** The cards of which the history has a settled outcome. Warns if it is to be written to and cannot be. */
  async settled(ids: readonly number[]): Promise<ReadonlyMap<number, SignalDetail>> {
    await this.#readCards(ids);
    const settled = new Map<number, SignalDetail>();
    for (const id of ids) {
      const detail = this.#usable.get(id);
      if (detail !== undefined) settled.set(id, detail);
    }
    try {
      if (settled.size < new Set(ids).size) checkWritable(this.#directory);
    } catch (cause) {
      this.#warnOfUnkept(cause);
    }
    return settled;
  }

  /**
   * Looks again for a card that another command may have bought meanwhile.
   * @param askedSince an outcome that is not settled counts if it was asked for at this time or later, epoch milliseconds UTC
   */
  async findAgain(id: number, askedSince: number): Promise<SignalDetail | undefined> {
    const { notes } = this.#user;
    const warn = (text: string) => notes.warn(text);
    const entries = (await this.read(() => readJournal(this.#directory, warn))) ?? [];
    for (const entry of entries) {
      if (entry.kind === 'detail') this.#take(entry.detail, entry.asked, askedSince);
    }
    const hasRunEnded = versionOf(this.#directory) !== this.#version;
    if (hasRunEnded) await this.#readCards([id], askedSince);
    return this.#usable.get(id);
  }

  /** @param askedSince as for `findAgain`; if undefined, only settled outcomes count */
  async #readCards(ids: readonly number[], askedSince?: number): Promise<void> {
    await this.read(async (history, { asked }) => {
      const cards = await history.find(ids);
      for (const card of cards.values()) this.#take(card, asked[card.id], askedSince);
    });
  }

  #take(
    card: StoredCard,
    requests: DetailRequests | undefined,
    askedSince: number | undefined,
  ): void {
    const wasAnswered = requests !== undefined && requests.failed === 0;
    const isRecent = wasAnswered && askedSince !== undefined && millisOf(requests.at) >= askedSince;
    // A card that is settled, or whose request was answered, has its detail.
    if (isSettled(card) || isRecent) this.#usable.set(card.id, card as unknown as SignalDetail);
  }

  /** @returns the result of `work`; undefined if the history cannot be used, or is another account's */
  read<T>(
    work: (history: History, manifest: ExportManifest) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#ifUsable(async () => {
      const history = new History(this.#directory, this.#user.notes, this.#user.context.clock);
      const manifest = await loadManifest(this.#directory);
      return manifest?.account === this.#user.account ? work(history, manifest) : undefined;
    });
  }

  async #ifUsable<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      this.#user.notes.debug(
        `Cannot use the history ${this.#directory}: ${(cause as Error).message}`,
      );
      return undefined;
    }
  }

  /** Adds a detail that was bought. Warns once if it cannot be kept. */
  async keepDetail(detail: SignalDetail): Promise<void> {
    try {
      const { asked: requestsOfCards } = await this.#ownManifest();
      const requests = requestsOfCards[detail.id];
      const at = formatApiTime(this.#user.context.clock.now());
      const entry = { times: (requests?.times ?? 0) + 1, at, failed: 0, not_found: false };
      await leaveBeside(this.#directory, { kind: 'detail', detail, asked: entry });
    } catch (cause) {
      this.#warnOfUnkept(cause);
    }
  }

  /** Warns once for all details: they are printed in any case. */
  #warnOfUnkept(cause: unknown): void {
    const text = `Outcomes cannot be kept in ${this.#directory}, so showing them again costs again`;
    if (!this.#hasWarned) this.#user.notes.warn(`${text}: ${(cause as Error).message}`);
    this.#hasWarned = true;
  }

  /**
   * The manifest of this account's history, which is made if there is none.
   * @throws Error if it is another account's; ScreenerError storage
   */
  async #ownManifest(): Promise<ExportManifest> {
    const user = this.#user;
    const manifest = (await loadManifest(this.#directory)) ?? (await make(this.#directory, user));
    if (manifest.account !== user.account)
      throw new Error('it is the history of another account, key or base URL');
    return manifest;
  }

  /** Adds an answer of `/screeners` to a history that exists. */
  async keepScreeners(answer: Screeners): Promise<void> {
    const now = this.#user.context.clock.now();
    await this.read((_, { screeners_at }) =>
      appendScreeners(this.#directory, answer, now, screeners_at),
    );
  }

  /** Adds an answer of `/signal-stats`. The history is made if there is none. */
  async keepStats(answer: ServiceAnswer): Promise<void> {
    await this.#ifUsable(async () => {
      await this.#ownManifest();
      await appendStats(this.#directory, answer);
    });
  }
}

/** Two runs may end in the same tick of the disk's clock: the inode tells them apart. */
function versionOf(directory: string): string {
  try {
    const { ctimeMs, ino } = statSync(join(directory, MANIFEST_FILE));
    return `${ctimeMs} ${ino}`;
  } catch {
    // A file may stand in its place.
    return '';
  }
}

/** Milliseconds after which the lock of a process that was killed while it made the history has expired. */
const LOCK_EXPIRED = 40_000;

/**
 * Makes the history. Waits while another command makes it: the answer is paid for, so it is worth the wait to keep it.
 * @throws ScreenerError storage; busy, if the other command still has made none after `LOCK_EXPIRED`
 */
async function make(directory: string, user: HistoryUser): Promise<ExportManifest> {
  const { withLockedHistory } = await import('./export/working-history.ts');
  const { account, notes } = user;
  const { clock } = user.context;
  const until = clock.now() + LOCK_EXPIRED;
  for (;;) {
    try {
      // It waits a moment for the lock, so that this loop does not spin.
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
