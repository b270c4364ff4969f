/**
 * The history that commands use without being told: what is settled there is not bought again, and what they buy is
 * added to it.
 */
import { join, resolve } from 'node:path';
import type { Screeners, SignalDetail } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import type { ServiceAnswer } from '../outcomes/service-medians.ts';
import type { Context } from '../runtime/context.ts';
import { expandHome } from '../runtime/directories.ts';
import type { Notes } from '../runtime/notes.ts';
import { History } from './store/history.ts';
import { type JournalEntry, leaveBeside } from './store/journal.ts';
import { isSettled } from './store/layout.ts';
import { type ExportManifest, loadManifest } from './store/manifest.ts';
import { appendScreeners } from './store/screeners-log.ts';
import { appendStats } from './store/stats-log.ts';

/** `SCREENER_HISTORY`, else `history` in the platform's data folder: an absolute path. */
export function defaultHistory({ env, directories }: Pick<Context, 'env' | 'directories'>): string {
  return resolve(expandHome(env.SCREENER_HISTORY ?? '', env) || join(directories.data, 'history'));
}

/** Whose command it is: only a history of the same account is read or added to. */
interface HistoryUser {
  readonly context: Pick<Context, 'env' | 'directories' | 'clock'>;
  readonly notes: Pick<Notes, 'warn' | 'debug'>;
  /** `Account.id`. */
  readonly account: string;
}

/**
 * Finds outcomes that the default history holds and that buying again could not better. Never fails: a history that
 * cannot be read holds none.
 * @returns a function of card ids, and of a time that none of the cards is older than (epoch milliseconds UTC); it gives
 *   the outcomes by id, in no order
 */
export function settledOutcomes(user: HistoryUser) {
  const history = new History(defaultHistory(user.context), user.notes);
  return async (ids: readonly number[], since?: number): Promise<ReadonlyMap<number, SignalDetail>> => {
    const cards = await quietly(user, 'read', async () =>
      (await history.manifest())?.account === user.account ? history.find(ids, since) : undefined,
    );
    const settled = [...(cards?.values() ?? [])].filter(isSettled);
    return new Map(settled.map((card) => [card.id, card as unknown as SignalDetail]));
  };
}

/**
 * Adds details that were bought to the default history, where there is one of this account: readers find them at once,
 * and the next run takes them into the month files. Never fails: they are printed in any case.
 */
export async function keepDetails(user: HistoryUser, details: readonly SignalDetail[]): Promise<void> {
  const at = formatApiTime(user.context.clock.now());
  await ofAccount(user, 'add to', (directory, { asked }) => {
    const entries = details.map((detail): JournalEntry => {
      const times = (asked[detail.id]?.times ?? 0) + 1;
      return { kind: 'detail', detail, asked: { times, at, failed: 0, not_found: false } };
    });
    return leaveBeside(directory, entries);
  });
}

/** Keeps an answer of `/screeners` in the default history where it differs from the one before. Never fails. */
export async function keepScreeners(user: HistoryUser, answer: Screeners): Promise<void> {
  await ofAccount(user, 'add to', (directory, { screeners_at }) =>
    appendScreeners(directory, answer, user.context.clock.now(), screeners_at),
  );
}

/** Keeps statistics that were bought in the default history. Never fails. */
export async function keepStats(user: HistoryUser, answer: ServiceAnswer): Promise<void> {
  await ofAccount(user, 'add to', (directory) => appendStats(directory, answer));
}

/** @returns undefined where there is no history of this account, or the work failed */
async function ofAccount<T>(
  user: HistoryUser,
  doing: string,
  work: (directory: string, manifest: ExportManifest) => Promise<T>,
): Promise<T | undefined> {
  return quietly(user, doing, async (directory) => {
    const manifest = await loadManifest(directory);
    return manifest?.account === user.account ? work(directory, manifest) : undefined;
  });
}

async function quietly<T>(
  { context, notes }: HistoryUser,
  doing: string,
  work: (directory: string) => Promise<T>,
): Promise<T | undefined> {
  const directory = defaultHistory(context);
  try {
    return await work(directory);
  } catch (cause) {
    notes.debug(`Cannot ${doing} the history ${directory}: ${cause instanceof Error ? cause.message : cause}`);
    return undefined;
  }
}
