/**
 * What the walk and the purchases of one export run share: requests, the journal, the budget, and what was done.
 */
import type { OperationName, ParamsOf, ResourceOf } from '../api/operations.ts';
import type { Connection } from '../credits/connection.ts';
import { atMost } from '../credits/credit-ceiling.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Notes, Progress } from '../runtime/notes.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { type Budget, makeBudget } from './budget.ts';
import type { Coverage, ExportManifest } from './export-manifest.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { StoredCard } from './layout.ts';
import type { Lock } from './lock.ts';

export interface RunParts {
  readonly directory: string;
  readonly connection: Connection;
  /** Marks whose history it is. */
  readonly account: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly notes: Notes;
  readonly journal: Journal;
  readonly lock: Lock;
  readonly maxCredits: number | undefined;
}

/** What a run did: pages and outcomes paid for, cards seen. */
export interface Counts {
  pages: number;
  outcomes: number;
  /** Outcomes the server answered with 404. */
  notFound: number;
  /** Cards that came in pages, known ones included. */
  cards: number;
}

export class ExportSession {
  readonly clock: Clock;
  readonly notes: Notes;
  readonly counts: Counts = { pages: 0, outcomes: 0, notFound: 0, cards: 0 };
  readonly #parts: RunParts;
  #budget: Budget;
  #coverage: Coverage;
  #progress: Progress | undefined;

  constructor(parts: RunParts, manifest: ExportManifest) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.notes = parts.notes;
    this.#budget = makeBudget(parts.connection.account, undefined, parts.maxCredits);
    const { covered, walk, newest, unreachable, gaps } = manifest;
    this.#coverage = { covered, walk, newest, unreachable, gaps };
  }

  get budget(): Budget {
    return this.#budget;
  }

  /** What of the list is here, the last page included. */
  get coverage(): Coverage {
    return this.#coverage;
  }

  /** Asks `/access` (free) for the credits left this month. */
  async askCredits(): Promise<void> {
    const { account } = this.#parts.connection;
    const access = await this.call('access', {});
    account.observe(access);
    this.#budget = makeBudget(account, access.credits.remaining, this.#parts.maxCredits);
  }

  /** @throws ScreenerError of the client; the signal's reason when interrupted */
  async call<N extends OperationName>(name: N, params: ParamsOf<N>): Promise<ResourceOf<N>> {
    this.#parts.signal.throwIfAborted();
    return this.#parts.connection.client.call(name, params, this.#parts.signal);
  }

  /** @throws ScreenerError storage, busy */
  async savePage(items: readonly StoredCard[], coverage: Coverage): Promise<void> {
    await this.save({ kind: 'page', items, coverage });
    this.counts.cards += items.length;
    this.#coverage = coverage;
  }

  /** Before the next request is sent, what the last one brought is on the disk. @throws ScreenerError storage, busy */
  async save(entry: JournalEntry): Promise<void> {
    await this.#parts.lock.check();
    await this.#parts.journal.append(entry);
  }

  /** @param due outcomes to be bought in this run, once that is known */
  showProgress(due?: number): void {
    const { pages, cards, outcomes } = this.counts;
    const credits = atMost(this.#parts.connection.account.spent());
    const bought = due === undefined ? [] : [`outcome ${Math.min(outcomes + 1, due)} of ${due}`];
    const text = [
      `Exporting · ${pluralize(pages, 'page')}`,
      pluralize(cards, 'card'),
      ...bought,
      pluralize(credits, 'credit'),
    ].join(' · ');
    if (this.#progress === undefined) this.#progress = this.notes.progress(text);
    else this.#progress.update(text);
  }

  hideProgress(): void {
    this.#progress?.stop();
    this.#progress = undefined;
  }
}
