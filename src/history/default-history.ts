/** The history that commands use without being told; what is settled there is not bought again. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Screeners, SignalDetail } from '../api/contract/resources.ts';
import { at, formatApiTime } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { ServiceAnswer } from '../outcomes/service-answers.ts';
import type { Context, Notes } from '../runtime/context.ts';
import { expandHome } from '../runtime/directories.ts';
import { checkWritable } from '../runtime/plain-file.ts';
import { appendScreeners, appendStats } from './store/answers.ts';
import { History } from './store/history.ts';
import { leaveBeside, readJournal } from './store/journal.ts';
import { isSettled, MANIFEST_FILE, type StoredCard } from './store/layout.ts';
import { type Asked, type ExportManifest, loadManifest } from './store/manifest.ts';

/** `SCREENER_HISTORY`, else `history` in the platform's data folder: an absolute path. */
export function defaultHistory({ env, directories }: Pick<Context, 'env' | 'directories'>): string {
  return resolve(expandHome(env.SCREENER_HISTORY ?? '', env) || join(directories.data, 'history'));
}

interface HistoryUser {
  readonly context: Pick<Context, 'env' | 'directories' | 'clock'>;
  readonly notes: Pick<Notes, 'warn' | 'debug'>;
  readonly account: string;
}

/** Leaves another account's history alone, and never fails: what cannot be used holds nothing. */
export class DefaultHistory {
  readonly #user: HistoryUser;
  readonly #directory: string;
  /** Another one once a run has replaced month files, or made them. */
  readonly #version: string;
  readonly #latest = new Map<number, SignalDetail>();
  #hasWarned = false;

  constructor(user: HistoryUser) {
    this.#user = user;
    this.#directory = defaultHistory(user.context);
    this.#version = versionOf(this.#directory);
  }

  async settled(ids: readonly number[]): Promise<ReadonlyMap<number, SignalDetail>> {
    await this.#find(ids, Number.POSITIVE_INFINITY);
    const found = ids.flatMap((id) => this.#latest.get(id) ?? []);
    try {
      if (found.length < ids.length) checkWritable(this.#directory);
    } catch (cause) {
      this.#warnOfUnkept(cause);
    }
    return new Map(found.map((detail) => [detail.id, detail]));
  }

  /** Looks again, at what came meanwhile. @param since of what is not settled, epoch milliseconds UTC */
  async findAgain(id: number, since: number): Promise<SignalDetail | undefined> {
    for (const entry of (await this.read(() => readJournal(this.#directory))) ?? []) {
      if (entry.kind === 'detail') this.#take(entry.detail, entry.asked, since);
    }
    if (versionOf(this.#directory) !== this.#version) await this.#find([id], since);
    return this.#latest.get(id);
  }

  async #find(ids: readonly number[], since: number): Promise<void> {
    await this.read(async (history, { asked }) => {
      for (const card of (await history.find(ids)).values())
        this.#take(card, asked[card.id], since);
    });
  }

  #take(card: StoredCard, asked: Asked | undefined, since: number): void {
    const isRecent = asked?.failed === 0 && at(asked.at) >= since;
    if (isSettled(card) || isRecent) this.#latest.set(card.id, card as unknown as SignalDetail);
  }

  /** @returns what `work` makes of the history; undefined if it cannot be used */
  read<T>(
    work: (history: History, manifest: ExportManifest) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#ifUsable(async () => {
      const history = new History(this.#directory, this.#user.notes, this.#user.context.clock);
      const manifest = await history.manifest();
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

  async keepDetail(detail: SignalDetail): Promise<void> {
    try {
      const asked = (await this.#own()).asked[detail.id];
      const at = formatApiTime(this.#user.context.clock.now());
      const entry = { times: (asked?.times ?? 0) + 1, at, failed: 0, not_found: false };
      await leaveBeside(this.#directory, { kind: 'detail', detail, asked: entry });
    } catch (cause) {
      this.#warnOfUnkept(cause);
    }
  }

  /** Once: the details are printed in any case. */
  #warnOfUnkept(cause: unknown): void {
    const text = `Outcomes cannot be kept in ${this.#directory}, so showing them again costs again`;
    if (!this.#hasWarned) this.#user.notes.warn(`${text}: ${(cause as Error).message}`);
    this.#hasWarned = true;
  }

  /** Made if there is none. @throws Error if it is another account's; ScreenerError storage */
  async #own(): Promise<ExportManifest> {
    const user = this.#user;
    const manifest = (await loadManifest(this.#directory)) ?? (await make(this.#directory, user));
    if (manifest.account !== user.account)
      throw new Error('it is the history of another account, key or base URL');
    return manifest;
  }

  async keepScreeners(answer: Screeners): Promise<void> {
    const now = this.#user.context.clock.now();
    await this.read((_, { screeners_at }) =>
      appendScreeners(this.#directory, answer, now, screeners_at),
    );
  }

  async keepStats(answer: ServiceAnswer): Promise<void> {
    await this.#ifUsable(async () => {
      await this.#own();
      await appendStats(this.#directory, answer);
    });
  }
}

/** Two runs may end in the same tick of the disk's clock. */
function versionOf(directory: string): string {
  try {
    const { ctimeMs, ino } = statSync(join(directory, MANIFEST_FILE));
    return `${ctimeMs} ${ino}`;
  } catch {
    // A file may stand in its place.
    return '';
  }
}

/** Milliseconds: until then whoever began to make the history, and was killed, holds its lock no more. */
const LONGEST_MAKING = 40_000;

/**
 * Waits while another command makes it: what is to be kept is paid for.
 * @throws ScreenerError storage; busy, where the other one has made none for so long
 */
async function make(directory: string, user: HistoryUser): Promise<ExportManifest> {
  const { withLockedHistory } = await import('./export/working-history.ts');
  const { account, notes } = user;
  const { clock } = user.context;
  const until = clock.now() + LONGEST_MAKING;
  for (;;) {
    try {
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
