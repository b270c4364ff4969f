/** Settings and medians, asked for besides cards and outcomes. A refusal ends no run. */
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { ScreenerError } from '../../errors.ts';
import { DAY } from '../../runtime/units.ts';
import { History } from '../store/history.ts';
import { appendScreeners } from '../store/screeners-log.ts';
import { appendStats } from '../store/stats-log.ts';
import type { Others } from './medians.ts';
import type { ExportSession } from './session.ts';

/** @throws ScreenerError of this machine or the user's will */
export async function askOthers(session: ExportSession, { screeners, types }: Others): Promise<void> {
  if (screeners && session.account.left().credits >= 1) await askScreeners(session);
  session.requestsAfter = 0;
  const { clock, history, notes } = session;
  let bought = types.length === 0 ? [] : await new History(history.directory, notes).newlySettled(clock.now());
  for (const [i, type] of types.entries()) {
    session.showProgress('Medians', i, types.length);
    if (session.account.left().credits < OPERATIONS.stats.cost) break;
    if (!(await askMedians(session, type, bought))) break;
    bought = [];
  }
}

async function askScreeners(session: ExportSession): Promise<void> {
  const { directory, manifest } = session.history;
  const now = session.clock.now();
  try {
    const answer = await session.callOnce('screeners', {});
    await appendScreeners(directory, answer, now, manifest.screeners_at);
    await session.save({ kind: 'others', screeners_at: formatApiTime(now) });
  } catch (error) {
    await saveRefusal(session, 'screeners', "the screeners' settings", error);
  }
}

async function askMedians(session: ExportSession, type: string, bought: readonly number[]): Promise<boolean> {
  const now = session.clock.now();
  try {
    const stats = await session.callOnce('stats', { screener_type: type });
    await appendStats(session.history.directory, { at: now, type, stats, bought });
    session.counts.medians += 1;
    return true;
  } catch (error) {
    await saveRefusal(session, `stats ${type}`, `the service's medians for ${type}`, error);
    return false;
  }
}

/** Says it once: a service that goes on refusing would otherwise send a mail a day. @throws what is no refusal */
async function saveRefusal(session: ExportSession, key: string, what: string, error: unknown): Promise<void> {
  if (!(error instanceof ScreenerError) || error.concerns === 'run') throw error;
  const now = session.clock.now();
  const before = parseApiTime(session.history.manifest.refused[key] ?? '') ?? 0;
  const text = `Could not get ${what}; asking again tomorrow: ${error.message}`;
  if (now - before > 2 * DAY) session.notes.note(text);
  else session.notes.debug(text);
  await session.save({ kind: 'others', refused: { [key]: formatApiTime(now) } });
}
