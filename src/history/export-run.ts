/**
 * One export run, step by step: recover what a killed run left, walk the list, buy what is due, conclude.
 */
import { formatApiTime } from '../api/time.ts';
import type { LimitName } from '../credits/types.ts';
import { ScreenerError } from '../errors.ts';
import type { Notes } from '../runtime/notes.ts';
import { compactJournal } from './compact-journal.ts';
import { newerWalk, olderWalk, reachesBackTo } from './coverage.ts';
import { findDue } from './due.ts';
import type { ExportManifest } from './export-manifest.ts';
import { type Counts, ExportSession, type RunParts } from './export-session.ts';
import { buyOutcomes } from './purchases.ts';
import { collectUpdates, updatedManifest } from './updates.ts';
import { walkList } from './walk.ts';

export interface ExportOptions {
  /** Epoch milliseconds UTC: how far back the history should reach. */
  readonly since?: number | undefined;
  /** false for `--no-outcomes`: the list only. */
  readonly outcomes: boolean;
}

/** Why a run ended before everything was done. */
export type StoppedBy = LimitName | 'window' | 'interrupted' | 'error';

export interface RunResult {
  readonly manifest: ExportManifest;
  readonly counts: Counts;
  /** Cards the history did not have before. */
  readonly added: number;
  readonly stoppedBy: StoppedBy | null;
  /** What ended the run, where it was no budget: to be thrown on once the result is printed. */
  readonly failure: unknown;
}

/** How far a run has come, for what is written down at its end. */
interface Progress {
  readonly startedAt: string;
  /** Whether every card up to this run, and back to where it was asked for, is in. */
  listDone: boolean;
  stoppedBy: StoppedBy | null;
  failure: unknown;
}

/**
 * Runs until all is done, a budget is reached or something fails; then brings everything that was paid for into the
 * month files.
 * @throws ScreenerError storage, where saving fails: what was synced before stays in the journal
 */
export async function runExport(parts: RunParts, before: ExportManifest, options: ExportOptions): Promise<RunResult> {
  const progress: Progress = {
    startedAt: formatApiTime(parts.clock.now()),
    listDone: false,
    stoppedBy: null,
    failure: undefined,
  };
  const recovered = await recover(parts, before);
  const session = new ExportSession(parts, recovered);
  try {
    await session.askCredits();
    if (!(await walkAndBuy(session, parts, recovered, options, progress))) {
      progress.stoppedBy = session.budget.narrowest();
    }
  } catch (error) {
    if (isOwnBudget(error)) {
      progress.stoppedBy = session.budget.narrowest();
    } else {
      progress.stoppedBy = parts.signal.aborted ? 'interrupted' : 'error';
      progress.failure = error;
    }
  } finally {
    session.hideProgress();
  }
  const manifest = await conclude(parts, recovered, progress);
  return {
    manifest,
    counts: session.counts,
    // A killed run told nobody what it had brought in.
    added: cardsIn(manifest) - cardsIn(before),
    stoppedBy: progress.stoppedBy,
    failure: progress.failure,
  };
}

/** Brings the journal of a killed run into the month files. */
async function recover({ directory, journal, notes }: RunParts, manifest: ExportManifest): Promise<ExportManifest> {
  if (journal.isEmpty) return manifest;
  const compacted = await compactJournal(directory, manifest, journal);
  warnOfDamage(notes, compacted.damaged);
  return compacted.manifest;
}

/** @returns false where the budget ended it */
async function walkAndBuy(
  session: ExportSession,
  parts: RunParts,
  manifest: ExportManifest,
  options: ExportOptions,
  progress: Progress,
): Promise<boolean> {
  const now = parts.clock.now();
  if (manifest.walk !== null && !(await walkList(session, manifest.walk))) return false;
  if (!(await walkList(session, newerWalk(session.coverage, now, options.since)))) return false;
  const older = olderWalk(session.coverage, options.since);
  if (older !== undefined && !(await walkList(session, older))) return false;
  progress.listDone = reachesBackTo(session.coverage, options.since);
  if (!progress.listDone) progress.stoppedBy = 'window';
  if (!options.outcomes) return true;
  const { due } = await dueNow(parts, manifest, now);
  return buyOutcomes(session, due);
}

/** What is due by the month files and the journal together. */
function dueNow({ directory, journal }: RunParts, manifest: ExportManifest, now: number) {
  const updates = collectUpdates(journal.entries);
  return findDue(directory, updatedManifest(manifest, updates), updates, now);
}

/** Brings the journal into the month files, and writes down in the same step how the run ended and what remains. */
async function conclude(parts: RunParts, before: ExportManifest, progress: Progress): Promise<ExportManifest> {
  const now = parts.clock.now();
  await parts.lock.check();
  const { due, later } = await dueNow(parts, before, now);
  const { manifest, damaged } = await compactJournal(parts.directory, before, parts.journal, (compacted) => ({
    ...compacted,
    account: parts.account,
    complete: progress.stoppedBy === null,
    remaining: { list: !progress.listDone, outcomes_due: due.length, outcomes_later: later },
    last_run: { started_at: progress.startedAt, finished_at: formatApiTime(now), stopped_by: progress.stoppedBy },
  }));
  warnOfDamage(parts.notes, damaged);
  return manifest;
}

function warnOfDamage(notes: Notes, damaged: ReadonlyMap<string, number>): void {
  for (const [path, lines] of damaged) {
    notes.warn(`${path} has ${lines} damaged ${lines === 1 ? 'line' : 'lines'}: left as they are.`);
  }
}

function cardsIn(manifest: ExportManifest): number {
  return Object.values(manifest.months).reduce((sum, month) => sum + month.cards, 0);
}

function isOwnBudget(error: unknown): boolean {
  return error instanceof ScreenerError && error.code === 'budget_reached';
}
