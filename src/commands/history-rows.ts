import { formatApiTime } from '../api/time.ts';
import { loadManifest } from '../history/export-manifest.ts';
import { type Filter, newestDatedCards, openHistory } from '../history/history.ts';
import { readScreenersLog, type SettingsChange, settingsChanges } from '../history/screeners-log.ts';
import { readStatsLog } from '../history/stats-log.ts';
import { type Row, rowOf } from '../outcomes/row.ts';
import { type ServiceAnswer, STATS_WINDOW } from '../outcomes/service-medians.ts';
import type { Invocation } from './invocation.ts';
import { type Condition, checkKnownAtTrigger } from './where.ts';

/** Which cards figures are made of. */
export type RowFilter = Omit<Filter, 'where'> & { readonly where?: readonly Condition[] | undefined };

/** What a command on a history gets: its cards that are meant, and where it is. */
export interface OfHistory extends RowFilter {
  readonly directory: string;
  /** As it was named; undefined for the default one. */
  readonly from?: string | undefined;
}

/**
 * What the figures need of a history's cards that match, newest first.
 * @throws ScreenerError no_history; usage, where cards are chosen by what came later; storage
 */
export async function readRows({ context, notes }: Invocation, directory: string, filter: RowFilter): Promise<Row[]> {
  checkKnownAtTrigger(filter.where);
  if (filter.where !== undefined && filter.where.length > 0) {
    notes.note('Cuts tried by hand are not adjusted for: of ten values tried, one will look significant by chance.');
  }
  const history = await openHistory(directory, notes);
  const progress = notes.progress('Reading the history');
  const rows: Row[] = [];
  try {
    for await (const cards of newestDatedCards(history, filter, JSON.parse)) {
      context.signal.throwIfAborted();
      for (const { card, at } of cards) rows.push(rowOf(card, at));
    }
  } finally {
    progress.stop();
  }
  return rows;
}

/** The values of `askedForFields` (`output/views/card-fields.ts`). */
export function askedFor({ type, symbol, since, until }: RowFilter) {
  return {
    scope: 'local_history' as const,
    screener_type: type ?? null,
    symbol: symbol ?? null,
    since: since === undefined ? null : formatApiTime(since),
    until: until === undefined ? null : formatApiTime(until),
  };
}

/** Screener types whose outcomes exports bought before others'. */
export async function boughtFirst(directory: string): Promise<readonly string[]> {
  // A manifest that is damaged says nothing; the cards are read all the same.
  const manifest = await loadManifest(directory).catch(() => undefined);
  return manifest?.focus ?? [];
}

/**
 * The changes of the settings between the oldest of these rows and the end of the window: the rows mix what was before
 * and after.
 * @param rows as `readRows` gives them
 */
export async function changesWithin(
  rows: readonly Row[],
  { directory, until, type }: OfHistory,
  now: number,
): Promise<SettingsChange[]> {
  const since = rows.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  return settingsChanges(await readScreenersLog(directory), { since, until: until ?? now, type });
}

/**
 * What the service said of screener types over windows within these cards' time, as far as the cards are all of them:
 * none where the filter leaves out cards of a day.
 */
export async function answersWithin({
  directory,
  since,
  until,
  type,
  symbol,
  where = [],
}: OfHistory): Promise<ServiceAnswer[]> {
  if (type !== undefined || symbol !== undefined || where.length > 0) return [];
  const answers = await readStatsLog(directory);
  return answers.filter(({ at }) => at - STATS_WINDOW >= (since ?? 0) && at <= (until ?? Number.POSITIVE_INFINITY));
}
