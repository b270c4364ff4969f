/** Settings once a day, medians of each screener type once in 30 days. A refusal ends no run. */
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { ScreenerError } from '../../errors.ts';
import { DAY } from '../../runtime/units.ts';
import { appendScreeners, appendStats } from '../store/answers.ts';
import type { Plan } from './plan.ts';
import type { ExportSession } from './session.ts';

const { cost } = OPERATIONS.stats;

/** @throws ScreenerError of this machine or the user's will */
export async function askOthers(session: ExportSession, { screeners, types }: Plan['others']): Promise<void> {
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
