/** The end of a run: the history's cards are judged, the files are written, and the run is summed up. */
import { apiTimeOrNull, formatApiTime } from '../../api/time.ts';
import { DAY, utcDay } from '../../base/units.ts';
import { readScreenersLog } from '../store/answers.ts';
import { cardsIn, type ExportManifest, isGone } from '../store/manifest.ts';
import type { PartName, PartStates } from '../store/part-states.ts';
import { changeDay } from './apply-journal.ts';
import { areLostCardsUnlisted, judgedMonthsWithMissing } from './damage.ts';
import type { ExportOptions, ExportRun, StoppedBy } from './export-run.ts';
import { heardTime } from './heard-time.ts';
import { judgeHistory, readForJudgement } from './judging.ts';
import type { Listing } from './listing.ts';
import { listLostAgain, warnOfMissing } from './lost-cards.ts';
import { notAsked } from './not-asked.ts';
import type { PartResults } from './part-results.ts';
import { planRun } from './plan.ts';
import type { RunParts } from './run-parts.ts';
import type { ExportSummary, PartSummary, RemainingWork } from './summary.ts';

/** How a run began and ended. */
interface RunEnding {
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
  { listing, purchases, results }: RunParts,
  { startedAt, cardsAtStart, listedBefore, stoppedBy, failure, hasEndedEarly }: RunEnding,
): Promise<ExportSummary> {
  const { account, client, history, notes, options } = run;
  const now = client.now();
  const heard = heardTime(run, listing);
  // Without a page of the list, the run knows neither the new cards nor the service's time. If another part fails in each run, say the
  // settings, the cards are judged all the same: otherwise the user would get no verdict for as long as the failure lasts.
  // A limit of credits that other programs have reached is no failure of the list: the rest of it comes with later credits.
  const hasListFailed = results.failures.some(
    ({ part, limit }) => part === 'list' && limit === undefined,
  );
  // The list may fail in each run, too, where it is older, or for a bad card. It is enough that the history has all that is new,
  // and all of the last day: a run an hour after a failure has little that is new, and what failed may still come today. In a
  // history that was never listed, all of the list is new.
  const listedSince = Math.min(listedBefore ?? 0, now - DAY);
  const isNewListed = !hasListFailed || listing.hasReadSince(listedSince);
  const mayJudge = !hasEndedEarly && isNewListed && heard !== undefined;
  const basis = mayJudge ? await readForJudgement(history, now) : undefined;
  // The run may have opened damaged months: for older parts of the list, or to judge. What their damaged lines held becomes an unread
  // part of the list, which the next run reads. `planRun`, `listing.isDone` and `areCardsMissing` have to know of it.
  await history.mendDamage();
  // A run that ended early has not seen yet whether it is the second day without the cards.
  if (heard !== undefined) await listLostAgain(run, heard);
  await warnOfMissing(run, now);
  // The run is planned again for the summary: it says what remains for later runs, and when they will have bought it.
  const { survey, outlook = null, medians } = await planRun(account, history, options, now);
  const { buyable, later, counts, boughtOfDue } = survey;
  const remaining = {
    list: !listing.isDone,
    outcomes_due: buyable.length,
    outcomes_later: later.length,
  };
  const { charged, uncertain } = account.spentByCommand();
  // The service's time may have corrected the clock during the run.
  const started_at = formatApiTime(Math.min(startedAt, now));
  const finished_at = formatApiTime(now);
  // The manifest as the run leaves it. It is replaced twice below: for the judge, and by `fold`.
  const { manifest: manifestBefore } = history;
  const parts = partsAtEnd(manifestBefore, options, { remaining, results });
  const whyIncomplete = stoppedBy ?? whyListIncomplete(listing) ?? whyPartsIncomplete(parts);
  const complete = whyIncomplete === null;
  const isJudged = basis !== undefined && !areCardsMissing(manifestBefore, options, now);
  // The judge reads in the manifest when exports ask for each type's medians next. So the new plan has to be there before.
  history.manifest = { ...manifestBefore, medians: medians.types };
  const judgement = isJudged ? await judgeHistory(history, basis, now) : {};
  await history.fold({
    ...judgement,
    complete,
    parts,
    remaining,
    counts,
    bought: boughtOfDue,
    days: changeDay(manifestBefore.days, utcDay(now), (day) => ({
      ...day,
      runs: day.runs + 1,
      // `uncertain` is left out: failed requests may have cost it, but the ledger takes it back unless `/access` shows it as used.
      credits: day.credits + charged,
      // Outcomes that the run left on purpose are no backlog.
      backlog: isAsPlanned(stoppedBy) ? 0 : counts.to_buy,
    })),
    last_run: {
      started_at,
      finished_at,
      stopped_by: whyIncomplete,
      ...sinceOfRun(options),
    },
    focus: [...new Set([...manifestBefore.focus, ...purchases.boughtFirst])].sort(),
    focus_at: { ...manifestBefore.focus_at, ...focusOfRun(options, finished_at) },
    last_success: failure === undefined ? finished_at : manifestBefore.last_success,
  });
  tellFailedCards(purchases.failed, notes);
  const cards_total = cardsIn(history.manifest);
  const looks = await readScreenersLog(history.directory, now);
  const screeners = looks.flatMap((look) => look.screeners.items);
  const { missingBefore } = listing;
  return {
    directory: history.directory,
    complete,
    stopped_by: whyIncomplete,
    pages: listing.pages,
    new_cards: Math.max(0, cards_total - cardsAtStart),
    bad_cards: listing.badCards,
    outcomes: purchases.outcomes,
    gone: purchases.gone,
    failed_cards: purchases.failed.length,
    medians: purchases.medians,
    credits: { charged, uncertain },
    cards_total,
    covered: manifestBefore.spans[0] ?? null,
    older_before: apiTimeOrNull(missingBefore),
    remaining,
    counts,
    bought: boughtOfDue,
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
  return areLostCardsUnlisted(manifest, since, now);
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
  if (listing.unread !== undefined) return 'older';
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

/** The types of --focus that no card and no screener has. */
function unknownFocus(
  { focus = [] }: ExportOptions,
  cardsAndScreeners: readonly { readonly type: string }[],
): string[] {
  const types = new Set(cardsAndScreeners.map(({ type }) => type));
  return focus.filter((type) => !types.has(type));
}

/** What `partsAtEnd` decides from. */
interface RunState {
  readonly remaining: RemainingWork;
  readonly results: PartResults;
}

/** A part is complete if the history has all that the service had for it. A part that the user left out counts as complete. */
function partsAtEnd(
  { asked, parts }: ExportManifest,
  { outcomes, screeners, stats }: ExportOptions,
  { remaining, results }: RunState,
): PartStates {
  const failedCards = Object.values(asked).filter((card) => card.failed > 0 && !isGone(card));
  const isComplete: Record<PartName, boolean> = {
    list: !remaining.list,
    // Only failed requests count. Outcomes that came due during the run were not asked for: the next run buys them.
    details: failedCards.length === 0,
    // For these two, `results` alone decides.
    settings: true,
    medians: true,
  };
  const isWanted: Record<PartName, boolean> = {
    list: true,
    details: outcomes,
    settings: screeners,
    medians: stats,
  };
  const stateOf = (part: PartName): PartSummary => {
    const { failure } = parts[part];
    const isDone = isComplete[part] && !results.isUnfinished(part) && failure === null;
    const complete = isDone || !isWanted[part];
    return { complete, failure };
  };
  return {
    list: stateOf('list'),
    details: stateOf('details'),
    settings: stateOf('settings'),
    medians: stateOf('medians'),
  };
}
