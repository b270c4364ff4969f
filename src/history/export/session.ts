/** What the steps of one export run share: requests, the journal, the credits left, and what was done. */
import type { Client } from '../../api/client.ts';
import type { SignalPage } from '../../api/contract/resources.ts';
import type { OperationName, ParamsOf, ResourceOf } from '../../api/operations.ts';
import { at } from '../../api/time.ts';
import type { Account, Connection } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { ScreenerError } from '../../errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Context } from '../../runtime/context.ts';
import type { Notes, Progress } from '../../runtime/notes.ts';
import { MINUTE } from '../../runtime/units.ts';
import { type JournalEntry, leaveBeside } from '../store/journal.ts';
import { createdAt, type StoredCard } from '../store/layout.ts';
import { type Coverage, coverageOf, type ExportManifest } from '../store/manifest.ts';
import { applyJournal } from './apply-journal.ts';
import type { LockedHistory } from './open.ts';
import { type BillingMonth, billingMonth } from './pace.ts';
import { type Survey, surveyCards } from './survey.ts';

/** Who exports. */
export interface Exporter {
  readonly connection: Connection;
  readonly context: Pick<Context, 'clock' | 'signal'>;
  readonly notes: Notes;
}

export interface ExportOptions {
  /** Epoch milliseconds UTC: how far back the history should reach; as far as the API goes where it is left out. */
  readonly since?: number | undefined;
  /** Whether outcomes are bought. */
  readonly outcomes: boolean;
  /** Screener types whose outcomes are bought first. */
  readonly focus?: readonly string[];
  /** Spends the month's credits as outcomes come due, without pacing them until the reset. */
  readonly allCredits?: boolean;
  /** Keeps the screeners' settings too, once a UTC day. */
  readonly screeners?: boolean;
  /** Keeps the service's own medians by screener type too, once in 30 days. */
  readonly stats?: boolean;
}

/** Characters. */
const BAR = 12;

/** Why a run ended before everything was done. */
export type StoppedBy = LimitName | 'pace' | 'window' | 'older' | 'interrupted' | 'error';

export class ExportSession {
  readonly client: Client;
  readonly account: Account;
  readonly history: LockedHistory;
  readonly options: ExportOptions;
  readonly machine: Pick<Clock, 'now'>;
  /** The service's time, as far as it is known. */
  readonly clock: Pick<Clock, 'now'>;
  readonly notes: Notes;
  /** `cards`: that came in pages, known ones included; `triedAgain`: outcomes that could not be had before. */
  readonly counts = { pages: 0, outcomes: 0, medians: 0, cards: 0, triedAgain: 0 };
  /** Whether no run has listed anything before. */
  readonly isFirst: boolean;
  /** The types of --focus of which outcomes were due. */
  readonly boughtFirst = new Set<string>();
  /** Whether the service takes no window beyond thirty days. */
  asksShortWindows = false;
  /** `created_at` of the oldest card that this run was given. */
  oldest = Number.POSITIVE_INFINITY;
  /** What the run ends with, although it went on. */
  failure: unknown;
  /** What of the list is here, the last page included. */
  coverage: Coverage;
  /** Requests of this run, and those that come after the outcomes. */
  requests = 0;
  requestsAfter = 0;
  #progress: Progress | undefined;
  #ahead = 0;

  constructor({ connection, context, notes }: Exporter, history: LockedHistory, options: ExportOptions) {
    this.client = connection.client;
    this.account = connection.account;
    this.history = history;
    this.options = options;
    this.machine = context.clock;
    this.clock = { now: () => this.client.now() - this.#ahead };
    this.notes = notes;
    this.coverage = coverageOf(history.manifest);
    this.isFirst = this.coverage.spans.length === 0;
  }

  /** Where the history stands now. */
  manifest(): ExportManifest {
    return applyJournal(this.history.manifest, this.history.journal.entries);
  }

  /** @throws ScreenerError storage */
  survey(): Promise<Survey> {
    const { months, journal } = this.history;
    return surveyCards(months, this.manifest(), journal.cards(), this.clock.now());
  }

  /**
   * Until when a page shows every card: its end as the service gives it, which may be rounded up beyond now. If answers
   * have no Date header, that end, or the newest card, is the service's time.
   */
  servedUntil({ until, items }: SignalPage): number {
    if (!this.client.knowsTime()) {
      const heard = Math.max(at(until), ...items.map(createdAt));
      this.#ahead = Math.max(0, this.client.now() - heard);
    }
    return Math.min(at(until), this.clock.now());
  }

  /** Keeps a failure of the list, to be thrown once the outcomes that are due are bought. */
  failLater(error: ScreenerError): void {
    this.failure ??= error;
  }

  /** What outcomes and the list may still cost. */
  month(): BillingMonth {
    return billingMonth(this.account, this.clock.now());
  }

  /** For an answer that others can be asked for without: a failure that may be its own is not repeated. */
  callOnce<N extends OperationName>(name: N, params: ParamsOf<N>): Promise<ResourceOf<N>> {
    return this.client.call(name, params, undefined, 'once');
  }

  /** @throws ScreenerError storage, busy */
  async savePage(items: readonly StoredCard[], coverage: Coverage): Promise<void> {
    await this.save({ kind: 'page', items, coverage });
    this.counts.cards += items.length;
    this.oldest = Math.min(this.oldest, ...items.map(createdAt));
    this.coverage = coverage;
  }

  /** Before the next request is sent, what the last one brought is on the disk. @throws ScreenerError storage, busy */
  async save(entry: JournalEntry): Promise<void> {
    const { lock, journal, directory } = this.history;
    try {
      lock.check();
      await journal.append(entry);
      // Else the run that took over may have removed the journal meanwhile.
      lock.check();
    } catch (error) {
      const isLost = error instanceof ScreenerError && error.code === 'busy';
      // It is paid for: the run that took over, or the next one, finds it there.
      if (isLost && entry.kind === 'detail') await leaveBeside(directory, [entry]);
      throw error;
    }
  }

  /**
   * @param what is under way: `Cards`, `Outcomes`
   * @param done of them
   * @param wanted in this run, if that is known
   */
  showProgress(what: string, done: number, wanted = 0): void {
    const count = wanted === 0 ? `${what} ${done}` : `${what} ${done} of ${wanted} ${this.#bar(wanted - done)}`;
    const text = `${count}  Ctrl-C keeps all`;
    if (this.#progress === undefined) this.#progress = this.notes.progress(text);
    else this.#progress.update(text);
  }

  /** The whole run, from its first page on, and as long as pacing makes the rest of its requests take. */
  #bar(rest: number): string {
    const left = rest + this.requestsAfter;
    const filled = Math.round((BAR * this.requests) / Math.max(1, this.requests + left));
    const minutes = Math.ceil(this.account.pace(left) / MINUTE);
    const time = minutes <= 1 ? 'under 1 min left' : `${minutes} min left`;
    return `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${time}`;
  }

  hideProgress(): void {
    this.#progress?.stop();
    this.#progress = undefined;
  }
}
