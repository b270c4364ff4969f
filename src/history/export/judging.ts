/** When the judge is asked, and which of its lines are written: a word is withdrawn only where two days say so. */
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { utcDay } from '../../base/units.ts';
import type { Finding } from '../../outcomes/findings.ts';
import { judge } from '../../outcomes/judge.ts';
import { JUDGED_WINDOW } from '../../outcomes/question.ts';
import { rowOf } from '../../outcomes/row.ts';
import { jsonText } from '../../runtime/json-text.ts';
import {
  appendFindings,
  presentSettings,
  readFindings,
  readScreenersLog,
  readStatsLog,
  settingsByType,
} from '../store/answers.ts';
import { isFinal, type Observations, observed } from '../store/final.ts';
import { monthOf } from '../store/layout.ts';
import type { ExportManifest } from '../store/manifest.ts';
import type { WorkingHistory } from './working-history.ts';

/** What a judgement changes in the manifest. */
type Judgement = Pick<ExportManifest, 'judged_at' | 'withdrawals'>;

/** A line about one type or one of its numbers. */
type Word = Extract<Finding, { readonly about: 'type' | 'number' }>;

/** Words that are told: to lose one is news. */
const TOLD: ReadonlySet<unknown> = new Set(['above', 'below', 'higher', 'lower']);

/**
 * Asks once a UTC day, and after each sitting and change of settings.
 * @param now epoch milliseconds UTC
 * @throws ScreenerError storage, busy
 */
export async function judgeHistory(
  { directory, lock, manifest, months }: WorkingHistory,
  now: number,
): Promise<Judgement> {
  const { judged_at, withdrawals } = manifest;
  const last = parseApiTime(judged_at ?? '') ?? 0;
  const answers = await readStatsLog(directory, now);
  const looks = await readScreenersLog(directory, now);
  const settingsSince = presentSettings(looks, now);
  const settingsOf = settingsByType(looks);
  const changes = [...answers.map(({ at }) => at), ...settingsSince.values()];
  const isNews = changes.some((at) => at > last && at <= now);
  if (!isNews && utcDay(last) === utcDay(now)) return { judged_at, withdrawals };
  const first = monthOf(now - JUDGED_WINDOW);
  for (const month of Object.keys(manifest.months)) if (month >= first) await months.open(month);
  const cards = months.cards.map(({ line, at }) => rowOf(JSON.parse(line), at));
  const { values: notebook } = await readFindings(directory, now);
  const lines = judge({ cards, answers, settingsSince, settingsOf, now }, notebook);
  const held = holdWithdrawals(lines, notebook, { before: withdrawals, now });
  lock?.check();
  await appendFindings(directory, held.lines);
  return { judged_at: formatApiTime(now), withdrawals: held.withdrawals };
}

/**
 * @param lines what the judge would append now
 * @param withdrawals when each word was first and last to be withdrawn, by what it is about
 * @returns `lines` without the withdrawals that one day alone has seen; the judge makes them again if they stay right
 */
function holdWithdrawals(
  lines: readonly Finding[],
  notebook: readonly Finding[],
  { before, now }: { before: ExportManifest['withdrawals']; now: number },
): { readonly lines: readonly Finding[]; readonly withdrawals: ExportManifest['withdrawals'] } {
  const words = new Map<string, Word>();
  for (const line of notebook) if (isWord(line)) words.set(subjectOf(line), line);
  const withdrawals: Record<string, Observations> = {};
  const written: Finding[] = [];
  for (const line of lines) {
    const subject = isWord(line) ? subjectOf(line) : undefined;
    const word = subject === undefined ? undefined : words.get(subject);
    if (subject === undefined || word === undefined || !withdraws(line as Word, word)) {
      written.push(line);
      continue;
    }
    const observations = observed(before[subject], now);
    if (isFinal(observations)) written.push(line);
    else withdrawals[subject] = observations;
  }
  return { lines: written, withdrawals };
}

function isWord(line: Finding): line is Word {
  return line.about === 'type' || line.about === 'number';
}

function subjectOf(line: Word): string {
  if (line.about === 'type') return jsonText([line.about, line.type]);
  return jsonText([line.about, line.type, line.number, line.absolute]);
}

/** Under other settings it is no withdrawal: the word was of the earlier ones. */
function withdraws(line: Word, word: Word): boolean {
  if (!TOLD.has(word.verdict) || line.verdict === word.verdict) return false;
  return line.settings_since === word.settings_since;
}
