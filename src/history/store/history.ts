/** Reads a history without a lock: first the journal, then the month files, which are never changed in place. */
import { join } from 'node:path';
import { pluralize } from '../../base/units.ts';
import { ScreenerError } from '../../errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Notes } from '../../runtime/context.ts';
import { withStorageErrors } from '../../runtime/files.ts';
import { readFindings, readScreenersLog, readStatsLog } from './answers.ts';
import { cardsOf, readJournal } from './journal.ts';
import {
  createdAt,
  type DatedCard,
  FINDINGS_FILE,
  mergeVersions,
  monthOf,
  monthPath,
  noHistory,
  type StoredCard,
  storedMonths,
} from './layout.ts';
import {
  type CountsOfMonth,
  type ExportManifest,
  expectedCards,
  usableManifest,
} from './manifest.ts';
import { cardsOfFile, countDamaged } from './months.ts';

/** Which cards are read: those that match every field. */
export interface Filter {
  /** The least `created_at`, epoch milliseconds UTC. */
  readonly since?: number | undefined;
  /** The largest `created_at`, epoch milliseconds UTC. */
  readonly until?: number | undefined;
  readonly symbol?: string | undefined;
  readonly type?: string | undefined;
  readonly where?: readonly { readonly holds: (card: object) => boolean }[] | undefined;
}

export class History {
  readonly directory: string;
  /** `export.json`; undefined if there is none, or if it is damaged (then it warns). */
  readonly manifest = once(() => usableManifest(this.directory, this.#notes));
  /** The answers of `/screeners`, the oldest first. Warns of damaged lines, as `answers` and `findings` do. */
  readonly looks = once(() =>
    readScreenersLog(this.directory, this.#clock.now(), (damaged, path) =>
      this.#warnOf(damaged, path),
    ),
  );
  /** The answers of `/signal-stats`, the oldest first. */
  readonly answers = once(() =>
    readStatsLog(this.directory, this.#clock.now(), (damaged, path) => this.#warnOf(damaged, path)),
  );
  /** The notebook, the oldest line first. Warns of damaged lines. */
  readonly findings = once(async () => {
    const { values, damaged } = await readFindings(this.directory, this.#clock.now());
    this.#warnOf(damaged.count, join(this.directory, FINDINGS_FILE));
    return values;
  });
  readonly #opened = once(() => withStorageErrors(`read ${this.directory}`, () => this.#open()));
  readonly #notes: Pick<Notes, 'warn'>;
  readonly #clock: Pick<Clock, 'now'>;

  /** @param clock a stored time that lies after `clock.now()` is treated as wrong */
  constructor(directory: string, notes: Pick<Notes, 'warn'>, clock: Pick<Clock, 'now'>) {
    this.directory = directory;
    this.#notes = notes;
    this.#clock = clock;
  }

  #warnOf(damaged: number, path: string): void {
    if (damaged > 0) this.#notes.warn(`${path}: ${pluralize(damaged, 'damaged line')} left out.`);
  }

  /** @param counts of the last export; undefined if nobody knows them */
  #warnOfLostLines(path: string, cards: number, counts: CountsOfMonth | undefined): void {
    const before = expectedCards(counts);
    if (cards >= before) return;
    this.#notes.warn(
      `${path} has only ${cards} of its ${pluralize(before, 'card')}. Append a backup to it before the next export.`,
    );
  }

  /** UTC months that have cards, oldest first. @throws ScreenerError no_history, storage */
  async months(): Promise<readonly string[]> {
    return (await this.#opened()).months;
  }

  /** @param parse see `cardsOfFile` @returns newest first, month by month @throws as `months` */
  async *cards(filter: Filter, parse?: (json: string) => unknown): AsyncGenerator<DatedCard[]> {
    const { months, journal, countsAtExport } = await this.#opened();
    const { since, until } = filter;
    const first = since === undefined ? '' : monthOf(since);
    const seen = new Set<number>();
    for (const month of months.toReversed()) {
      if (month < first || (until !== undefined && month > monthOf(until))) continue;
      const path = monthPath(this.directory, month);
      const { cards, damaged } = await cardsOfFile(
        path,
        (card, at): DatedCard => ({ card, at }),
        parse,
      );
      this.#warnOf(countDamaged(damaged), path);
      this.#warnOfLostLines(path, cards.size + countDamaged(damaged), countsAtExport[month]);
      for (const card of journal.values()) {
        const at = createdAt(card);
        if (monthOf(at) === month) {
          cards.set(card.id, { card: mergeVersions(cards.get(card.id)?.card, card), at });
        } else {
          cards.delete(card.id);
        }
      }
      // A card that a run moves from one month to another may be met in both.
      const unseen = [...cards.values()].filter(({ card }) => !seen.has(card.id));
      for (const { card } of unseen) seen.add(card.id);
      const matching = unseen.filter((dated) => matchesFilter(dated, filter));
      if (matching.length > 0) yield matching.sort((a, b) => b.at - a.at || b.card.id - a.card.id);
    }
  }

  /** The cards with these ids; a card that the history lacks has no entry. @throws as `months` */
  async find(ids: readonly number[]): Promise<Map<number, StoredCard>> {
    const wanted = new Set(ids);
    const cardsById = new Map<number, StoredCard>();
    for await (const month of this.cards({})) {
      for (const { card } of month) if (wanted.has(card.id)) cardsById.set(card.id, card);
      if (cardsById.size === wanted.size) break;
    }
    return cardsById;
  }

  async #open(): Promise<OpenedHistory> {
    // The journal first: a card that a run moves from it to a month meanwhile is then seen in one of them, or in both.
    const journal = new Map<number, StoredCard>();
    const entries = await readJournal(this.directory, (text) => this.#notes.warn(text));
    for (const card of entries.flatMap(cardsOf)) {
      journal.set(card.id, mergeVersions(journal.get(card.id), card));
    }
    const journalMonths = [...journal.values()].map((card) => monthOf(createdAt(card)));
    const months = [...new Set([...storedMonths(this.directory), ...journalMonths])].sort();
    if (months.length === 0 && (await this.manifest())?.last_run == null) {
      throw new ScreenerError('no_history', noHistory(this.directory));
    }
    const countsAtExport = (await this.manifest())?.months ?? {};
    this.#warnOfLostMonths(months, countsAtExport);
    return { months, journal, countsAtExport };
  }

  /** @param months those that have cards */
  #warnOfLostMonths(
    months: readonly string[],
    countsAtExport: OpenedHistory['countsAtExport'],
  ): void {
    for (const [month, counts] of Object.entries(countsAtExport)) {
      const cards = expectedCards(counts);
      if (cards === 0 || months.includes(month)) continue;
      const path = monthPath(this.directory, month);
      this.#notes.warn(
        `${path} is missing: its ${pluralize(cards, 'card')} are left out. Restore it from a backup before the next export.`,
      );
    }
  }
}

/** What is read before any month. */
interface OpenedHistory {
  /** UTC months that have cards, oldest first. */
  readonly months: readonly string[];
  /** The cards of the journal, by id. */
  readonly journal: ReadonlyMap<number, StoredCard>;
  /** By month, what its file had when the last export ended; empty if nobody knows. */
  readonly countsAtExport: ExportManifest['months'];
}

/** Reads at the first call, and gives the same answer to every later one. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

function matchesFilter(
  { card, at }: DatedCard,
  { since, until, symbol, type, where = [] }: Filter,
): boolean {
  if (since !== undefined && at < since) return false;
  if (until !== undefined && at > until) return false;
  if (symbol !== undefined && card.source_symbol !== symbol) return false;
  if (type !== undefined && card.source_bot_type !== type) return false;
  return where.every(({ holds }) => holds(card));
}
