/** The history that commands use without being told; what is settled there is not bought again. */
import { join, resolve } from 'node:path';
import type { Screeners, SignalDetail } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import type { ServiceAnswer } from '../outcomes/service-answers.ts';
import type { Context } from '../runtime/context.ts';
import { expandHome } from '../runtime/directories.ts';
import type { Notes } from '../runtime/notes.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { appendScreeners, appendStats } from './store/answers.ts';
import { History } from './store/history.ts';
import { type JournalEntry, leaveBeside } from './store/journal.ts';
import { isSettled } from './store/layout.ts';
import { type ExportManifest, loadManifest } from './store/manifest.ts';

/** `SCREENER_HISTORY`, else `history` in the platform's data folder: an absolute path. */
export function defaultHistory({ env, directories }: Pick<Context, 'env' | 'directories'>): string {
  return resolve(expandHome(env.SCREENER_HISTORY ?? '', env) || join(directories.data, 'history'));
}

interface HistoryUser {
  readonly context: Pick<Context, 'env' | 'directories' | 'clock'>;
  readonly notes: Pick<Notes, 'warn' | 'debug'>;
  readonly account: string;
}

/** Leaves the history of another account alone. Never fails: a history that cannot be used holds nothing. */
export class DefaultHistory {
  readonly #user: HistoryUser;
  readonly #directory: string;
  readonly #history: History;

  constructor(user: HistoryUser) {
    this.#user = user;
    this.#directory = defaultHistory(user.context);
    this.#history = new History(this.#directory, user.notes);
  }

  async settled(ids: readonly number[]): Promise<ReadonlyMap<number, SignalDetail>> {
    const cards = await this.read((history) => history.find(ids));
    const settled = [...(cards?.values() ?? [])].filter(isSettled);
    return new Map(settled.map((card) => [card.id, card as unknown as SignalDetail]));
  }

  /** @returns what `work` makes of the history; undefined if it cannot be used */
  async read<T>(work: (history: History, manifest: ExportManifest) => Promise<T>): Promise<T | undefined> {
    try {
      const manifest = await this.#history.manifest();
      return manifest?.account === this.#user.account ? await work(this.#history, manifest) : undefined;
    } catch (cause) {
      this.#user.notes.debug(`Cannot use the history ${this.#directory}: ${reasonOf(cause)}`);
      return undefined;
    }
  }

  /** What its outcomes cost, by the days whose cards have come due. */
  async creditsPerDay(): Promise<number> {
    const share = await this.read(async (_, { bought }) => bought);
    return share ? Math.ceil(share.due / Math.max(1, Object.keys(share.by_day).length)) : 0;
  }

  /** Makes a history if there is none. The details are printed in any case: a warning says if they are not kept. */
  async keepDetails(details: readonly SignalDetail[]): Promise<void> {
    const user = this.#user;
    const at = formatApiTime(user.context.clock.now());
    try {
      const { account, asked } = (await loadManifest(this.#directory)) ?? (await make(this.#directory, user));
      if (account !== user.account) throw new Error('it is the history of another account, key or base URL');
      const entries = details.map((detail): JournalEntry => {
        const times = (asked[detail.id]?.times ?? 0) + 1;
        return { kind: 'detail', detail, asked: { times, at, failed: 0, not_found: false } };
      });
      await leaveBeside(this.#directory, entries);
    } catch (cause) {
      const bought = pluralize(details.length, 'outcome');
      const place = `${bought} could not be kept in ${this.#directory}, so showing them again costs again`;
      this.#user.notes.warn(`${place}: ${reasonOf(cause)}`);
    }
  }

  async keepScreeners(answer: Screeners): Promise<void> {
    const now = this.#user.context.clock.now();
    await this.read((_, { screeners_at }) => appendScreeners(this.#directory, answer, now, screeners_at));
  }

  async keepStats(answer: ServiceAnswer): Promise<void> {
    await this.read(async (_, manifest) => {
      const { WorkingHistory } = await import('./export/working-history.ts');
      const history = new WorkingHistory(this.#directory, manifest);
      await history.readJournal();
      await appendStats(this.#directory, answer, await history.newlySettled(answer.at));
    });
  }
}

/** @throws ScreenerError busy, where an export makes it at this moment; storage */
async function make(directory: string, { account, context }: HistoryUser): Promise<ExportManifest> {
  const { withLockedHistory } = await import('./export/working-history.ts');
  return withLockedHistory(directory, account, context, async ({ manifest }) => manifest);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
