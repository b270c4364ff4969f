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
import { pluralize } from '../runtime/pluralize.ts';
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
 * Adds details that were bought to the default history, which is made where there is none: readers find them at once, and
 * the next run takes them into the month files. Never fails, because they are printed in any case; if they cannot be kept,
 * a warning says so.
 */
export async function keepDetails(user: HistoryUser, details: readonly SignalDetail[]): Promise<void> {
  const directory = defaultHistory(user.context);
  const at = formatApiTime(user.context.clock.now());
  try {
    const { account, asked } = (await loadManifest(directory)) ?? (await makeHistory(user, directory));
    if (account !== user.account) throw new Error('it is the history of another account, key or base URL');
    const entries = details.map((detail): JournalEntry => {
      const times = (asked[detail.id]?.times ?? 0) + 1;
      return { kind: 'detail', detail, asked: { times, at, failed: 0, not_found: false } };
    });
    await leaveBeside(directory, entries);
  } catch (cause) {
    const bought = pluralize(details.length, 'outcome');
    user.notes.warn(
      `${bought} could not be kept in ${directory}, so showing them again costs again: ${reasonOf(cause)}`,
    );
  }
}

/** @throws ScreenerError busy, where an export makes it at this moment; storage */
async function makeHistory({ context, account }: HistoryUser, directory: string): Promise<ExportManifest> {
  const { withLockedHistory } = await import('./export/open.ts');
  return withLockedHistory(directory, account, context, async ({ manifest }) => manifest);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
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
    notes.debug(`Cannot ${doing} the history ${directory}: ${reasonOf(cause)}`);
    return undefined;
  }
}
