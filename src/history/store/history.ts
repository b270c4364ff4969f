/** Reads a history without a lock. An export may be at work on it meanwhile: it replaces month files whole. */
import { join } from 'node:path';
import { objectKeys, once } from '../../base/collections.ts';
import { pluralize } from '../../base/units.ts';
import { ScreenerError } from '../../errors.ts';
import type { CardChoice } from '../../outcomes/question.ts';
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
  /** The earliest `created_at`, epoch milliseconds UTC. */
  readonly since?: number | undefined;
  /** The latest `created_at`, epoch milliseconds UTC. */
  readonly until?: number | undefined;
  readonly symbol?: string | undefined;
  readonly type?: string | undefined;
  readonly where?: readonly { readonly isMetByCard: (card: object) => boolean }[] | undefined;
}

/** A history that is only read. Each file is read when it is first needed. */
export class History {
  readonly directory: string;
  /** `export.json`; undefined if there is none, or if it is damaged. Warns if it is damaged. */
  readonly manifest = once(() => usableManifest(this.directory, this.#notes));
  /** What exports saw of the settings: the answers of `/screeners`, the oldest first. Warns of damaged lines. */
  readonly looks = once(() =>
    readScreenersLog(this.directory, this.#clock.now(), (damaged, path) =>
      this.#warnOf(damaged, path),
    ),
  );
  /** The service's medians: the answers of `/signal-stats`, the oldest first. Warns of damaged lines. */
  readonly serviceAnswers = once(() =>
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

  /** @param damaged how many lines are damaged */
  #warnOf(damaged: number, path: string): void {
    if (damaged > 0) this.#notes.warn(`${path}: ${pluralize(damaged, 'damaged line')} left out.`);
  }

  /**
   * Warns if a month file has fewer cards than it had.
   * @param cards how many it has; damaged lines count as cards
   * @param counts what the month had at the last export; undefined if the manifest is damaged, or lacks the month
   */
  #warnOfLostLines(path: string, cards: number, counts: CountsOfMonth | undefined): void {
    const expected = expectedCards(counts);
    if (cards >= expected) return;
    this.#notes.warn(
      `${path} has only ${cards} of its ${pluralize(expected, 'card')}. Append a backup to it before the next export.`,
    );
  }

  /** UTC months that have cards, oldest first. @throws ScreenerError no_history, storage */
  async months(): Promise<readonly string[]> {
    return (await this.#opened()).months;
  }

  /**
   * The cards that match a filter.
   * @param parse `parseExactly` unless given. `JSON.parse` is faster, but changes integers beyond 2^53.
   * @returns newest first, month by month
   * @throws ScreenerError no_history, storage
   */
  async *cards(filter: Filter, parse?: (json: string) => unknown): AsyncGenerator<DatedCard[]> {
    const { months, journal, countsAtExport } = await this.#opened();
    const { since, until } = filter;
    const isWanted = (month: string) => {
      if (since !== undefined && month < monthOf(since)) return false;
      return until === undefined || month <= monthOf(until);
    };
    const dated = (card: StoredCard, at: number): DatedCard => ({ card, at });
    const seen = new Set<number>();
    for (const month of months.filter(isWanted).toReversed()) {
      const path = monthPath(this.directory, month);
      const { cards, damaged } = await cardsOfFile(path, dated, parse);
      const damagedLines = countDamaged(damaged);
      this.#warnOf(damagedLines, path);
      this.#warnOfLostLines(path, cards.size + damagedLines, countsAtExport[month]);
      applyJournal(cards, journal, month);
      // A run may be moving a card from one month to another: both files may have it.
      const unseen = [...cards.values()].filter(({ card }) => !seen.has(card.id));
      for (const { card } of unseen) seen.add(card.id);
      const matching = unseen.filter((card) => matchesFilter(card, filter));
      if (matching.length > 0) yield matching.sort((a, b) => b.at - a.at || b.card.id - a.card.id);
    }
  }

  /** The cards with these ids; a card that the history lacks has no entry. @throws ScreenerError no_history, storage */
  async find(ids: readonly number[]): Promise<Map<number, StoredCard>> {
    const wanted = new Set(ids);
    const cardsById = new Map<number, StoredCard>();
    for await (const cardsOfMonth of this.cards({})) {
      for (const { card } of cardsOfMonth) {
        if (wanted.has(card.id)) cardsById.set(card.id, card);
      }
      if (cardsById.size === wanted.size) break;
    }
    return cardsById;
  }

  async #open(): Promise<OpenedHistory> {
    // The journal is read before the month files. A run may move a card from the journal to a month file meanwhile: the card is
    // then met in one of the two, or in both.
    const journal = new Map<number, StoredCard>();
    const entries = await readJournal(this.directory, (text) => this.#notes.warn(text));
    for (const card of entries.flatMap(cardsOf)) {
      journal.set(card.id, mergeVersions(journal.get(card.id), card));
    }
    const journalMonths = [...journal.values()].map((card) => monthOf(createdAt(card)));
    const months = [...new Set([...storedMonths(this.directory), ...journalMonths])].sort();
    const manifest = await this.manifest();
    const lastRun = manifest?.last_run ?? null;
    if (months.length === 0 && lastRun === null)
      throw new ScreenerError('no_history', noHistory(this.directory));
    const countsAtExport = manifest?.months ?? {};
    this.#warnOfLostMonths(months, countsAtExport);
    return { months, journal, countsAtExport };
  }

  /** Warns of month files that had cards, and are gone. @param months the months that have cards */
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

/**
 * Brings the cards of a month file up to date. If the journal has a card in this month, the two versions are merged. If the
 * journal has the card in another month, the card is taken out here.
 * @param cards the cards of the month file, by id: they are changed
 */
function applyJournal(
  cards: Map<number, DatedCard>,
  journal: OpenedHistory['journal'],
  month: string,
): void {
  for (const card of journal.values()) {
    const at = createdAt(card);
    const isOfMonth = monthOf(at) === month;
    if (isOfMonth) {
      const stored = cards.get(card.id)?.card;
      cards.set(card.id, { card: mergeVersions(stored, card), at });
    } else {
      cards.delete(card.id);
    }
  }
}

/** What is read before any month. */
interface OpenedHistory {
  /** UTC months that have cards, oldest first. */
  readonly months: readonly string[];
  /** The cards of the journal, by id. */
  readonly journal: ReadonlyMap<number, StoredCard>;
  /** What the file of each month had when the last export ended; empty if the manifest is damaged. */
  readonly countsAtExport: ExportManifest['months'];
}

/** Whether a card matches a field of a filter. A field of `CardChoice` that is missing here is a compile error. */
const MATCHERS: {
  readonly [Name in keyof CardChoice]: (
    card: DatedCard,
    wanted: NonNullable<Filter[Name]>,
  ) => boolean;
} = {
  since: ({ at }, since) => at >= since,
  until: ({ at }, until) => at <= until,
  symbol: ({ card }, symbol) => card.source_symbol === symbol,
  type: ({ card }, type) => card.source_bot_type === type,
  where: ({ card }, conditions) => conditions.every(({ isMetByCard }) => isMetByCard(card)),
};

const FILTER_NAMES = objectKeys(MATCHERS);

function matchesFilter(card: DatedCard, filter: Filter): boolean {
  // Generic, so that TypeScript pairs each matcher with its value.
  const matches = <Name extends keyof CardChoice>(name: Name) => {
    const wanted = filter[name];
    return wanted === undefined || MATCHERS[name](card, wanted);
  };
  return FILTER_NAMES.every((name) => matches(name));
}
