/** Settings and medians, asked for besides cards and outcomes. A refusal ends no run. */
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { ScreenerError } from '../../errors.ts';
import { DAY } from '../../runtime/units.ts';
import { History } from '../store/history.ts';
import { isScreenersDue } from '../store/manifest.ts';
import { appendScreeners } from '../store/screeners-log.ts';
import { appendStats, readStatsLog } from '../store/stats-log.ts';
import { mediansOf } from './medians.ts';
import { listCredits } from './pace.ts';
import type { ExportSession } from './session.ts';

export interface Others {
  readonly screeners: boolean;
  readonly types: readonly string[];
  readonly credits: number;
  readonly later: number;
}

/** Plans what the credits beyond the list's allow. @throws ScreenerError storage */
export async function planOthers(session: ExportSession): Promise<Others> {
  const { history, options } = session;
  const manifest = session.manifest();
  const screeners = options.screeners === true && isScreenersDue(manifest, session.clock.now());
  if (!options.stats) return { screeners, types: [], credits: screeners ? 1 : 0, later: 0 };
  const survey = await session.survey();
  const month = session.month();
  const { due, later } = mediansOf(survey.dueByType, await readStatsLog(history.directory), manifest, month);
  const beyondList = month.credits - listCredits(survey, manifest, month);
  const affordable = Math.floor(Math.min(session.account.left().credits, beyondList) / OPERATIONS.stats.cost);
  const types = due.slice(0, Math.max(0, affordable));
  return { screeners, types, credits: OPERATIONS.stats.cost * types.length + (screeners ? 1 : 0), later };
}

/** @throws ScreenerError of this machine or the user's will */
export async function askOthers(session: ExportSession, others: Others): Promise<Others> {
  if (others.screeners && session.account.left().credits >= 1) await askScreeners(session);
  session.requests += Number(others.screeners);
  const { clock, history, notes } = session;
  let bought = others.types.length === 0 ? [] : await new History(history.directory, notes).newlySettled(clock.now());
  for (const [i, type] of others.types.entries()) {
    session.requestsAfter = 0;
    session.showProgress('Medians', i, others.types.length);
    session.requests += 1;
    if (session.account.left().credits < OPERATIONS.stats.cost) break;
    if (!(await askMedians(session, type, bought))) break;
    bought = [];
  }
  return { ...others, screeners: false, types: [], credits: 0 };
}

async function askScreeners(session: ExportSession): Promise<void> {
  const { directory, manifest } = session.history;
  const now = session.clock.now();
  const at = formatApiTime(now);
  try {
    const answer = await session.callOnce('screeners', {});
    await appendScreeners(directory, answer, now, manifest.screeners_at);
    await session.save({ kind: 'screeners', at });
  } catch (error) {
    noteRefusal(session, "the screeners' settings", manifest.screeners_failed, asRefusal(error));
    await session.save({ kind: 'screeners-failed', at });
  }
}

async function askMedians(session: ExportSession, type: string, bought: readonly number[]): Promise<boolean> {
  const { directory, manifest } = session.history;
  const now = session.clock.now();
  try {
    const stats = await session.callOnce('stats', { screener_type: type });
    await appendStats(directory, { at: now, type, stats, bought });
    session.counts.medians += 1;
    return true;
  } catch (error) {
    noteRefusal(session, `the service's medians for ${type}`, manifest.stats_failed[type], asRefusal(error));
    await session.save({ kind: 'stats-failed', type, at: formatApiTime(now) });
    return false;
  }
}

/** @throws the error itself, if it is no refusal */
function asRefusal(error: unknown): ScreenerError {
  if (error instanceof ScreenerError && error.concerns !== 'run') return error;
  throw error;
}

/** A service that goes on refusing would otherwise send a mail a day. */
function noteRefusal(
  session: ExportSession,
  what: string,
  before: string | null | undefined,
  refusal: ScreenerError,
): void {
  const isNews = session.clock.now() - (parseApiTime(before ?? '') ?? 0) > 2 * DAY;
  const text = `Could not get ${what}; asking again tomorrow: ${refusal.message}`;
  if (isNews) session.notes.note(text);
  else session.notes.debug(text);
}
