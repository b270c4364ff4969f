import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { judge } from '../../outcomes/judge.ts';
import { JUDGED_WINDOW } from '../../outcomes/question.ts';
import { type Row, rowOf } from '../../outcomes/row.ts';
import { utcDay } from '../../runtime/units.ts';
import { appendFindings, presentSettings, readFindings, readScreenersLog, readStatsLog } from '../store/answers.ts';
import { monthOf } from '../store/layout.ts';
import type { WorkingHistory } from './working-history.ts';

/**
 * Asks the one judge once a UTC day, and after each sitting and change of settings; its lines go into the notebook.
 * @returns when it was last asked, an API time @throws ScreenerError storage, busy
 */
export async function judgeHistory(history: WorkingHistory, now: number): Promise<string | null> {
  const { directory, manifest, months } = history;
  const last = parseApiTime(manifest.judged_at ?? '') ?? 0;
  const answers = await readStatsLog(directory);
  const settingsSince = presentSettings(await readScreenersLog(directory), now);
  const isNews = [...answers.map(({ at }) => at), ...settingsSince.values()].some((at) => at > last && at <= now);
  if (!isNews && utcDay(last) === utcDay(now)) return manifest.judged_at;
  const since = now - JUDGED_WINDOW;
  for (const month of Object.keys(manifest.months)) if (month >= monthOf(since)) await months.open(month);
  const rows = months.cards.map(({ line, at }): Row => rowOf(JSON.parse(line), at));
  const { values } = await readFindings(directory);
  history.lock?.check();
  await appendFindings(directory, judge({ rows, answers, settingsSince, now }, values));
  return formatApiTime(now);
}
