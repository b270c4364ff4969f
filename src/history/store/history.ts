/**
 * A history directory as a reader sees it: month files, and what a run under way (or a killed one) has in its journal.
 * No lock is needed: the journal is read first, and month files are only ever replaced whole. Whatever the journal no
 * longer holds by then is in a month file, and whatever a run folds afterwards is known from the journal; a card that is
 * in both counts once.
 */
import { sep } from 'node:path';
import { ScreenerError } from '../../errors.ts';
import { isMissing, storing } from '../../runtime/files.ts';
import type { Notes } from '../../runtime/notes.ts';
import { shellWord } from '../../runtime/shell-words.ts';
import { Journal, type JournalCards } from './journal.ts';
import {
  createdAt,
  type DatedCard,
  monthOf,
  monthPath,
  newerVersion,
  type StoredCard,
  storedMonths,
} from './layout.ts';
import { type Parse, readLines } from './lines.ts';
import { loadManifest } from './manifest.ts';
import { cardsOfLines, Months } from './months.ts';

/** Which cards are meant. */
export interface Filter {
  /** Epoch milliseconds UTC, both inclusive, by `created_at`. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly symbol?: string | undefined;
  /** The API's screener_type. */
  readonly type?: string | undefined;
  /** What must hold besides. */
  readonly where?: readonly { readonly holds: (card: object) => boolean }[] | undefined;
}

export interface History {
  readonly directory: string;
  /** Oldest first. */
  readonly months: readonly string[];
  readonly journal: JournalCards;
  readonly files: Months;
  readonly notes: Pick<Notes, 'warn'>;
}

/** @throws ScreenerError no_history, where the directory is no export directory; storage */
export async function openHistory(directory: string, notes: Pick<Notes, 'warn'>): Promise<History> {
  return storing(`read ${directory}`, async () => {
    // The journal first: what is folded from then on is in the month files, and seen either way.
    const journal = (await Journal.open(directory)).cards();
    const stored = await storedMonths(directory).catch((cause: unknown) => {
      if (isMissing(cause)) throw noHistory(directory);
      throw cause;
    });
    const months = [...new Set([...stored, ...journal.months])].sort((a, b) => (a < b ? -1 : 1));
    if (months.length === 0 && (await loadManifest(directory)) === undefined) throw noHistory(directory);
    return { directory, months, journal, files: new Months(directory), notes };
  });
}

/** The months in which cards of [since, until] can lie. */
function monthsWithin({ months }: History, { since, until }: Filter): readonly string[] {
  const first = since === undefined ? '' : monthOf(since);
  const last = until === undefined ? undefined : monthOf(until);
  return months.filter((month) => month >= first && (last === undefined || month <= last));
}

/** The cards that match, newest first, month by month. */
export async function* newestCards(history: History, filter: Filter): AsyncGenerator<StoredCard[]> {
  for await (const dated of newestDatedCards(history, filter)) yield dated.map(({ card }) => card);
}

/** The cards that match with their times, newest first, month by month; an id that stands in two months counts once. */
export async function* newestDatedCards(history: History, filter: Filter, parse?: Parse): AsyncGenerator<DatedCard[]> {
  const seen = new Set<number>();
  const months = monthsWithin(history, filter).toReversed();
  const read = async (month: string | undefined) =>
    month === undefined ? [] : readLines(monthPath(history.directory, month));
  let reading = read(months[0]);
  for (const [index, month] of months.entries()) {
    const stored = await reading;
    // The next one is read while this one is parsed; what goes wrong with it is told when it is its turn.
    reading = read(months[index + 1]);
    reading.catch(() => {});
    const { cards, damaged } = cardsOfLines(stored, parse);
    for (const card of history.journal.byId.values()) {
      const at = createdAt(card);
      if (monthOf(at) === month) cards.set(card.id, { card: newerVersion(cards.get(card.id)?.card, card), at });
      else cards.delete(card.id);
    }
    const newest = [...cards.values()].sort((a, b) => b.at - a.at || b.card.id - a.card.id);
    const matching = newest.filter((dated) => {
      if (seen.has(dated.card.id)) return false;
      seen.add(dated.card.id);
      return isMeant(dated, filter);
    });
    if (damaged.length > 0) {
      const what = damaged.length === 1 ? 'line is no card and is' : 'lines are no cards and are';
      history.notes.warn(`${monthPath(history.directory, month)}: ${damaged.length} ${what} left out.`);
    }
    if (matching.length > 0) yield matching;
  }
}

function isMeant({ card, at }: DatedCard, { since = at, until = at, symbol, type, where = [] }: Filter): boolean {
  const isOfSymbol = symbol === undefined || card.source_symbol === symbol;
  const isOfType = type === undefined || card.source_bot_type === type;
  return at >= since && at <= until && isOfSymbol && isOfType && where.every(({ holds }) => holds(card));
}

/**
 * The cards with these ids, as far as they are there. Reads back from the newest month until all are found; each month
 * once, however often it is asked.
 * @param since epoch milliseconds UTC: what none of them is older than
 */
export async function findCards(
  history: History,
  ids: readonly number[],
  since?: number,
): Promise<Map<number, StoredCard>> {
  const wanted = new Set(ids);
  const found = new Map<number, StoredCard>();
  for (const month of monthsWithin(history, { since }).toReversed()) {
    if (wanted.size === 0) break;
    for (const card of await history.files.find(month, wanted, history.journal)) {
      found.set(card.id, card);
      wanted.delete(card.id);
    }
  }
  return found;
}

function noHistory(directory: string): ScreenerError {
  return new ScreenerError('no_history', `There is no history in ${directory}.`, {
    hint: `Make one with:\nscreener signals export ${shellWord(directory, sep === '\\' ? 'powershell' : 'sh')}`,
  });
}
