/** Settings once a day, medians of each screener type once in 30 days. A refusal ends no run. */
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { ScreenerError } from '../../errors.ts';
import { DAY } from '../../runtime/units.ts';
import { appendScreeners, appendStats } from '../store/answers.ts';
import type { RunPlan } from './plan.ts';
import type { Session } from './session.ts';

const { cost } = OPERATIONS.stats;

/**
 * @param done counts types whose medians were asked for
 * @throws ScreenerError of this machine or the user's will
 */
export async function askOthers(session: Session, { screeners, types }: RunPlan['others'], done: { medians: number }) {
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
    if (account.left().credits < cost) return;
    const isKept = await ask(session, `stats ${type}`, `the service's medians for ${type}`, async (at) => {
      const stats = await client.call('stats', { screener_type: type }, { once: true });
      await appendStats(history.directory, { at, type, stats });
    });
    if (!isKept) return;
    done.medians += 1;
  }
}

/** Says a refusal once: else a service that goes on refusing would send a mail a day. @throws what is no refusal */
async function ask(session: Session, key: string, what: string, request: (now: number) => Promise<void>) {
  const { client, history, notes } = session;
  const now = client.now();
  try {
    await request(now);
    return true;
  } catch (error) {
    if (!(error instanceof ScreenerError) || error.concerns === 'run') throw error;
    const before = parseApiTime(history.manifest.refused[key] ?? '') ?? 0;
    const text = `Could not get ${what}; asking again tomorrow: ${error.message}`;
    if (now - before > 2 * DAY) notes.note(text);
    else notes.debug(text);
    await history.save({ kind: 'others', refused: { [key]: formatApiTime(now) } });
    return false;
  }
}
