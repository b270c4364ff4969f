/**
 * One export run, step by step: the newest cards, their outcomes, settings and medians, older cards, and the outcomes of
 * these. If one part fails, the others run.
 */
import type { Client } from '../../api/client.ts';
import { askAccess } from '../../credits/ask-access.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import type { ScreenerError } from '../../errors.ts';
import type { Notes } from '../../runtime/context.ts';
import { MANIFEST_FILE } from '../store/layout.ts';
import {
  cardsIn,
  type ExportManifest,
  knownUntil,
  listedUntil,
  monthsWithMissing,
} from '../store/manifest.ts';
import { askOthers } from './ask-others.ts';
import { conclude } from './conclude.ts';
import { type ExportOptions, type ExportRun, RunBar, type StoppedBy } from './export-run.ts';
import { type FirstRun, firstRunOf } from './first-run.ts';
import { heardTime } from './heard-time.ts';
import { Listing } from './listing.ts';
import { countMissing, isLossDue, markLostMonthsUnread } from './lost-cards.ts';
import { limitBehind, PartResults } from './part-results.ts';
import { type OtherRequests, planRun, type RunPlan } from './plan.ts';
import { Purchases } from './purchases.ts';
import type { RunParts } from './run-parts.ts';
import { OLDER_PAGES } from './shares.ts';
import type { ExportSummary } from './summary.ts';

/** What a run did. */
export interface RunOutcome {
  readonly summary: ExportSummary;
  /** The caller throws it once the summary is printed; undefined if nothing failed. A budget that was reached is no failure. */
  readonly failure: unknown;
}

/** How the parts of a run ended. */
interface EndOfParts {
  /** What ended the run before all was done; null if nothing did. */
  readonly stoppedBy: StoppedBy | null;
  /** The error that the run ends with; undefined if nothing failed. */
  readonly failure: unknown;
}

/** @throws ScreenerError storage, busy */
export async function runExport(
  opened: Omit<ExportRun, 'bar' | keyof FirstRun>,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { account, history, notes } = opened;
  const client = withClockNotBeforeList(opened.client, history.manifest);
  const startedAt = client.now();
  const cardsAtStart = cardsIn(history.manifest);
  const listedBefore = listedUntil(history.manifest, startedAt);
  const firstRun = firstRunOf(history, startedAt);
  if (history.isRebuilt)
    notes.warn(
      `${MANIFEST_FILE} was damaged (${MANIFEST_FILE}.damaged has it). It is made again from the files beside it. The list is read again; an outcome that is in these files is not bought again.`,
    );
  await countMissing(history, startedAt);
  // This writes to the disk: a full disk is noticed before anything is paid for.
  await history.fold();
  const bar = new RunBar(notes, account);
  const run: ExportRun = { ...opened, ...firstRun, client, bar };
  const results = new PartResults(run);
  const listing = new Listing(run);
  const purchases = new Purchases(run, results, listing);
  const parts: RunParts = { listing, purchases, results };
  const endOfParts = await doPartsAsExport(run, parts, signal);
  const end = withFailuresOfParts(endOfParts, run, results);
  const hasEndedEarly = endOfParts.failure !== undefined;
  const course = { startedAt, cardsAtStart, listedBefore, hasEndedEarly, ...end };
  const summary = await conclude(run, parts, course);
  return { summary, failure: end.failure };
}

/**
 * The client, with a clock that never shows a time before the one until which exports have read the list. (The service's `Date`
 * header sets the clock during a run. If it shows an earlier time, it is wrong.) If exports seem to have read the list beyond now,
 * a clock was wrong then: the clock of this run never shows a time before its start.
 */
function withClockNotBeforeList(client: Client, manifest: ExportManifest): Client {
  if (manifest.spans.length === 0) return client;
  const earliest = knownUntil(manifest, client.now());
  return { ...client, now: () => Math.max(client.now(), earliest) };
}

/**
 * Does the parts of the run. No request is sent once the history's lock is lost, and all requests count as those of an export.
 */
async function doPartsAsExport(
  run: ExportRun,
  parts: RunParts,
  signal: AbortSignal,
): Promise<EndOfParts> {
  const { account, bar, client, history } = run;
  const { gate } = account;
  gate.lock = history.lock;
  gate.isExport = true;
  try {
    const stoppedBy = await doParts(run, parts);
    return { stoppedBy, failure: undefined };
  } catch (error) {
    const limit = limitBehind(error, account, client.now());
    if (limit !== undefined) return { stoppedBy: limit, failure: undefined };
    return { stoppedBy: signal.aborted ? 'interrupted' : 'error', failure: error };
  } finally {
    bar.progress.stop();
    // Later requests of this process are not part of the run.
    gate.lock = undefined;
    gate.isExport = false;
    account.endRun();
  }
}

/**
 * How a run ended, if what ended single parts of it counts, too. A limit that other programs have reached ends the run as that limit.
 * Otherwise the first failure of a part is the failure of the run.
 */
function withFailuresOfParts(
  end: EndOfParts,
  { notes }: ExportRun,
  results: PartResults,
): EndOfParts {
  const limit = results.limitReachedByOthers;
  if (limit !== undefined) return { ...end, stoppedBy: limit };
  if (end.failure !== undefined || results.failures.length === 0) return end;
  return { stoppedBy: 'error', failure: tellFailures(notes, results) };
}

/** Tells the user all failures but the first. @returns the first failure: the run ends with its exit code */
function tellFailures(
  notes: Pick<Notes, 'note'>,
  { failures }: PartResults,
): ScreenerError | undefined {
  const [first, ...others] = failures;
  for (const { error } of others) notes.note(error.message);
  return first?.error;
}

/**
 * Does the parts of the run. Failures of single parts are in `parts.results`.
 * @returns what ended the run before all was done; null if nothing did, though the list may have failed, or older cards may be left to
 *   later runs
 * @throws a failure that ends every part
 */
async function doParts(run: ExportRun, parts: RunParts): Promise<StoppedBy | null> {
  const { account } = run;
  await askForCredits(run, parts.results);
  account.beginRun();
  if (run.isFirstRun) quoteFirstRun(run);
  const planBeforeList = await planParts(run, parts.results);
  const newestEnd = await listNewest(run, parts, planBeforeList);
  const heard = heardTime(run, parts.listing);
  if (heard !== undefined) await markLostMonthsUnread(run, heard);
  if (newestEnd === 'limit' && hasNoCredits(account)) return account.left().limit;
  // New cards change what is to be bought.
  const plan = newestEnd === 'not_due' ? planBeforeList : await planParts(run, parts.results);
  const older = olderCards(run, parts.listing, plan, newestEnd);
  const { purchasesStoppedBy, othersStoppedBy } = await buyAndAskOthers(
    run,
    parts,
    plan,
    older.pages,
  );
  if (older.isWanted) {
    const doOutcomesWait = purchasesStoppedBy !== null;
    const isRestOfNewest = newestEnd === 'limit';
    // While outcomes wait, older cards get only the pages that were kept for them. The rest of the newest part has no such limit.
    const mostPages = doOutcomesWait && !isRestOfNewest ? older.pages : Number.POSITIVE_INFINITY;
    const olderEnd = await listOlder(parts, mostPages);
    if (olderEnd === 'limit' && hasNoCredits(account)) return account.left().limit;
  }
  const lastPurchasesStoppedBy = await buyLast(run, parts);
  return lastPurchasesStoppedBy ?? othersStoppedBy ?? null;
}

function hasNoCredits(account: ExportRun['account']): boolean {
  return account.left().credits < 1;
}

/** Plans the parts of the run. Marks which of details, settings and medians have something to do. */
async function planParts(run: ExportRun, results: PartResults): Promise<RunPlan> {
  const { account, client, history, options } = run;
  const plan = await planRun(account, history, options, client.now());
  const { others } = plan;
  results.setUnfinished('details', hasDueOutcomes(plan, options));
  results.setUnfinished('settings', others.asksSettings);
  results.setUnfinished('medians', others.types.length > 0);
  return plan;
}

function hasDueOutcomes({ survey }: RunPlan, { outcomes }: ExportOptions): boolean {
  return outcomes && survey.buyable.length > 0;
}

/** Tells the user what a first run may cost, if there are credits. */
function quoteFirstRun({ account, notes }: ExportRun): void {
  const { credits } = account.left();
  if (credits === 0) return;
  const { leftOfServiceDay, monthLeft } = account.known();
  const ofMonth = monthLeft === undefined ? '' : ` (${monthLeft} this month)`;
  // If the account has more credits a month than documented, nothing says what its daily limit is. The credits of its month are
  // known then, because `/access` has said how many there are.
  const isDailyLimitKnown = leftOfServiceDay !== undefined;
  const left = isDailyLimitKnown
    ? `${leftOfServiceDay} credits left today${ofMonth}`
    : `${monthLeft} credits left this month`;
  notes.note(
    `This first export may cost up to ${credits} of the ${left}; limit it with --max-credits N.`,
  );
}

/** Asks `/access`. If the service answers, the key is good: a later refusal is then about one operation. */
async function askForCredits(
  { client, account, notes }: ExportRun,
  results: PartResults,
): Promise<void> {
  const noticingClient: Client = {
    ...client,
    async call(name, params, how) {
      const answer = await client.call(name, params, how);
      results.isKeyGood = true;
      return answer;
    },
  };
  await askAccess({ client: noticingClient, account }, notes);
}

/** How reading a part of the list ended. */
type ListEnd =
  /** All of it was read. */
  | 'read'
  /** As many pages as are allowed were read, or all credits but those for other parts are spent. */
  | 'limit'
  | 'failed';

/** Lists what is new. @returns `not_due` if the list has not changed enough yet to be worth a credit */
async function listNewest(
  { client, history }: ExportRun,
  { listing, results }: RunParts,
  { listAt, setAside }: RunPlan,
): Promise<ListEnd | 'not_due'> {
  const now = client.now();
  // Only a page tells whether the second day of lost cards has come.
  const isAnyLossDue = monthsWithMissing(history.manifest).some(({ missing }) =>
    isLossDue(missing, now),
  );
  const isDue = listAt === undefined || listAt <= now || isAnyLossDue;
  results.setUnfinished('list', isDue);
  if (!isDue) {
    listing.nextAt = listAt;
    return 'not_due';
  }
  let end: ListEnd = 'failed';
  await results.attempt('list', async () => {
    end = (await listing.bringUpToDate(setAside)) ? 'read' : 'limit';
    if (end === 'read') results.setUnfinished('list', false);
  });
  // `attempt` has written down a failure that was thrown. `listing.failure` is another one: the list was read on behind it.
  if (listing.failure !== undefined) results.fail('list', listing.failure);
  else if (!results.hasFailed('list') && listing.pages > 0) results.succeed('list');
  return end;
}

/** The cards that are listed after outcomes were bought: those before the newest part of the list, or the rest of that part. */
interface OlderCards {
  /** Whether this run lists some. */
  readonly isWanted: boolean;
  /** Pages for which credits are kept while outcomes are bought. */
  readonly pages: number;
}

/**
 * Says for how many pages of older cards credits are kept while outcomes are bought. A page costs one credit.
 * - On the first day of a history, no credits are kept, unless the user asked for older cards with --since.
 * - Later, at most half of the credits left are kept. If all were kept, runs with --max-credits 20 would buy no outcome for weeks.
 */
function olderCards(
  { account, isFirstDay, options }: ExportRun,
  listing: Listing,
  { others }: RunPlan,
  newestEnd: ListEnd | 'not_due',
): OlderCards {
  // Reading the newest part was stopped early, to keep credits for outcomes. Outcomes may take all that are left.
  if (newestEnd === 'limit') return { isWanted: true, pages: 0 };
  const isWanted = newestEnd === 'read' && listing.toRead !== undefined;
  const keepsCredits = isWanted && (!isFirstDay || options.since !== undefined);
  if (!keepsCredits) return { isWanted, pages: 0 };
  const half = Math.floor((account.left().credits - others.credits) / 2);
  return { isWanted, pages: Math.min(OLDER_PAGES, Math.max(0, half)) };
}

/** Lists older cards, or the rest of the newest part. */
async function listOlder({ listing, results }: RunParts, mostPages: number): Promise<ListEnd> {
  const failureBefore = listing.failure;
  let end: ListEnd = 'failed';
  await results.attempt('list', async () => {
    end = (await listing.readUnread({ most: mostPages })) ? 'read' : 'limit';
    if (end === 'read') results.setUnfinished('list', false);
  });
  if (listing.failure !== failureBefore && listing.failure !== undefined)
    results.fail('list', listing.failure);
  return end;
}

/** What kept a run from doing all that its plan has. */
interface LeftUndone {
  /** What ended the purchases before all was bought; null if nothing did. */
  readonly purchasesStoppedBy: StoppedBy | null;
  /** The limit that left too few credits for settings and medians; undefined if there were enough. */
  readonly othersStoppedBy: LimitName | undefined;
}

/** Buys due outcomes, then asks for settings and medians. @param olderPages pages of the list for which credits are kept */
async function buyAndAskOthers(
  run: ExportRun,
  parts: RunParts,
  plan: RunPlan,
  olderPages: number,
): Promise<LeftUndone> {
  const { bar } = run;
  const { others } = plan;
  bar.laterRequests = requestsIn(others);
  const purchasesStoppedBy = await buy(parts, plan, others.credits + olderPages);
  const othersStoppedBy = await askOthers(run, parts, others);
  bar.laterRequests = 0;
  return { purchasesStoppedBy, othersStoppedBy };
}

function requestsIn({ asksSettings, types }: OtherRequests): number {
  return types.length + Number(asksSettings);
}

/**
 * Buys the due outcomes that the run did not know of before. The older cards that were just listed may have some. And the outcomes
 * that were just bought may have shown that outcomes come less late than was assumed: then others are due already.
 * @returns what ended it before all was bought; null if nothing did
 */
async function buyLast(run: ExportRun, parts: RunParts): Promise<StoppedBy | null> {
  const { account, client, history, options } = run;
  const plan = await planRun(account, history, options, client.now());
  parts.results.setUnfinished('details', hasDueOutcomes(plan, options));
  return buy(parts, plan, 0);
}

/**
 * Buys due outcomes, unless the details failed before in this run.
 * @param creditsForRest credits that the rest of the run needs
 * @returns what ended it before all was bought; null if nothing did
 */
async function buy(
  { purchases, results }: RunParts,
  plan: RunPlan,
  creditsForRest: number,
): Promise<StoppedBy | null> {
  if (results.hasFailed('details')) return 'refused';
  // If the details fail, `attempt` ends without changing this.
  let stoppedBy: StoppedBy | null = 'refused';
  await results.attempt('details', async () => {
    stoppedBy = await purchases.buyDue(plan, creditsForRest);
    if (stoppedBy === null) results.setUnfinished('details', false);
  });
  return stoppedBy;
}
