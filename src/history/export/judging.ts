/**
 * When the cards are judged, and which lines the notebook (`findings.ndjson`) then gets. Two kinds of lines are written only if two
 * UTC days say the same: a line that withdraws a verdict, and a line that says that a change of settings helped, or that it hurt.
 */
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { utcDay } from '../../base/units.ts';
import type { Finding } from '../../outcomes/findings.ts';
import { historyCardOf } from '../../outcomes/history-card.ts';
import { judge } from '../../outcomes/judge.ts';
import type { ServiceAnswer } from '../../outcomes/service-answers.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { appendFindings, readFindings, readScreenersLog, readStatsLog } from '../store/answers.ts';
import { isFinal, withObservation } from '../store/final.ts';
import {
  type ExportManifest,
  outcomesPerDay,
  sittingsInManifest,
  typesInFocus,
} from '../store/manifest.ts';
import {
  inUseSince,
  periodsInUseByType,
  presentSettingsSince,
  type ScreenersLook,
} from '../store/settings-periods.ts';
import { firstJudgedMonth } from './damage.ts';
import type { WorkingHistory } from './working-history.ts';

/** Lines that one UTC day has said, and that wait for a second day before they are written: when they were said, by subject. */
type AwaitingSecondDay = ExportManifest['awaiting'];

/** What a judgement changes in the manifest. */
type Judgement = Pick<ExportManifest, 'judged_at' | 'awaiting'>;

/** The verdict about a type, about one of the numbers that its cards have at the trigger (`entry_context`), or about a change. */
type VerdictLine = Extract<Finding, { readonly about: 'type' | 'number' | 'change' }>;

/** What a change of settings did. */
type ChangeLine = Extract<Finding, { readonly about: 'change' }>;

/**
 * Verdicts that name a side: a type is above or below what it is compared with, the outcomes of a change or at a number are higher
 * or lower. (Other verdicts, such as `unclear`, name none.) A second day is needed to withdraw a verdict that names a side, and to
 * write that a change of settings helped (`higher`) or hurt (`lower`).
 */
const SIDES: ReadonlySet<unknown> = new Set(['above', 'below', 'higher', 'lower']);

/** What a judgement is made from, besides the cards. */
interface JudgementBasis {
  /** Answers of the service about types, oldest first. */
  readonly answers: readonly ServiceAnswer[];
  /** The answers about the screeners' settings, oldest first. */
  readonly looks: readonly ScreenersLook[];
}

/**
 * Reads what the next judgement needs, the months with judged cards included. The cards are judged once a UTC day, and again after
 * new answers of the service and after a change of settings. In between, a judgement would say the same: the earlier one stays.
 * @param now epoch milliseconds UTC
 * @returns undefined if no judgement is due
 * @throws ScreenerError storage
 */
export async function readForJudgement(
  { directory, manifest, months }: WorkingHistory,
  now: number,
): Promise<JudgementBasis | undefined> {
  const lastJudged = parseApiTime(manifest.judged_at ?? '') ?? 0;
  const answers = await readStatsLog(directory, now);
  const looks = await readScreenersLog(directory, now);
  const settingsSince = presentSettingsSince(looks, now);
  const newsTimes = [...answers.map(({ at }) => at), ...settingsSince.values()];
  const hasNews = newsTimes.some((at) => at > lastJudged && at <= now);
  const isJudgedToday = utcDay(lastJudged) === utcDay(now);
  if (isJudgedToday && !hasNews) return undefined;
  const firstMonth = firstJudgedMonth(now);
  for (const month of Object.keys(manifest.months))
    if (month >= firstMonth) await months.open(month);
  return { answers, looks };
}

/**
 * Judges the cards.
 * @param basis what `readForJudgement` has read
 * @param now epoch milliseconds UTC
 * @throws ScreenerError storage, busy
 */
export async function judgeHistory(
  { directory, lock, manifest, months }: WorkingHistory,
  { answers, looks }: JudgementBasis,
  now: number,
): Promise<Judgement> {
  const cards = months.cards.map(({ line, at }) => historyCardOf(JSON.parse(line), at));
  const { values: notebook } = await readFindings(directory, now);
  const known = {
    cards,
    answers,
    settingsSince: presentSettingsSince(looks, now),
    inUseSince: inUseSince(looks, now),
    settingsOf: periodsInUseByType(looks),
    // When exports ask for the medians of each type next. (A sitting is the few days in which they ask for those of all types.)
    planned: sittingsInManifest(manifest),
    doubtedTypes: doubtedTypes(notebook, manifest.awaiting),
    inFocus: typesInFocus(manifest),
    boughtPerDay: outcomesPerDay(manifest),
    now,
  };
  const lines = judge(known, notebook);
  const awaitingBefore = manifest.awaiting;
  const { written, awaiting } = awaitSecondDay(lines, notebook, { awaitingBefore, now });
  lock?.check();
  await appendFindings(directory, written);
  return { judged_at: formatApiTime(now), awaiting };
}

/** Types whose withdrawal of a verdict waits for a second day. */
function doubtedTypes(
  notebook: readonly Finding[],
  awaiting: AwaitingSecondDay,
): ReadonlySet<string> {
  const types = new Set<string>();
  for (const line of notebook) {
    if (line.about === 'type' && subjectOf(line) in awaiting) types.add(line.type);
  }
  return types;
}

interface SecondDayCheck {
  /** What waited for a second day after the last judgement. */
  readonly awaitingBefore: AwaitingSecondDay;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/**
 * Holds back the lines that need a second day, if only one day has said them. No line is lost: the judge makes a line again as long
 * as it is right.
 * @param lines what the judge would append now
 */
function awaitSecondDay(
  lines: readonly Finding[],
  notebook: readonly Finding[],
  { awaitingBefore, now }: SecondDayCheck,
): { readonly written: readonly Finding[]; readonly awaiting: AwaitingSecondDay } {
  const lastLines = new Map<string, VerdictLine>();
  for (const line of notebook) if (isVerdictLine(line)) lastLines.set(subjectOf(line), line);
  const awaiting: AwaitingSecondDay = {};
  const written: Finding[] = [];
  for (const line of lines) {
    const subject = subjectToConfirm(line, lastLines);
    if (subject === undefined) {
      written.push(line);
      continue;
    }
    const observations = withObservation(awaitingBefore[subject], now);
    if (isFinal(observations)) written.push(line);
    else awaiting[subject] = observations;
  }
  return { written, awaiting };
}

/**
 * What a line that needs a second day is about: one that withdraws a verdict, or says that a change helped or hurt.
 * @param lastLines the notebook's last line about each type, number and change
 * @returns undefined if the line needs no second day
 */
function subjectToConfirm(
  line: Finding,
  lastLines: ReadonlyMap<string, VerdictLine>,
): string | undefined {
  if (!isVerdictLine(line)) return undefined;
  const subject = subjectOf(line);
  const lastLine = lastLines.get(subject);
  const isWithdrawal = lastLine !== undefined && withdraws(line, lastLine);
  if (line.about !== 'change') return isWithdrawal ? subject : undefined;
  return isWithdrawal || SIDES.has(line.verdict) ? subjectOfEffect(line) : undefined;
}

function isVerdictLine(line: Finding): line is VerdictLine {
  return line.about === 'type' || line.about === 'number' || line.about === 'change';
}

/** `["type","my_type"]`, `["number","my_type","my_number",false]`, `["change","my_type","2026-10-14T06:00:00Z"]`. */
function subjectOf(line: VerdictLine): string {
  if (line.about === 'change') return jsonText([line.about, line.type, line.settings_since]);
  if (line.about === 'type') return jsonText([line.about, line.type]);
  return jsonText([line.about, line.type, line.number, line.absolute]);
}

/** The verdict is part of the subject: if one day says that a change helped, and the next that it hurt, they do not say the same. */
function subjectOfEffect({ about, type, settings_since, verdict }: ChangeLine): string {
  return jsonText([about, type, settings_since, verdict]);
}

/** Whether a line withdraws the last verdict. A line about newer settings does not: the last verdict was about other settings. */
function withdraws(line: VerdictLine, lastLine: VerdictLine): boolean {
  if (!SIDES.has(lastLine.verdict) || line.verdict === lastLine.verdict) return false;
  return line.settings_since === lastLine.settings_since;
}
