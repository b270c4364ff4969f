/**
 * One export run: walk the list, buy what is due, save everything on the way.
 */
import type { OperationName, ParamsOf, ResourceOf } from '../api/operations.ts';
import { formatApiTime } from '../api/time.ts';
import type { Connection } from '../credits/connection.ts';
import { ScreenerError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Notes, Progress } from '../runtime/notes.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { atMost, type Budget, makeBudget } from './budget.ts';
import { fold } from './compact-journal.ts';
import { newerWalk, olderWalk } from './coverage.ts';
import { findDue } from './due.ts';
import type { Coverage, State } from './export-manifest.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { readJournal } from './journal.ts';
import type { StoredCard } from './layout.ts';
import type { Lock } from './lock.ts';
import { buyOutcomes } from './outcomes.ts';
import { collectUpdates, updatedState } from './updates.ts';
import { walkList } from './walk.ts';

export interface ExportOptions {
  /** Epoch milliseconds UTC: how far back the history should reach. */
  readonly since?: number | undefined;
  /** false for `--no-outcomes`: the list only. */
  readonly outcomes: boolean;
}

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
  gone: number;
  /** Cards that came in pages, known ones included. */
  cards: number;
}

/** Why a run ended before everything was done. */
export type StoppedBy = 'max_credits' | 'day' | 'month' | 'interrupted' | 'error';

/** What the walk and the purchases work with. */
export class Run {
  readonly directory: string;
  readonly clock: Clock;
  readonly notes: Notes;
  readonly counts: Counts = { pages: 0, outcomes: 0, gone: 0, cards: 0 };
  readonly #parts: RunParts;
  #budget: Budget;
  #coverage: Coverage;
  /** Whether every card up to this run, and back to where it was asked for, is in. */
  listDone = false;
  #progress: Progress | undefined;

  constructor(parts: RunParts, state: State) {
    this.#parts = parts;
    this.directory = parts.directory;
    this.clock = parts.clock;
    this.notes = parts.notes;
    this.#budget = makeBudget(parts.connection.account, undefined, parts.maxCredits);
    this.#coverage = { covered: state.covered, walk: state.walk, newest: state.newest };
  }

  get budget(): Budget {
    return this.#budget;
  }

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

  async call<N extends OperationName>(name: N, params: ParamsOf<N>): Promise<ResourceOf<N>> {
    this.#parts.signal.throwIfAborted();
    return this.#parts.connection.client.call(name, params, this.#parts.signal);
  }

  async savePage(items: readonly StoredCard[], coverage: Coverage): Promise<void> {
    await this.save({ kind: 'page', items, coverage });
    this.counts.cards += items.length;
    this.#coverage = coverage;
  }

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

export interface RunResult {
  readonly state: State;
  readonly counts: Counts;
  /** Cards the history did not have before. */
  readonly added: number;
  readonly stoppedBy: StoppedBy | null;
  /** What ended the run, where it was no budget: to be thrown on once the result is printed. */
  readonly failure: unknown;
}

/**
 * Runs until all is done, a budget is reached or something fails; then brings everything that was paid for into the
 * month files. A journal left by a killed run is folded first.
 * @throws ScreenerError storage, where saving fails: what was synced before stays in the journal
 */
export async function runExport(parts: RunParts, before: State, options: ExportOptions): Promise<RunResult> {
  const startedAt = formatApiTime(parts.clock.now());
  const recovered = await foldAndWarn(parts, before);
  const run = new Run(parts, recovered);
  let stoppedBy: StoppedBy | null = null;
  let failure: unknown;
  try {
    await run.askCredits();
    if (!(await doEverything(run, recovered, options))) stoppedBy = run.budget.narrowest();
  } catch (error) {
    if (isOwnBudget(error)) {
      stoppedBy = run.budget.narrowest();
    } else {
      stoppedBy = parts.signal.aborted ? 'interrupted' : 'error';
      failure = error;
    }
  } finally {
    run.hideProgress();
  }
  const state = await conclude(parts, recovered, { startedAt, stoppedBy, listDone: run.listDone });
  // A killed run told nobody what it had brought in.
  const added = cardsIn(state) - cardsIn(before);
  return { state, counts: run.counts, added, stoppedBy, failure };
}

/** @returns false where the budget ended it */
async function doEverything(run: Run, state: State, options: ExportOptions): Promise<boolean> {
  const now = run.clock.now();
  if (state.walk !== null && !(await walkList(run, state.walk))) return false;
  if (!(await walkList(run, newerWalk(run.coverage, now, options.since)))) return false;
  const older = olderWalk(run.coverage, options.since);
  if (older !== undefined && !(await walkList(run, older))) return false;
  run.listDone = true;
  if (!options.outcomes) return true;
  const { due } = await dueCards(run.directory, state, now);
  return buyOutcomes(run, due);
}

async function dueCards(directory: string, state: State, now: number) {
  const updates = collectUpdates(await readJournal(directory));
  return findDue(directory, updatedState(state, updates), updates, now);
}

/** Folds, and writes down in the same step how the run ended and what remains. */
async function conclude(
  parts: RunParts,
  before: State,
  end: { startedAt: string; stoppedBy: StoppedBy | null; listDone: boolean },
): Promise<State> {
  const now = parts.clock.now();
  await parts.lock.check();
  const { due, later } = await dueCards(parts.directory, before, now);
  return foldAndWarn(parts, before, (state) => ({
    ...state,
    account: parts.account,
    complete: end.stoppedBy === null,
    remaining: { list: !end.listDone, outcomes_due: due.length, outcomes_later: later },
    last_run: { started_at: end.startedAt, finished_at: formatApiTime(now), stopped_by: end.stoppedBy },
  }));
}

async function foldAndWarn(parts: RunParts, state: State, finish?: (state: State) => State): Promise<State> {
  const folded = await fold(parts.directory, state, parts.journal, finish);
  for (const [path, lines] of folded.damaged) {
    parts.notes.warn(`${path} has ${lines} damaged ${lines === 1 ? 'line' : 'lines'}: left as they are.`);
  }
  return folded.state;
}

function cardsIn(state: State): number {
  return Object.values(state.months).reduce((sum, month) => sum + month.cards, 0);
}

function isOwnBudget(error: unknown): boolean {
  return error instanceof ScreenerError && error.code === 'budget_reached';
}
