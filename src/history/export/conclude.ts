/** The end of a run: the history's cards are judged, the files are written, and the run is summed up. */
import { apiTimeOrNull, formatApiTime } from '../../api/time.ts';
import { DAY, utcDay } from '../../base/units.ts';
import { readScreenersLog } from '../store/answers.ts';
import { cardsIn, type ExportManifest, type StoredSpan } from '../store/manifest.ts';
import type { PartName, PartStates } from '../store/part-states.ts';
import { changeDay, isFailed } from './apply-journal.ts';
import { hasLostCardsToList, judgedMonthsWithMissing } from './damage.ts';
import type { ExportOptions, ExportRun, StoppedBy } from './export-run.ts';
import { heardTime } from './heard-time.ts';
import { judgeHistory, readForJudgement } from './judging.ts';
import type { Listing } from './listing.ts';
import { markLostMonthsUnread, warnOfMissing } from './lost-cards.ts';
import { notAsked } from './not-asked.ts';
import type { PartResults } from './part-results.ts';
import { planRun, type RunPlan } from './plan.ts';
import type { RunParts } from './run-parts.ts';
import type { ExportSummary, PartSummary, RemainingWork } from './summary.ts';

/** How a run began and ended. */
interface RunCourse {
  /** Epoch milliseconds UTC. */
  readonly startedAt: number;
  /** Cards in the history when the run began. */
  readonly cardsAtStart: number;
  /** Until when the list had been read when the run began, epoch milliseconds UTC; undefined if it never was. */
  readonly listedBefore: number | undefined;
  /** What ended the run before all was done; null if nothing did. */
  readonly stoppedBy: StoppedBy | null;
  /** What the run will throw; undefined if nothing failed. */
  readonly failure: unknown;
  /** Whether a failure ended all parts of the run; false if only single parts failed, and the others went on. */
  readonly hasEndedEarly: boolean;
}

/**
 * Judges the cards, writes the files and sums up the run. All judged cards are on the disk already, in the journal or in a month
 * file. So the notebook never has a finding about cards that a kill has lost.
 * @throws ScreenerError storage, busy
 */
export async function conclude(
  run: ExportRun,
  runParts: RunParts,
  course: RunCourse,
): Promise<ExportSummary> {
  const { account, client, history, notes, options } = run;
  const now = client.now();
  const heard = heardTime(run, runParts.listing);
  const basis = mayJudge(runParts, course, now) ? await readForJudgement(history, now) : undefined;
  await noteLossesAtEnd(run, heard, now);
  // The run is planned again for the summary: it says what remains for later runs, and when they will have bought it.
  const plan = await planRun(account, history, options, now);
  const state = stateAtEnd(run, runParts, course, { plan, now });
  const canJudge = basis !== undefined && !areCardsMissing(history.manifest, options, now);
  // The judge takes the times of the next medians from the manifest, so the new plan goes in first.
  history.manifest = { ...history.manifest, medians: plan.medians.types };
  const judgement = canJudge ? await judgeHistory(history, basis, now) : {};
  await history.fold({ ...judgement, ...manifestChanges(run, runParts, course, state) });
  tellFailedCards(runParts.purchases.failed, notes);
  return summaryOf(run, runParts, course, state);
}

/**
 * Whether the run knows enough for a judgement: the service's time, and all new cards, or as many as the credits allowed. A part
 * that may fail in each run does not matter (say the settings, an older part of the list, or a bad card): otherwise there would
 * be no verdict for as long as it fails.
 */
function mayJudge(
  { listing, results }: Pick<RunParts, 'listing' | 'results'>,
  { hasEndedEarly, listedBefore }: RunCourse,
  now: number,
): boolean {
  // Without a page of the list, the run knows neither.
  if (hasEndedEarly || listing.pages === 0) return false;
  // If a limit of credits cut the list, the run judges what it has: later credits bring the rest.
  const hasListFailed = results.failures.some(
    ({ part, limit }) => part === 'list' && limit === undefined,
  );
  if (!hasListFailed) return true;
  // In a history that was never listed, all of the list is new.
  const newSince = listedBefore ?? 0;
  // The last day is needed in any case: what is missing of it may still come today.
  const neededSince = Math.min(newSince, now - DAY);
  return listing.hasReadSince(neededSince);
}

/**
 * Makes the next run list again what damaged or lacking month files have lost. This run may have opened such months since it
 * began: for older parts of the list, or to judge. What follows has to know what is unread now: `planRun`, `listing.isDone` and
 * `areCardsMissing`.
 */
async function noteLossesAtEnd(
  run: ExportRun,
  heard: number | undefined,
  now: number,
): Promise<void> {
  await run.history.mendDamage();
  // Lost cards are listed again once a second UTC day of the service sees the loss. Only the service's time tells its day.
  if (heard !== undefined) await markLostMonthsUnread(run, heard);
  await warnOfMissing(run, now);
}

/** How the run leaves the history: the files and the summary say it. */
interface RunState {
  readonly plan: RunPlan;
  readonly remaining: RemainingWork;
  readonly parts: PartStates;
  /** Why the history is not complete; null if it is. */
  readonly whyIncomplete: StoppedBy | null;
  /** The newest part of the list that was read without a gap; null if none was. */
  readonly newestSpan: StoredSpan | null;
  readonly credits: ExportSummary['credits'];
  /** API times. */
  readonly started_at: string;
  readonly finished_at: string;
  /** When the run ended, epoch milliseconds UTC. */
  readonly now: number;
}

function stateAtEnd(
  { account, history, options }: ExportRun,
  { listing, results }: RunParts,
  { startedAt, stoppedBy }: RunCourse,
  { plan, now }: Pick<RunState, 'plan' | 'now'>,
): RunState {
  const { buyable, buyableLater } = plan.survey;
  const remaining = {
    list: !listing.isDone,
    outcomes_due: buyable.length,
    outcomes_later: buyableLater.length,
  };
  const parts = partsAtEnd(history.manifest, options, remaining, results);
  const { charged, uncertain } = account.spentByCommand();
  return {
    plan,
    remaining,
    parts,
    whyIncomplete: stoppedBy ?? whyListIncomplete(listing) ?? whyPartsIncomplete(parts),
    newestSpan: history.manifest.spans[0] ?? null,
    credits: { charged, uncertain },
    // The service's time may have corrected the clock during the run.
    started_at: formatApiTime(Math.min(startedAt, now)),
    finished_at: formatApiTime(now),
    now,
  };
}

/** What the manifest says of the run from now on. */
function manifestChanges(
  { history, options }: ExportRun,
  { purchases }: RunParts,
  { stoppedBy, failure }: RunCourse,
  { plan, remaining, parts, whyIncomplete, credits, started_at, finished_at, now }: RunState,
): Partial<ExportManifest> {
  const { days, focus, focus_at, last_success } = history.manifest;
  const { counts, boughtOfDue } = plan.survey;
  return {
    complete: whyIncomplete === null,
    parts,
    remaining,
    counts,
    bought: boughtOfDue,
    days: changeDay(days, utcDay(now), (day) => ({
      ...day,
      runs: day.runs + 1,
      // Without `uncertain`: failed requests may cost nothing, and the ledger drops them unless `/access` shows them as used.
      credits: day.credits + credits.charged,
      // Outcomes that the run left on purpose are no backlog.
      backlog: isAsPlanned(stoppedBy) ? 0 : counts.to_buy,
    })),
    last_run: {
      started_at,
      finished_at,
      stopped_by: whyIncomplete,
      ...sinceOfRun(options),
    },
    focus: [...new Set([...focus, ...purchases.boughtFirst])].sort(),
    focus_at: { ...focus_at, ...focusOfRun(options, finished_at) },
    last_success: failure === undefined ? finished_at : last_success,
  };
}

/** Sums up the run, once the files are written. @throws ScreenerError storage */
async function summaryOf(
  { history, options }: ExportRun,
  { listing, purchases }: RunParts,
  { cardsAtStart }: RunCourse,
  { plan, remaining, parts, whyIncomplete, newestSpan, credits, now }: RunState,
): Promise<ExportSummary> {
  const { survey, outlook = null } = plan;
  const cards_total = cardsIn(history.manifest);
  const screenersLog = await readScreenersLog(history.directory, now);
  const screeners = screenersLog.flatMap((entry) => entry.screeners.items);
  return {
    directory: history.directory,
    complete: whyIncomplete === null,
    stopped_by: whyIncomplete,
    pages: listing.pages,
    new_cards: Math.max(0, cards_total - cardsAtStart),
    bad_cards: listing.badCards,
    outcomes: purchases.outcomes,
    gone: purchases.gone,
    failed_cards: purchases.failed.length,
    medians: purchases.medians,
    credits,
    cards_total,
    covered: newestSpan,
    older_before: apiTimeOrNull(listing.missingBefore),
    remaining,
    counts: survey.counts,
    bought: survey.boughtOfDue,
    outlook: options.outcomes ? outlook : null,
    parts,
    list_at: apiTimeOrNull(listing.nextAt),
    not_asked: notAsked(history.manifest, now),
    unknown_focus: unknownFocus(options, [...history.months.cards, ...screeners]),
  };
}

/**
 * Whether the judge would lack cards that the history had: a month file lacks them, or they are not listed again yet. What is older
 * than --since is not listed again by this run.
 */
function areCardsMissing(
  manifest: ExportManifest,
  { since = 0 }: ExportOptions,
  now: number,
): boolean {
  if (judgedMonthsWithMissing(manifest, now).length > 0) return true;
  return hasLostCardsToList(manifest, since, now);
}

/** `No outcome for card 12 and 3 more; a later run asks again: …`. */
function tellFailedCards(
  failed: RunParts['purchases']['failed'],
  notes: Pick<ExportRun['notes'], 'note'>,
): void {
  const [first, ...others] = failed;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  notes.note(`No outcome for card ${first.id}${more}; a later run asks again: ${first.message}`);
}

/** Why the list is not complete, though the run reached no limit; null if it is complete. */
function whyListIncomplete(listing: Listing): StoppedBy | null {
  if (listing.isDone) return null;
  // All is listed, but a month file lacks cards.
  if (listing.isListed) return 'lost';
  // A part of the list was not asked for yet.
  if (listing.toRead !== undefined) return 'older';
  // The service refused a part of the list (a gap). A later run asks for it again.
  return 'window';
}

function whyPartsIncomplete(parts: PartStates): StoppedBy | null {
  const isAllComplete = Object.values(parts).every(({ complete }) => complete);
  return isAllComplete ? null : 'refused';
}

/** The --since of the run, as the manifest keeps it. Empty if the run had none. */
function sinceOfRun({ since }: ExportOptions): { readonly since?: string } {
  return since === undefined ? {} : { since: formatApiTime(since) };
}

/** Whether the run left outcomes on purpose: because of the pace, or because of a limit that the user set for all runs. */
function isAsPlanned(stoppedBy: StoppedBy | null): boolean {
  return stoppedBy === 'pace' || stoppedBy === 'keep' || stoppedBy === 'daily';
}

/** The time of the run, for each type of its --focus. Empty if the run buys no outcomes. */
function focusOfRun(
  { focus = [], outcomes }: ExportOptions,
  finishedAt: string,
): ExportManifest['focus_at'] {
  const types = outcomes ? focus : [];
  return Object.fromEntries(types.map((type) => [type, finishedAt]));
}

/** The types of --focus that no card has in the months that this run opened, and no screener. */
function unknownFocus(
  { focus = [] }: ExportOptions,
  cardsAndScreeners: readonly { readonly type: string }[],
): string[] {
  const types = new Set(cardsAndScreeners.map(({ type }) => type));
  return focus.filter((type) => !types.has(type));
}

/** A part is complete if the history has all that the service had for it. A part that the user left out counts as complete. */
function partsAtEnd(
  { asked, parts }: ExportManifest,
  { outcomes, screeners, stats }: ExportOptions,
  remaining: RemainingWork,
  results: PartResults,
): PartStates {
  const failedCards = Object.values(asked).filter(isFailed);
  // Work that is left to later runs, even if this run has finished its own (`results`).
  const isWorkLeft: Partial<Record<PartName, boolean>> = {
    list: remaining.list,
    // Only failed requests count. Outcomes that came due during the run were not asked for: the next run buys them.
    details: failedCards.length > 0,
  };
  // The option of each part. `details` are the outcomes, `settings` come from `/screeners`, and `medians` from `/signal-stats`.
  const isWanted: Record<PartName, boolean> = {
    list: true,
    details: outcomes,
    settings: screeners,
    medians: stats,
  };
  const stateOf = (part: PartName): PartSummary => {
    const { failure } = parts[part];
    const isOpen = isWorkLeft[part] === true || results.isUnfinished(part) || failure !== null;
    return { complete: !isOpen || !isWanted[part], failure };
  };
  return {
    list: stateOf('list'),
    details: stateOf('details'),
    settings: stateOf('settings'),
    medians: stateOf('medians'),
  };
}
