/** One export run, step by step: recover what a killed run left, walk the list, buy what is due, conclude. */

import { LIMITS } from '../../api/limits.ts';
import { at, formatApiTime } from '../../api/time.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { ScreenerError } from '../../errors.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { utcDay } from '../../runtime/units.ts';
import { cardsIn, isScreenersDue } from '../store/manifest.ts';
import { appendScreeners } from '../store/screeners-log.ts';
import { changeDay } from './apply-journal.ts';
import { compactJournal } from './compact-journal.ts';
import { isListDone, olderWalk, putOff } from './coverage.ts';
import { bringUpToDate } from './late-cards.ts';
import { keepMedians } from './medians.ts';
import type { LockedHistory } from './open.ts';
import { listCredits, paceOf, UNPACED } from './pace.ts';
import { buyOutcomes, concernsOneAnswer } from './purchases.ts';
import { type Exporter, type ExportOptions, ExportSession } from './session.ts';
import { inBuyingOrder } from './survey.ts';
import { walkList } from './walk.ts';

/** Pages a run goes back in the list while outcomes wait for the credits: a third of a day's. */
export const OLDER_PAGES = LIMITS.creditsPerDay / 3;

/** Why a run ended before everything was done. */
export type StoppedBy = LimitName | 'pace' | 'window' | 'older' | 'late' | 'interrupted' | 'error';

/** What a run did; its view says what each field means. */
export type ExportSummary = Awaited<ReturnType<typeof runExport>>['summary'];

/**
 * Runs until all is done, a budget is reached or something fails; then brings everything that was paid for into the
 * month files.
 * @returns what it did; and what ended it, where that was no budget: to be thrown on once the summary is printed
 * @throws ScreenerError storage, where saving fails: what was synced before stays in the journal
 */
export async function runExport(exporter: Exporter, opened: LockedHistory, options: ExportOptions) {
  const { clock, signal } = exporter.context;
  const started = clock.now();
  const { notes } = exporter;
  const isResumed = opened.journal.entries.length > 0;
  const manifest = isResumed ? await compactJournal(opened, notes) : opened.manifest;
  const session = new ExportSession(exporter, { ...opened, manifest }, options);
  const { account } = exporter.connection;
  account.sendOnlyUnder(opened.lock);
  if (manifest.covered === null) account.startFilling();
  let stoppedBy: StoppedBy | null;
  let failure: unknown;
  try {
    stoppedBy = await walkAndBuy(session);
  } catch (error) {
    if (error instanceof ScreenerError && error.code === 'budget_reached') {
      stoppedBy = session.account.left().limit;
    } else {
      stoppedBy = signal.aborted ? 'interrupted' : 'error';
      failure = error;
    }
  } finally {
    session.hideProgress();
  }
  opened.lock.check();
  const now = session.clock.now();
  // By the service's time, which was not known when it started.
  const started_at = formatApiTime(now - Math.max(0, clock.now() - started));
  const finished_at = formatApiTime(now);
  const { due, later, share } = await session.survey();
  const { charged, uncertain } = account.spent();
  const after = await compactJournal(session.history, notes, ({ days }) => ({
    complete: stoppedBy === null,
    remaining: { list: !session.listDone, outcomes_due: due.length, outcomes_later: later.length },
    bought: share,
    days: changeDay(days, utcDay(now), (day) => ({
      ...day,
      runs: day.runs + 1,
      credits: day.credits + charged + uncertain,
      backlog: stoppedBy === 'pace' ? 0 : due.length,
    })),
    last_run: { started_at, finished_at, stopped_by: stoppedBy },
    focus: [...new Set([...manifest.focus, ...session.boughtFirst])].sort(),
    last_success: failure === undefined ? finished_at : manifest.last_success,
  }));
  const { pages, outcomes, medians } = session.counts;
  const summary = {
    directory: opened.directory,
    complete: after.complete,
    stopped_by: stoppedBy,
    pages,
    // A killed run told nobody what it had brought in.
    new_cards: cardsIn(after) - cardsIn(opened.manifest),
    outcomes,
    gone: after.gone.length - opened.manifest.gone.length,
    medians,
    credits: { charged, uncertain },
    cards_total: cardsIn(after),
    covered: after.covered,
    older_before: after.older === null ? null : (after.covered?.since ?? null),
    remaining: after.remaining,
    bought: after.bought,
  };
  return { summary, failure };
}

/** @returns why it ended before everything was done; null where everything is */
async function walkAndBuy(session: ExportSession): Promise<StoppedBy | null> {
  const { since, outcomes } = session.options;
  session.account.observe(await session.client.call('access', {}));
  const isFirst = session.coverage.covered === null;
  if (isFirst) {
    const { credits } = session.account.left();
    session.notes.note(
      `The first export of this history costs ${credits} credits at most; --max-credits N makes it fewer.`,
    );
  }
  const newer = await walkNewer(session);
  if (newer === 'budget') return session.account.left().limit;
  const medians = await keepOthers(session);
  // The first run buys before it looks further back than the newest days, unless it was asked how far.
  if ((!isFirst || since !== undefined) && !(await walkOlder(session, OLDER_PAGES)))
    return session.account.left().limit;
  session.listDone = isListDone(session.coverage, since);
  let ended = outcomes ? await buyDue(session, medians, isFirst) : null;
  if (ended === null && olderWalk(session.coverage, since) !== undefined) {
    // No outcome waits for the credits, before those that come now.
    if (!(await walkOlder(session, Number.POSITIVE_INFINITY))) return session.account.left().limit;
    session.listDone = isListDone(session.coverage, since);
    if (outcomes) ended = await buyDue(session, medians, false);
  }
  if (ended !== null) return ended;
  if (session.listDone) return newer === 'late' ? 'late' : null;
  return olderWalk(session.coverage, since) === undefined ? 'window' : 'older';
}

/** @returns what ended it before every outcome that is due was bought; null where nothing did */
async function buyDue(session: ExportSession, medians: number, isFirst: boolean): Promise<StoppedBy | null> {
  const { focus = [], allCredits } = session.options;
  const survey = await session.survey();
  const pace = allCredits
    ? UNPACED
    : paceOf(survey, session.manifest(), session.month(), { spending: session.account.days(), medians });
  for (const { type } of survey.due) if (focus.includes(type)) session.boughtFirst.add(type);
  const due = inBuyingOrder(survey.due, focus);
  const buys = Math.min(due.length, pace.now, session.account.left().credits);
  if (isFirst && buys < due.length) {
    const perDay = pace.perDay ?? LIMITS.creditsPerDay;
    session.notes.note(restSentence(due.length, buys, { perDay, coming: survey.cardsPerDay }));
  }
  return buyOutcomes(session, due, pace.now);
}

/**
 * Said by a first export that does not buy all outcomes that are due.
 * @param now outcomes that this run buys
 * @param perDay outcomes a day that the credits allow; `coming`: that come due
 */
function restSentence(due: number, now: number, { perDay, coming }: { perDay: number; coming: number }): string {
  const days = Math.ceil((due - now) / (perDay - coming));
  const rest =
    perDay > coming
      ? `the others take about ${pluralize(days, 'day')} more`
      : 'as many come due each day as the credits cover: a fair sample of them is bought';
  return `This run buys ${now} of the ${pluralize(due, 'outcome')} that are due; ${rest}.`;
}

/**
 * The service's medians and the screeners' settings: first, because the figures of the first day need them.
 * @returns credits of the medians that become due until the reset
 */
async function keepOthers(session: ExportSession): Promise<number> {
  const { screeners, stats } = session.options;
  const survey = await session.survey();
  const forList = listCredits(survey, session.manifest(), session.month());
  const medians = stats ? await keepMedians(session, survey.byType, forList) : 0;
  if (screeners) await keepScreeners(session);
  return medians;
}

/** Once a UTC day: 1 credit. */
async function keepScreeners(session: ExportSession): Promise<void> {
  const { directory, manifest } = session.history;
  const now = session.clock.now();
  if (!isScreenersDue(manifest, now) || session.account.left().credits < 1) return;
  const at = formatApiTime(now);
  try {
    const answer = await session.callOnce('screeners', {});
    await appendScreeners(directory, answer, now, manifest.screeners_at);
    await session.save({ kind: 'screeners', at });
  } catch (error) {
    if (!concernsOneAnswer(error) || error.retryAfter !== undefined) throw error;
    session.notes.note(`No settings of the screeners, asked for again tomorrow: ${error.message}`);
    await session.save({ kind: 'screeners-failed', at });
  }
}

/** What is new, and what an interrupted run has left of that. */
async function walkNewer(session: ExportSession) {
  const { walk, covered } = session.coverage;
  if (walk !== null && covered !== null) {
    // One that goes further back waits for its turn.
    if (at(walk.until) <= at(covered.until)) await session.savePage([], putOff(session.coverage, walk));
    else if (!(await walkList(session, walk))) return 'budget';
  }
  return bringUpToDate(session, session.options.since);
}

/**
 * What is further back than any run has looked.
 * @param most pages, where nobody asked for it with --since: outcomes are waiting for the credits
 * @returns false where the budget ended it
 */
async function walkOlder(session: ExportSession, most: number): Promise<boolean> {
  const { since } = session.options;
  const older = olderWalk(session.coverage, since);
  if (older === undefined) return true;
  if (session.coverage.older !== null) await session.savePage([], { ...session.coverage, older: null, walk: older });
  const before = session.counts.pages;
  return walkList(session, older, () => since === undefined && session.counts.pages - before >= most);
}
