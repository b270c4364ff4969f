/** One export run, step by step: newest cards, outcomes, settings and medians, older cards. Its parts fail apart. */
import type { Client } from '../../api/client.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import { askAccess } from '../../credits/reserve.ts';
import { ScreenerError } from '../../errors.ts';
import { appendScreeners, appendStats } from '../store/answers.ts';
import { MANIFEST_FILE } from '../store/layout.ts';
import { cardsIn, type ExportManifest, knownUntil } from '../store/manifest.ts';
import { conclude } from './conclude.ts';
import { openMonthsToMend } from './damage.ts';
import { Listing } from './listing.ts';
import { limitBehind, PartResults } from './part-results.ts';
import { planRun, type RunPlan } from './plan.ts';
import { Purchases } from './purchases.ts';
import type { RunParts } from './run-parts.ts';
import { RunBar, type Session, type StoppedBy } from './session.ts';
import { type ExportSummary, OLDER_PAGES } from './summary.ts';

export interface RunOutcome {
  readonly summary: ExportSummary;
  /** Thrown once the summary is printed; undefined if nothing failed but for a budget. */
  readonly failure: unknown;
}

/** @throws ScreenerError storage, busy */
export async function runExport(
  opened: Omit<Session, 'bar' | 'isFirst'>,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { account, history, notes } = opened;
  const client = notBefore(opened.client, history.manifest);
  const { gate } = account;
  const before = { cards: cardsIn(history.manifest), now: client.now() };
  const isFirst = history.manifest.spans.length === 0 && !history.isRebuilt;
  if (history.isRebuilt)
    notes.warn(
      `${MANIFEST_FILE} was damaged (${MANIFEST_FILE}.damaged has it). It is made again from the files beside it: the list is read again, no outcome is bought twice.`,
    );
  await openMonthsToMend(history, before.now);
  // A disk that is still full is noticed before anything is paid for.
  await history.fold();
  const bar = new RunBar(notes, account);
  const session = { ...opened, client, isFirst, bar };
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
  }
  if (results.usedUp !== undefined) stoppedBy = results.usedUp;
  else if (failure === undefined && results.failures.length > 0) {
    failure = tellFailures(session, results);
    stoppedBy = 'error';
  }
  const summary = await conclude(session, parts, { before, stoppedBy, failure });
  return { summary, failure };
}

/** A Date header from before the page that was read last is not believed. */
function notBefore(client: Client, manifest: ExportManifest): Client {
  if (manifest.spans.length === 0) return client;
  const listedUntil = knownUntil(manifest, client.now());
  return { ...client, now: () => Math.max(client.now(), listedUntil) };
}

/** @returns what ended it before all was done @throws what would end every part */
async function work(session: Session, parts: RunParts): Promise<StoppedBy | null> {
  const { account, bar, client, history, isFirst, notes, options } = session;
  const { listing, results } = parts;
  await askForCredits(session, results);
  if (isFirst && account.left().credits > 0) {
    const { dayLeft, monthLeft } = account.known();
    const ofMonth = monthLeft === undefined ? '' : ` (${monthLeft} this month)`;
    const most = `up to ${account.left().credits} of the ${dayLeft} credits left today${ofMonth}`;
    notes.note(`This first export may cost ${most}; limit it with --max-credits N.`);
  }
  const plan = () => planRun(account, history, options, client.now());
  let firstPlan = await plan();
  let newest: ListEnd = 'read';
  if (firstPlan.listAt === undefined || firstPlan.listAt <= client.now()) {
    newest = await listNewest(parts);
    if (newest === 'limit') return account.left().limit;
    firstPlan = await plan();
  } else {
    listing.nextAt = firstPlan.listAt;
  }
  const { others } = firstPlan;
  bar.later = others.types.length + Number(others.screeners);
  const hasOlder = newest === 'read' && listing.hole !== undefined;
  // A first run buys outcomes with all that is left, unless the user asked for older cards.
  const listsOlder = hasOlder && (!isFirst || options.since !== undefined);
  const olderPages = listsOlder ? OLDER_PAGES : 0;
  let stoppedBy = await buy(parts, firstPlan, others.credits + olderPages);
  if (others.screeners) await askSettings(session, results);
  await askMedians(session, parts, others.types);
  bar.later = 0;
  if (hasOlder) {
    const older = await listOlder(parts, stoppedBy === null ? {} : { most: olderPages });
    if (older === 'limit' && account.left().credits < 1) return account.left().limit;
  }
  const lastPlan = await plan();
  history.manifest = { ...history.manifest, medians: lastPlan.medians.types };
  stoppedBy = await buy(parts, lastPlan, 0);
  if (stoppedBy !== null || listing.isDone) return stoppedBy;
  return listing.hole === undefined ? 'window' : 'older';
}

/** If `/access` is answered, the key is good: an operation that refuses it later speaks for itself alone. */
async function askForCredits({ client, account, notes }: Session, results: PartResults) {
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
  let ended: StoppedBy | null = 'refused';
  await results.attempt('details', async () => {
    ended = await purchases.buyDue(plan, aside);
  });
  return ended;
}

/** Once a UTC day. */
async function askSettings({ account, client, history }: Session, results: PartResults) {
  if (account.left().credits < OPERATIONS.screeners.cost) return;
  if (results.skipIfHeld('settings', OPERATIONS.screeners.path)) return;
  const now = client.now();
  await results.attempt('settings', async () => {
    await keepingRefusal(history, SETTINGS, now, async () => {
      const answer = await client.call('screeners', {}, { once: true });
      await appendScreeners(history.directory, answer, now, history.manifest.screeners_at);
      await history.save({ kind: 'others', screeners_at: formatApiTime(now) });
    });
    results.succeed('settings');
  });
}

/** One sitting (see `Sittings`): the first refusal ends it, and later runs ask for the other types first. */
async function askMedians(
  { account, bar, client, history }: Session,
  { purchases, results }: RunParts,
  types: readonly string[],
) {
  if (types.length === 0 || results.skipIfHeld('medians', OPERATIONS.stats.path)) return;
  await results.attempt('medians', async () => {
    for (const [i, type] of types.entries()) {
      bar.show('Medians', i, types.length);
      if (account.left().credits < OPERATIONS.stats.cost) return;
      const at = client.now();
      await keepingRefusal(history, mediansOf(type), at, async () => {
        const stats = await client.call('stats', { screener_type: type }, { once: true });
        await appendStats(history.directory, { at, type, stats });
      });
      purchases.medians += 1;
    }
    results.succeed('medians');
  });
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

/** Keeps when a request was refused last, so that it is not sent again too soon. @throws ScreenerError that names the extra */
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
    const { code, message, hint = 'A later run asks again.' } = error;
    throw new ScreenerError(code, `Could not get ${what}: ${message}`, {
      ...error,
      hint: `${hint} ${option} leaves this out.`,
      cause: error.cause,
    });
  }
}

/** Says all failures but the first part's. @returns that one: its exit code is the run's */
function tellFailures({ notes }: Session, { failures }: PartResults): ScreenerError | undefined {
  const [worst, ...others] = failures;
  for (const { error } of others) notes.note(error.message);
  return worst?.error;
}
