/**
 * One export run, step by step: the newest cards, their outcomes, settings and medians, older cards, and the outcomes of
 * these. If one part fails, the others run.
 */
import type { Client } from '../../api/client.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { askAccess } from '../../credits/reserve.ts';
import { ScreenerError } from '../../errors.ts';
import { appendScreeners, appendStats } from '../store/answers.ts';
import { MANIFEST_FILE } from '../store/layout.ts';
import { cardsIn, type ExportManifest, knownUntil } from '../store/manifest.ts';
import { type Beginning, beginningOf } from './beginning.ts';
import { conclude } from './conclude.ts';
import { lostLinesSentence, openMonthsToMend } from './damage.ts';
import { Listing } from './listing.ts';
import { limitBehind, PartResults } from './part-results.ts';
import { type OtherRequests, planRun, type RunPlan } from './plan.ts';
import { Purchases } from './purchases.ts';
import type { RunParts } from './run-parts.ts';
import { type ExportOptions, RunBar, type Session, type StoppedBy } from './session.ts';
import { type ExportSummary, OLDER_PAGES } from './summary.ts';

export interface RunOutcome {
  readonly summary: ExportSummary;
  /** To be thrown once the summary is printed; undefined if nothing failed. That a budget was reached is no failure. */
  readonly failure: unknown;
}

/** @throws ScreenerError storage, busy */
export async function runExport(
  opened: Omit<Session, 'bar' | keyof Beginning>,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { account, history, notes } = opened;
  const client = withClockNotBeforeList(opened.client, history.manifest);
  const { gate } = account;
  const before = { cards: cardsIn(history.manifest), now: client.now() };
  const beginning = beginningOf(history, before.now);
  if (history.isRebuilt)
    notes.warn(
      `${MANIFEST_FILE} was damaged (${MANIFEST_FILE}.damaged has it). It is made again from the files beside it. The list is read again; an outcome that is in these files is not bought again.`,
    );
  await openMonthsToMend(history, before.now);
  // Said now: from this run on, the manifest counts the cards that are left.
  for (const file of history.months.opened) {
    const lost = lostLinesSentence(file, history.manifest);
    if (lost !== undefined) notes.warn(lost);
  }
  // A disk that is still full is noticed before anything is paid for.
  await history.fold();
  const bar = new RunBar(notes, account);
  const session = { ...opened, ...beginning, client, bar };
  const results = new PartResults(session);
  const listing = new Listing(session);
  const purchases = new Purchases(session, results);
  const parts = { listing, purchases, results };
  gate.lock = history.lock;
  gate.isExport = true;
  let stoppedBy: StoppedBy | null;
  let failure: unknown;
  try {
    stoppedBy = await work(session, parts);
  } catch (error) {
    const limit = limitBehind(error, account, client.now());
    if (limit === undefined) failure = error;
    stoppedBy = limit ?? (signal.aborted ? 'interrupted' : 'error');
  } finally {
    bar.progress.stop();
    // Later requests of this process are not part of the run.
    gate.lock = undefined;
    gate.isExport = false;
    account.endRun();
  }
  if (results.usedUp !== undefined) {
    stoppedBy = results.usedUp;
  } else if (failure === undefined && results.failures.length > 0) {
    failure = tellFailures(session, results);
    stoppedBy = 'error';
  }
  const summary = await conclude(session, parts, { before, stoppedBy, failure });
  return { summary, failure };
}

/** The client's time, but never earlier than the end of the page that was read last: such a Date header is wrong. */
function withClockNotBeforeList(client: Client, manifest: ExportManifest): Client {
  if (manifest.spans.length === 0) return client;
  const listedUntil = knownUntil(manifest, client.now());
  return { ...client, now: () => Math.max(client.now(), listedUntil) };
}

/** Does the parts of the run. @returns what ended it before all was done @throws a failure that ends every part */
async function work(session: Session, parts: RunParts): Promise<StoppedBy | null> {
  const { account, bar, client, history, isFirstRun, isFirstDay, options } = session;
  const { listing, results } = parts;
  await askForCredits(session, results);
  account.beginRun();
  if (isFirstRun) quoteFirstRun(session);
  const makePlan = async () => {
    const newPlan = await planRun(account, history, options, client.now());
    setTurns(results, newPlan, options);
    return newPlan;
  };
  let plan = await makePlan();
  let newestEnd: ListEnd = 'read';
  const readsList = plan.listAt === undefined || plan.listAt <= client.now();
  results.setTurn('list', readsList);
  if (readsList) {
    newestEnd = await listNewest(parts);
    if (newestEnd === 'limit') return account.left().limit;
    if (newestEnd === 'read') results.finish('list');
    // New cards change what is to be bought.
    plan = await makePlan();
  } else {
    listing.nextAt = plan.listAt;
  }
  const { others } = plan;
  bar.later = others.types.length + (others.screeners ? 1 : 0);
  const hasOlder = newestEnd === 'read' && listing.hole !== undefined;
  // On its first day a history buys outcomes with all that is left, unless the user asked for older cards.
  const keepsCreditsForOlder = hasOlder && (!isFirstDay || options.since !== undefined);
  const olderPages = keepsCreditsForOlder ? OLDER_PAGES : 0;
  const stoppedBuying = await buy(parts, plan, others.credits + olderPages);
  const limitOfOthers = await askOthers(session, parts, others);
  bar.later = 0;
  if (hasOlder) {
    // While outcomes wait, older cards get their few pages only.
    const olderEnd = await listOlder(parts, stoppedBuying === null ? {} : { most: olderPages });
    if (olderEnd === 'limit' && account.left().credits < 1) return account.left().limit;
  }
  // Older cards may have due outcomes, and the answers that came change when the next ones are due.
  const lastPlan = await planRun(account, history, options, client.now());
  history.manifest = { ...history.manifest, medians: lastPlan.medians.types };
  results.setTurn('details', hasDueOutcomes(lastPlan, options));
  const stoppedBuyingLast = await buy(parts, lastPlan, 0);
  const stoppedBy = stoppedBuyingLast ?? limitOfOthers ?? null;
  if (stoppedBy !== null || listing.isDone) return stoppedBy;
  return listing.hole === undefined ? 'window' : 'older';
}

/** Sets which parts, the list apart, have something to do in this run. */
function setTurns(results: PartResults, plan: RunPlan, options: ExportOptions): void {
  const { others } = plan;
  results.setTurn('details', hasDueOutcomes(plan, options));
  results.setTurn('settings', others.screeners);
  results.setTurn('medians', others.types.length > 0);
}

function hasDueOutcomes({ survey }: RunPlan, { outcomes }: ExportOptions): boolean {
  return outcomes && survey.due.length > 0;
}

/** Tells the user what a first run may cost, if there are credits. */
function quoteFirstRun({ account, notes }: Session): void {
  const { credits } = account.left();
  if (credits === 0) return;
  const { dayLeft, monthLeft } = account.known();
  const ofMonth = monthLeft === undefined ? '' : ` (${monthLeft} this month)`;
  const left = Number.isFinite(dayLeft)
    ? `${dayLeft} credits left today${ofMonth}`
    : `${monthLeft} credits left this month`;
  notes.note(
    `This first export may cost up to ${credits} of the ${left}; limit it with --max-credits N.`,
  );
}

/** Asks `/access`. If it is answered, the key is good: a later refusal is then about an operation. */
async function askForCredits(
  { client, account, notes }: Session,
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

/** How reading the list ended: all was read, the budget or the limit of pages was reached, or it failed. */
type ListEnd = 'read' | 'limit' | 'failed';

async function listNewest({ listing, results }: RunParts): Promise<ListEnd> {
  let end: ListEnd = 'failed';
  await results.attempt('list', async () => {
    end = (await listing.bringUpToDate()) ? 'read' : 'limit';
  });
  if (listing.failure !== undefined) results.fail('list', listing.failure);
  else if (!results.hasFailed('list') && listing.pages > 0) results.succeed('list');
  return end;
}

async function listOlder(
  { listing, results }: RunParts,
  limits: { readonly most?: number },
): Promise<ListEnd> {
  const failureBefore = listing.failure;
  let end: ListEnd = 'failed';
  await results.attempt('list', async () => {
    end = (await listing.fillHoles(limits)) ? 'read' : 'limit';
  });
  if (listing.failure !== failureBefore && listing.failure !== undefined)
    results.fail('list', listing.failure);
  return end;
}

/** @param aside credits that the rest of the run needs @returns what ended it before all was bought */
async function buy(
  { purchases, results }: RunParts,
  plan: RunPlan,
  aside: number,
): Promise<StoppedBy | null> {
  if (results.hasFailed('details')) return 'refused';
  // If the details fail, this stays as it is.
  let stoppedBy: StoppedBy | null = 'refused';
  await results.attempt('details', async () => {
    stoppedBy = await purchases.buyDue(plan, aside);
    if (stoppedBy === null) results.finish('details');
  });
  return stoppedBy;
}

/**
 * Asks for settings and medians, as the plan has them.
 * @returns the limit that left too few credits for them; undefined if there were enough
 */
async function askOthers(
  session: Session,
  parts: RunParts,
  { screeners, types }: OtherRequests,
): Promise<LimitName | undefined> {
  const limitOfSettings = screeners ? await askSettings(session, parts.results) : undefined;
  const limitOfMedians = await askMedians(session, parts, types);
  return limitOfMedians ?? limitOfSettings;
}

/**
 * Asks for the settings of all screeners: once a UTC day, as the plan has it.
 * @returns the limit that leaves no credit for them
 */
async function askSettings(
  { account, client, history }: Session,
  results: PartResults,
): Promise<LimitName | undefined> {
  const { limit, credits } = account.left();
  if (credits < OPERATIONS.screeners.cost) return limit;
  if (results.skipIfHeld('settings', OPERATIONS.screeners.path)) return undefined;
  const now = client.now();
  await results.attempt('settings', async () => {
    await keepingRefusal(history, SETTINGS, now, async () => {
      const answer = await client.call('screeners', {}, { once: true });
      await appendScreeners(history.directory, answer, now, history.manifest.screeners_at);
      await history.save({ kind: 'others', screeners_at: formatApiTime(now) });
    });
    results.succeed('settings');
    results.finish('settings');
  });
  return undefined;
}

/**
 * Asks for the medians of the types that are due: one sitting. The first refusal ends it; later runs ask for the other types
 * first.
 * @returns the limit that leaves too few credits for the next type
 */
async function askMedians(
  { account, bar, client, history }: Session,
  { purchases, results }: RunParts,
  types: readonly string[],
): Promise<LimitName | undefined> {
  if (types.length === 0 || results.skipIfHeld('medians', OPERATIONS.stats.path)) return undefined;
  let limitReached: LimitName | undefined;
  await results.attempt('medians', async () => {
    for (const [i, type] of types.entries()) {
      bar.show('Medians', i, types.length);
      const { limit, credits } = account.left();
      if (credits < OPERATIONS.stats.cost) {
        limitReached = limit;
        return;
      }
      const at = client.now();
      await keepingRefusal(history, mediansOf(type), at, async () => {
        const stats = await client.call('stats', { screener_type: type }, { once: true });
        await appendStats(history.directory, { at, type, stats });
      });
      purchases.medians += 1;
    }
    results.succeed('medians');
    results.finish('medians');
  });
  return limitReached;
}

/** What is asked for beside cards, and the option that leaves it out. */
interface Extra {
  /** Its name in `refused` of export.json. */
  readonly key: string;
  /** In words, after "Could not get". */
  readonly what: string;
  readonly option: string;
}

const SETTINGS: Extra = {
  key: 'screeners',
  what: "the screeners' settings",
  option: '--no-screeners',
};

function mediansOf(type: string): Extra {
  return {
    key: `stats ${type}`,
    what: `the service's medians for ${type}`,
    option: '--no-stats',
  };
}

/**
 * Sends a request. If it is refused, keeps the time, so that it is not sent again too soon.
 * @throws ScreenerError that names the extra
 */
async function keepingRefusal(
  history: Session['history'],
  { key, what, option }: Extra,
  now: number,
  request: () => Promise<void>,
): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (!(error instanceof ScreenerError) || error.scope === 'local') throw error;
    const { manifest } = history;
    const refused = { ...manifest.refused, [key]: formatApiTime(now) };
    history.manifest = { ...manifest, refused };
    const { code, message, hint = 'A later run asks again.', ...details } = error;
    throw new ScreenerError(code, `Could not get ${what}: ${message}`, {
      // Its scope, status and when to try again.
      ...details,
      hint: `${hint} ${option} leaves this out.`,
      cause: error.cause,
    });
  }
}

/** Tells the user all failures but that of the first part. @returns that failure, whose exit code is the run's */
function tellFailures({ notes }: Session, { failures }: PartResults): ScreenerError | undefined {
  const [first, ...others] = failures;
  for (const { error } of others) notes.note(error.message);
  return first?.error;
}
