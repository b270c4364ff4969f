/**
 * What the walk and the purchases of one export run share: requests, the journal, the budget, and what was done.
 */
import type { OperationName, ParamsOf, ResourceOf } from '../api/operations.ts';
import { parseApiTime } from '../api/time.ts';
import type { Connection } from '../credits/connection.ts';
import { atMost } from '../credits/credit-ceiling.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Notes, Progress } from '../runtime/notes.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { MINUTE } from '../runtime/units.ts';
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
  /** Credits of the month that stay untouched (--keep). */
  readonly keep: number;
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
  /** When the first outcome was asked for, by the monotonic clock. */
  #outcomesFrom = 0;

  constructor(parts: RunParts, manifest: ExportManifest) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.notes = parts.notes;
    this.#budget = makeBudget(parts.connection.account, undefined, parts.maxCredits, parts.keep);
    const { covered, walk, unreachable, recorded_late, gaps } = manifest;
    this.#coverage = { covered, walk, unreachable, recorded_late, gaps };
  }

  get budget(): Budget {
    return this.#budget;
  }

  /** What of the list is here, the last page included. */
  get coverage(): Coverage {
    return this.#coverage;
  }

  /**
   * Asks `/access` (free).
   * @returns credits left this month, and when they are reset, epoch milliseconds UTC
   */
  async askCredits(): Promise<{ remaining: number; resetsAt: number }> {
    const { account } = this.#parts.connection;
    const access = await this.call('access', {});
    account.observe(access);
    const { remaining, resets_at } = access.credits;
    this.#budget = makeBudget(account, remaining, this.#parts.maxCredits, this.#parts.keep);
    return { remaining, resetsAt: parseApiTime(resets_at) ?? this.clock.now() };
  }

  /** Credits this run has spent, or may have. */
  get spent(): number {
    return atMost(this.#parts.connection.account.spent());
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

  /**
   * @param wanted outcomes to be bought in this run, once that is known
   * @param asked how many of them were asked for
   */
  showProgress(wanted = 0, asked = 0): void {
    const { pages, cards } = this.counts;
    const text = [
      `Exporting · ${pluralize(pages, 'page')}`,
      pluralize(cards, 'card'),
      ...(wanted === 0 ? [] : [`outcomes ${asked} of ${wanted}, ${this.#timeLeft(wanted - asked, asked)}`]),
      pluralize(this.spent, 'credit'),
    ].join(' · ');
    if (this.#progress === undefined) this.#progress = this.notes.progress(text);
    else this.#progress.update(text);
  }

  /** As long as pacing makes so many requests take, or as they took so far. */
  #timeLeft(left: number, asked: number): string {
    const now = this.clock.monotonic();
    if (asked === 0) this.#outcomesFrom = now;
    const soFar = asked === 0 ? 0 : ((now - this.#outcomesFrom) / asked) * left;
    const minutes = Math.ceil(Math.max(soFar, this.#parts.connection.account.pace(left)) / MINUTE);
    return minutes <= 1 ? 'less than a minute left' : `about ${minutes} min left`;
  }

  hideProgress(): void {
    this.#progress?.stop();
    this.#progress = undefined;
  }
}
