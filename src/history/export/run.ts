/** One export run, step by step: newest cards, outcomes, settings and medians, older cards. */
import { LIMITS } from '../../api/limits.ts';
import { askAccess } from '../../credits/reserve.ts';
import { ScreenerError } from '../../errors.ts';
import type { Lock } from '../../runtime/lock.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { mendDamage } from './check.ts';
import { conclude, summaryLines } from './conclude.ts';
import { bringUpToDate, fillGaps, isListDone, missing, OLDER_PAGES } from './fill.ts';
import { askOthers } from './others.ts';
import { daysToCatchUp, type Plan, planRun } from './plan.ts';
import { buyOutcomes } from './purchases.ts';
import { type Exporter, type ExportOptions, ExportSession, type StoppedBy } from './session.ts';
import { inBuyingOrder } from './survey.ts';
import type { WorkingHistory } from './working-history.ts';

/** @returns what it did, also as lines for people; and what ended it, if no budget did: to be thrown after the summary */
export async function runExport(exporter: Exporter, history: WorkingHistory, lock: Lock, options: ExportOptions) {
  const { clock, signal } = exporter.context;
  const started = clock.now();
  const session = new ExportSession(exporter, history, lock, options);
  await mendDamage(session);
  // A disk that is still full is noticed before anything is paid for.
  if (history.isResumed) await history.fold();
  session.account.gate.lock = lock;
  session.account.gate.isFirstExport = session.isFirst;
  let stoppedBy: StoppedBy | null;
  try {
    stoppedBy = await work(session);
  } catch (error) {
    if (error instanceof ScreenerError && error.code === 'budget_reached') {
      stoppedBy = session.account.left().limit;
    } else {
      stoppedBy = signal.aborted ? 'interrupted' : 'error';
      session.failure = error;
    }
  } finally {
    session.hideProgress();
    // What else this process asks for needs no lock.
    session.account.gate.lock = undefined;
  }
  if (session.failure !== undefined && stoppedBy !== 'interrupted') stoppedBy = 'error';
  lock.check();
  const concluded = await conclude(session, clock.now() - started, stoppedBy);
  return { summary: concluded.summary, lines: summaryLines(concluded), failure: session.failure };
}

async function work(session: ExportSession): Promise<StoppedBy | null> {
  const { account, history, options } = session;
  await askAccess(session, session.notes);
  if (session.isFirst) {
    const { dayLeft, monthLeft } = account.known();
    const most = `up to ${account.left().credits} of the ${dayLeft} credits left today${monthLeft === undefined ? '' : ` (${monthLeft} this month)`}`;
    session.notes.note(`This first export may cost ${most}; limit it with --max-credits N.`);
  }
  if (!(await bringUpToDate(session))) return account.left().limit;
  const plan = () => planRun(account, history, options, session.clock.now());
  const first = await plan();
  session.requestsAfter = first.others.types.length + Number(first.others.screeners);
  const hasOlder = () => missing(session) !== undefined;
  const olderPages = hasOlder() && (!session.isFirst || options.since !== undefined) ? OLDER_PAGES : 0;
  let ended = await buyDue(session, first, first.others.credits + olderPages);
  await askOthers(session, first.others);
  if (hasOlder()) {
    const isAll = await fillGaps(session, ended === null ? {} : { most: olderPages });
    if (!isAll && account.left().credits < 1) return account.left().limit;
  }
  ended = await buyDue(session, await plan(), 0);
  if (ended !== null) return ended;
  if (isListDone(session)) return null;
  return hasOlder() ? 'older' : 'window';
}

async function buyDue(session: ExportSession, { survey, pace }: Plan, aside: number): Promise<StoppedBy | null> {
  const { account, counts } = session;
  const { focus = [], outcomes } = session.options;
  if (!outcomes) return null;
  for (const { type } of survey.due) if (focus.includes(type)) session.boughtFirst.add(type);
  const due = inBuyingOrder(survey.due, focus);
  const buys = Math.min(due.length, pace.now, Math.max(0, account.left().credits - aside));
  if (session.isFirst && counts.outcomes === 0 && buys < due.length) {
    const days = daysToCatchUp(due.length - buys, pace.perDay ?? LIMITS.creditsPerDay, survey.cardsPerDay);
    const never = 'at least as many come due each day as the credits cover, so a random sample is bought';
    const rest = days === null ? never : `the rest need about ${pluralize(days, 'more day')}`;
    session.notes.note(`Buying ${buys} of ${due.length} due outcomes now; ${rest}.`);
  }
  return buyOutcomes(session, due, { most: pace.now, aside });
}
