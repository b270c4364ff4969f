/** Settings once a day, medians of each screener type once in 30 days. A refusal ends no run. */
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import type { Account } from '../../credits/account.ts';
import { ScreenerError } from '../../errors.ts';
import { areApart, inSuccession, type ServiceAnswer, STATS_WINDOW } from '../../outcomes/service-answers.ts';
import { DAY, HOUR, utcDay } from '../../runtime/units.ts';
import { appendScreeners, appendStats } from '../store/answers.ts';
import type { ExportManifest } from '../store/manifest.ts';
import { type BillingMonth, billingMonth, listCredits } from './pace.ts';
import type { ExportOptions, ExportSession } from './session.ts';
import type { Survey } from './survey.ts';

const LEAST_OUTCOMES = 20;

const SHARE = 1 / 20;

/** Lets a daily run ask again for a type that was refused. */
const TRY_AGAIN_AFTER = 20 * HOUR;

const { cost } = OPERATIONS.stats;

export type Others = ReturnType<typeof planOthers>;

/**
 * Plans what the credits beyond the list's allow.
 * @param answers that were kept, oldest first
 * @returns `types`: whose medians are asked for, those with most outcomes first, those refused last; `credits` for these
 *   requests, and for medians due `later` before the month's credits are reset
 */
export function planOthers(
  account: Account,
  survey: Survey,
  manifest: ExportManifest,
  answers: readonly ServiceAnswer[],
  options: ExportOptions,
) {
  const month = billingMonth(account, survey.at);
  const today = utcDay(month.now);
  const wereAsked = [manifest.screeners_at, manifest.refused.screeners].some((time) => time?.startsWith(today));
  const screeners = options.screeners === true && !wereAsked;
  const { due, later } = options.stats ? mediansOf(survey, answers, manifest, month) : { due: [], later: 0 };
  const credits = Math.min(account.left().credits, month.credits - listCredits(survey, manifest, month));
  const types = due.slice(0, Math.max(0, Math.floor(credits / cost)));
  return { screeners, types, credits: cost * types.length + Number(screeners), later };
}

function mediansOf(
  { dueByType }: Survey,
  answers: readonly ServiceAnswer[],
  { refused }: ExportManifest,
  { limit, resetsAt, now }: BillingMonth,
) {
  const kept = answers.filter(({ at }) => at <= now + DAY);
  const last = new Map([...inSuccession(kept)].map(([type, all]) => [type, Math.min(now, all.at(-1)?.at ?? 0)]));
  const failed = (type: string) => Math.min(now, parseApiTime(refused[`stats ${type}`] ?? '') ?? 0);
  const isRunning = (type: string) => !areApart(last.get(type) ?? 0, now);
  const most = Math.floor((limit * SHARE) / cost);
  const running = [...last.keys()].filter(isRunning).length;
  const types = [...dueByType].filter(([, outcomes]) => outcomes >= LEAST_OUTCOMES).sort(([, a], [, b]) => b - a);
  const wanted = types.map(([type]) => type).slice(0, most);
  const due = wanted
    .filter((type) => !isRunning(type) && now - failed(type) >= TRY_AGAIN_AFTER)
    .sort((a, b) => failed(a) - failed(b));
  const later = wanted.filter((type) => isRunning(type) && (last.get(type) ?? 0) + STATS_WINDOW < resetsAt);
  return { due: due.slice(0, Math.max(0, most - running)), later: cost * later.length };
}

/** @throws ScreenerError of this machine or the user's will */
export async function askOthers(session: ExportSession, { screeners, types }: Others): Promise<void> {
  const { account, clock, history } = session;
  if (screeners && account.left().credits >= 1) {
    await ask(session, 'screeners', "the screeners' settings", async (now) => {
      const answer = await session.callOnce('screeners', {});
      await appendScreeners(history.directory, answer, now, history.manifest.screeners_at);
      await session.save({ kind: 'others', screeners_at: formatApiTime(now) });
    });
  }
  session.requestsAfter = 0;
  let bought = types.length === 0 ? [] : await history.newlySettled(clock.now());
  for (const [i, type] of types.entries()) {
    session.showProgress('Medians', i, types.length);
    if (account.left().credits < cost) return;
    const isKept = await ask(session, `stats ${type}`, `the service's medians for ${type}`, async (at) => {
      const stats = await session.callOnce('stats', { screener_type: type });
      await appendStats(history.directory, { at, type, stats }, bought);
    });
    if (!isKept) return;
    session.counts.medians += 1;
    bought = [];
  }
}

/** Says a refusal once: else a service that goes on refusing would send a mail a day. @throws what is no refusal */
async function ask(
  session: ExportSession,
  key: string,
  what: string,
  request: (now: number) => Promise<void>,
): Promise<boolean> {
  const now = session.clock.now();
  try {
    await request(now);
    return true;
  } catch (error) {
    if (!(error instanceof ScreenerError) || error.concerns === 'run') throw error;
    const before = parseApiTime(session.history.manifest.refused[key] ?? '') ?? 0;
    const text = `Could not get ${what}; asking again tomorrow: ${error.message}`;
    if (now - before > 2 * DAY) session.notes.note(text);
    else session.notes.debug(text);
    await session.save({ kind: 'others', refused: { [key]: formatApiTime(now) } });
    return false;
  }
}
