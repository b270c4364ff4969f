/** One export run, step by step: newest cards, outcomes, settings and medians, older cards. */
import type { Client } from '../../api/client.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { at, formatApiTime, parseApiTime } from '../../api/time.ts';
import type { Account } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { askAccess } from '../../credits/reserve.ts';
import { ScreenerError } from '../../errors.ts';
import { DAY, dayNumber, MINUTE, SECOND } from '../../runtime/units.ts';
import { appendScreeners, appendStats } from '../store/answers.ts';
import { cardsIn, type ExportManifest, knownUntil } from '../store/manifest.ts';
import { mendDamage } from './check.ts';
import { conclude, type RunParts, summaryLines } from './conclude.ts';
import { Listing, OLDER_PAGES } from './listing.ts';
import { planRun, type RunPlan } from './plan.ts';
import { Purchases } from './purchases.ts';
import { RunBar, type Session, type StoppedBy } from './session.ts';

/** @returns `failure`: ended it, if no budget did; thrown after the summary @throws ScreenerError storage, busy */
export async function runExport(given: Omit<Session, 'bar' | 'isFirst'>, signal: AbortSignal) {
  const { account, history, notes } = given;
  const client = notBefore(given.client, history.manifest);
  const { gate } = account;
  const before = { cards: cardsIn(history.manifest), now: client.now() };
  const isFirst = history.manifest.spans.length === 0;
  await mendDamage(history, notes);
  // A disk that is still full is noticed before anything is paid for.
  await history.fold();
  const bar = new RunBar(notes, account);
  const session = { ...given, client, isFirst, bar };
  const parts = { listing: new Listing(session), purchases: new Purchases(session) };
  gate.lock = history.lock;
  gate.isExport = true;
  let stoppedBy: StoppedBy | null;
  let failure: unknown;
  try {
    stoppedBy = await work(session, parts);
  } catch (error) {
    const budget = budgetOf(error, account, client.now());
    if (budget === undefined) failure = error;
    stoppedBy = budget ?? (signal.aborted ? 'interrupted' : 'error');
  } finally {
    bar.progress.stop();
    // Later requests of this process are not part of the run.
    gate.lock = undefined;
  }
  failure ??= parts.listing.failure;
  if (failure !== undefined && stoppedBy !== 'interrupted') stoppedBy = 'error';
  const summary = await conclude(session, parts, { before, stoppedBy, failure });
  const lines = summaryLines(summary, account);
  const [cards, left, next] = lines.map(([, text]) => text);
  return { summary, lines, sentence: `${cards}. Left: ${left}. ${next}`, failure };
}

/** A Date header from before the page that was read last is not believed. */
function notBefore(client: Client, manifest: ExportManifest): Client {
  if (manifest.spans.length === 0) return client;
  const known = knownUntil(manifest, client.now());
  return { ...client, now: () => Math.max(client.now(), known) };
}

/** @returns what ended it before all was done */
async function work(session: Session, { listing, purchases }: RunParts): Promise<StoppedBy | null> {
  const { account, bar, client, history, isFirst, notes, options } = session;
  await askAccess(session, notes);
  if (isFirst && account.left().credits > 0) {
    const { dayLeft, monthLeft } = account.known();
    const ofMonth = monthLeft === undefined ? '' : ` (${monthLeft} this month)`;
    const most = `up to ${account.left().credits} of the ${dayLeft} credits left today${ofMonth}`;
    notes.note(`This first export may cost ${most}; limit it with --max-credits N.`);
  }
  if (!(await listing.bringUpToDate())) return account.left().limit;
  const plan = () => planRun(account, history, options, client.now());
  const first = await plan();
  bar.later = first.others.types.length + Number(first.others.screeners);
  const hasOlder = listing.missing !== undefined;
  const olderPages = hasOlder && (!isFirst || options.since !== undefined) ? OLDER_PAGES : 0;
  let ended = await purchases.buyDue(first, first.others.credits + olderPages);
  await askOthers(session, first.others, purchases);
  if (hasOlder) {
    const isAll = await listing.fillGaps(ended === null ? {} : { most: olderPages });
    if (!isAll && account.left().credits < 1) return account.left().limit;
  }
  ended = await purchases.buyDue(await plan(), 0);
  if (ended !== null || listing.isDone) return ended;
  return listing.missing === undefined ? 'window' : 'older';
}

/** Settings once a day, medians once in 30 days. @throws ScreenerError of this machine or the user's will */
async function askOthers(
  session: Session,
  { screeners, types }: RunPlan['others'],
  purchases: Purchases,
) {
  const { account, bar, client, history } = session;
  if (screeners && account.left().credits >= 1) {
    await ask(session, 'screeners', "the screeners' settings", async (now) => {
      const answer = await client.call('screeners', {}, { once: true });
      await appendScreeners(history.directory, answer, now, history.manifest.screeners_at);
      await history.save({ kind: 'others', screeners_at: formatApiTime(now) });
    });
  }
  bar.later = 0;
  for (const [i, type] of types.entries()) {
    bar.show('Medians', i, types.length);
    if (account.left().credits < OPERATIONS.stats.cost) return;
    const isKept = await ask(
      session,
      `stats ${type}`,
      `the service's medians for ${type}`,
      async (at) => {
        const stats = await client.call('stats', { screener_type: type }, { once: true });
        await appendStats(history.directory, { at, type, stats });
      },
    );
    if (!isKept) return;
    purchases.medians += 1;
  }
}

/** Says a refusal once: else a service that goes on refusing would send a mail a day. @throws what is no refusal */
async function ask(
  session: Session,
  key: string,
  what: string,
  request: (now: number) => Promise<void>,
) {
  const { client, history, notes } = session;
  const now = client.now();
  try {
    await request(now);
    return true;
  } catch (error) {
    if (!(error instanceof ScreenerError) || error.scope === 'local') throw error;
    const { manifest } = history;
    const before = parseApiTime(manifest.refused[key] ?? '') ?? 0;
    const text = `Could not get ${what}; asking again tomorrow: ${error.message}`;
    if (now - before > 2 * DAY) notes.note(text);
    else notes.debug(text);
    history.manifest = { ...manifest, refused: { ...manifest.refused, [key]: formatApiTime(now) } };
    return false;
  }
}

const NEAR = 10 * MINUTE;

/** A refusal until midnight, or the reset, is a budget that others used up. @returns undefined if it is no budget */
function budgetOf(error: unknown, account: Account, now: number): LimitName | undefined {
  if (!(error instanceof ScreenerError)) return undefined;
  if (error.code === 'budget_reached') return account.left().limit;
  if (error.code !== 'quota_exhausted' || error.retryAfter === undefined) return undefined;
  const back = now + error.retryAfter * SECOND;
  const isAt = (moment: number) => Math.abs(back - moment) <= NEAR;
  const reset = account.known().access?.credits.resets_at;
  if (reset !== undefined && isAt(at(reset))) return 'month';
  return isAt((dayNumber(now) + 1) * DAY) ? 'day' : undefined;
}
