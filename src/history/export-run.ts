/**
 * One export run, step by step: recover what a killed run left, walk the list, buy what is due, conclude.
 */
import { formatApiTime } from '../api/time.ts';
import type { LimitName } from '../credits/credit-ceiling.ts';
import { ScreenerError } from '../errors.ts';
import type { Notes } from '../runtime/notes.ts';
import { compactJournal } from './compact-journal.ts';
import { againWalk, isWhole, newerWalk, olderWalk } from './coverage.ts';
import type { ExportManifest } from './export-manifest.ts';
import { type Counts, ExportSession, type RunParts } from './export-session.ts';
import { overlapOf, recentCards, recordedLate } from './late-cards.ts';
import type { OutcomeOrder } from './outcome-order.ts';
import { paceNow } from './pace.ts';
import { buyOutcomes } from './purchases.ts';
import { appendScreeners } from './screeners-log.ts';
import { inBuyingOrder } from './selection.ts';
import { dayOf, surveyCards } from './survey.ts';
import { changeDay, collectUpdates, updatedManifest } from './updates.ts';
import { walkList } from './walk.ts';

export interface ExportOptions {
  /** Epoch milliseconds UTC: how far back the history should reach. */
  readonly since?: number | undefined;
  readonly outcomes: OutcomeOrder;
  /** Whether the month's credits may be spent as fast as outcomes come due. */
  readonly allCredits: boolean;
  /** Whether the screeners' settings are kept too, once a UTC day. */
  readonly screeners: boolean;
}

/** Why a run ended before everything was done. */
export type StoppedBy = LimitName | 'pace' | 'window' | 'interrupted' | 'error';

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
  readonly outcomes: OutcomeOrder;
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
    outcomes: options.outcomes,
    listDone: false,
    stoppedBy: null,
    failure: undefined,
  };
  const recovered = await recover(parts, before);
  const session = new ExportSession(parts, recovered);
  try {
    await walkAndBuy(session, parts, recovered, options, progress);
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

async function walkAndBuy(
  session: ExportSession,
  parts: RunParts,
  manifest: ExportManifest,
  options: ExportOptions,
  progress: Progress,
): Promise<void> {
  const month = await session.askCredits();
  if (!(await walkAll(session, parts, manifest, options.since))) {
    progress.stoppedBy = session.budget.narrowest();
    return;
  }
  progress.listDone = isWhole(session.coverage, options.since);
  if (!progress.listDone) progress.stoppedBy = 'window';
  if (options.screeners) await keepScreeners(session, parts, manifest);
  if (options.outcomes === 'none') return;
  const { survey, updated } = await surveyNow(parts, manifest);
  const due = inBuyingOrder(survey.due, options.outcomes);
  const credits = month.remaining - parts.keep - session.spent;
  const pace = paceNow(survey, updated, { credits, resetsAt: month.resetsAt, now: parts.clock.now() });
  const most = options.allCredits ? Number.POSITIVE_INFINITY : pace.now;
  const ended = await buyOutcomes(session, due, updated.lateness, most);
  if (ended !== undefined) progress.stoppedBy = ended === 'pace' ? 'pace' : session.budget.narrowest();
}

/** Once a UTC day: 1 credit. */
async function keepScreeners(session: ExportSession, parts: RunParts, { screeners_at }: ExportManifest): Promise<void> {
  const now = parts.clock.now();
  if (screeners_at?.startsWith(dayOf(now)) || session.budget.left() < 1) return;
  await appendScreeners(parts.directory, await session.call('screeners', {}), now);
  await session.save({ kind: 'screeners', at: formatApiTime(now) });
}

/** @returns false where the budget ended it */
async function walkAll(
  session: ExportSession,
  parts: RunParts,
  manifest: ExportManifest,
  since: number | undefined,
): Promise<boolean> {
  const now = session.clock.now();
  if (manifest.walk !== null && !(await walkList(session, manifest.walk))) return false;
  if (!(await walkNewer(session, parts, manifest, since, now))) return false;
  const older = olderWalk(session.coverage, since);
  return older === undefined || walkList(session, older);
}

/** Brings the list up to date, and learns on the way how late cards are recorded. */
async function walkNewer(
  session: ExportSession,
  { directory, journal }: RunParts,
  manifest: ExportManifest,
  since: number | undefined,
  now: number,
): Promise<boolean> {
  const before = session.coverage;
  const known = await recentCards(directory, manifest, collectUpdates(journal.entries), now);
  const overlap = overlapOf(before, known, now);
  const from = journal.entries.length;
  if (!(await walkList(session, newerWalk(before, now, since, overlap)))) return false;
  const late = recordedLate(before, known, journal.entries.slice(from), now);
  if (late <= before.recorded_late) return true;
  await session.savePage([], { ...session.coverage, recorded_late: late });
  // What was recorded as late as that since the history is kept was missed until now, unless the overlap went so far.
  const first = manifest.days[0];
  const again = first && againWalk(session.coverage, Date.parse(first.day) - late);
  if (again === undefined || late < 1.25 * before.recorded_late) return true;
  session.notes.debug('Cards are recorded late: walking the list of the last days once more.');
  return walkList(session, again);
}

/** What the month files and the journal have together. */
async function surveyNow({ directory, journal, clock }: RunParts, manifest: ExportManifest) {
  const updates = collectUpdates(journal.entries);
  const updated = updatedManifest(manifest, updates);
  return { updated, survey: await surveyCards(directory, updated, updates, clock.now()) };
}

/** Brings the journal into the month files, and writes down in the same step how the run ended and what remains. */
async function conclude(parts: RunParts, before: ExportManifest, progress: Progress): Promise<ExportManifest> {
  const now = parts.clock.now();
  const { stoppedBy } = progress;
  await parts.lock.check();
  const { survey } = await surveyNow(parts, before);
  const backlog = stoppedBy === 'pace' ? 0 : survey.due.length;
  const { manifest, damaged } = await compactJournal(parts.directory, before, parts.journal, (compacted) => ({
    ...compacted,
    account: parts.account,
    complete: stoppedBy === null,
    remaining: {
      list: !progress.listDone,
      outcomes_due: survey.due.length,
      outcomes_later: survey.later.filter(Number.isFinite).length,
    },
    bought: survey.share,
    days: changeDay(compacted.days, dayOf(now), (day) => ({ ...day, runs: day.runs + 1, backlog })),
    last_run: {
      started_at: progress.startedAt,
      finished_at: formatApiTime(now),
      stopped_by: stoppedBy,
      outcomes: progress.outcomes,
    },
    last_success: progress.failure === undefined ? formatApiTime(now) : compacted.last_success,
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
