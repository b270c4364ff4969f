import type { Client } from '../../api/client.ts';
import type { SignalPage } from '../../api/contract/resources.ts';
import type { OperationName, ParamsOf, ResourceOf } from '../../api/operations.ts';
import { at } from '../../api/time.ts';
import type { Account, Connection } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { ScreenerError } from '../../errors.ts';
import type { Context } from '../../runtime/context.ts';
import type { Lock } from '../../runtime/lock.ts';
import type { Notes, Progress } from '../../runtime/notes.ts';
import { MINUTE } from '../../runtime/units.ts';
import { type JournalEntry, leaveBeside } from '../store/journal.ts';
import { createdAt, type StoredCard } from '../store/layout.ts';
import { type Coverage, cardsIn, coverageOf } from '../store/manifest.ts';
import type { WorkingHistory } from './working-history.ts';

export interface Exporter {
  readonly connection: Connection;
  readonly context: Pick<Context, 'clock' | 'signal'>;
  readonly notes: Notes;
}

export interface ExportOptions {
  /** Epoch milliseconds UTC; back to where the list begins if absent. */
  readonly since?: number | undefined;
  readonly outcomes: boolean;
  readonly focus?: readonly string[];
  readonly allCredits?: boolean;
  readonly screeners?: boolean;
  readonly stats?: boolean;
}

const BAR = 12;

/** Allows for a card that is listed a moment after its `created_at`. */
const PUNCTUAL = 10 * MINUTE;

export type StoppedBy = LimitName | 'pace' | 'window' | 'older' | 'interrupted' | 'error';

export class ExportSession {
  readonly client: Client;
  readonly account: Account;
  readonly history: WorkingHistory;
  readonly lock: Lock;
  readonly options: ExportOptions;
  /** Service time, as far as it is known. */
  readonly clock = { now: () => this.client.now() - this.#ahead };
  readonly notes: Notes;
  /** `cards`: that came in pages, known ones included; `triedAgain`: outcomes that could not be had before. */
  readonly counts = { pages: 0, outcomes: 0, medians: 0, cards: 0, gone: 0, triedAgain: 0 };
  readonly isFirst: boolean;
  readonly cardsBefore: number;
  readonly boughtFirst = new Set<string>();
  readonly failed: { readonly id: number; readonly message: string }[] = [];
  asksShortWindows = false;
  /** Where the list ended when this run first asked for it. */
  servedUntil: number | undefined;
  oldest = Number.POSITIVE_INFINITY;
  /** Up to when the list was here before a look back, epoch milliseconds UTC. */
  coveredUntil = Number.NEGATIVE_INFINITY;
  failure: unknown;
  requestsAfter = 0;
  #progress: Progress | undefined;
  /** But for the pages, which `counts` has. */
  #requests = 0;
  #ahead = 0;

  constructor({ connection, notes }: Exporter, history: WorkingHistory, lock: Lock, options: ExportOptions) {
    this.client = connection.client;
    this.account = connection.account;
    this.history = history;
    this.lock = lock;
    this.options = options;
    this.notes = notes;
    this.cardsBefore = cardsIn(history.manifest);
    this.isFirst = history.manifest.spans.length === 0;
  }

  /** The end of a page may lie beyond now. Without Date headers it, or the newest card, tells the time. */
  hear({ until, items }: SignalPage): number {
    if (!this.client.knowsTime()) {
      const heard = Math.max(at(until), ...items.map(createdAt));
      this.#ahead = Math.max(0, this.client.now() - heard);
    }
    this.servedUntil = Math.min(at(until), this.clock.now());
    return this.servedUntil;
  }

  /** Repeats no failure that may be of this answer alone. */
  callOnce<N extends OperationName>(name: N, params: ParamsOf<N>): Promise<ResourceOf<N>> {
    this.#requests += 1;
    return this.client.call(name, params, 'once');
  }

  /** @param changes of what is covered */
  async savePage(items: readonly StoredCard[], changes: Partial<Coverage>): Promise<void> {
    const coverage = { ...coverageOf(this.history.manifest), ...changes };
    for (const card of items) {
      const by = this.coveredUntil - createdAt(card);
      if (coverage.look === null || by <= PUNCTUAL || (await this.history.months.has(card))) continue;
      const { look } = coverage;
      coverage.look = { ...look, late_at: look.at, late_by: Math.max(look.late_by, by) };
    }
    await this.save({ kind: 'page', items, coverage });
    this.counts.cards += items.length;
    this.oldest = Math.min(this.oldest, ...items.map(createdAt));
  }

  /** Before the next request is sent, what the last one brought is on the disk. @throws ScreenerError storage, busy */
  async save(entry: JournalEntry): Promise<void> {
    try {
      this.lock.check();
      await this.history.append(entry);
      // Else the run that took over may have removed the journal meanwhile.
      this.lock.check();
    } catch (error) {
      const isLost = error instanceof ScreenerError && error.code === 'busy';
      // It is paid for: the run that took over, or the next one, finds it there.
      if (isLost && entry.kind === 'detail') await leaveBeside(this.history.directory, [entry]);
      throw error;
    }
  }

  showProgress(what: string, done: number, wanted = 0): void {
    const count = wanted === 0 ? `${what} ${done}` : `${what} ${done} of ${wanted} ${this.#bar(wanted - done)}`;
    const text = `${count}  Ctrl-C keeps all`;
    if (this.#progress === undefined) this.#progress = this.notes.progress(text);
    else this.#progress.update(text);
  }

  #bar(rest: number): string {
    const left = rest + this.requestsAfter;
    const done = this.counts.pages + this.#requests;
    const filled = Math.round((BAR * done) / Math.max(1, done + left));
    const minutes = Math.max(1, Math.ceil(this.account.pace(left) / MINUTE));
    return `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${minutes} min left`;
  }

  hideProgress(): void {
    this.#progress?.stop();
    this.#progress = undefined;
  }
}
