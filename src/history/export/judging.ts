/**
 * When the cards are judged, and which lines the notebook (`findings.ndjson`) then gets. Three kinds of lines are written only if two
 * UTC days say the same: a line that withdraws a verdict, a line that says that a change of settings helped, or that it hurt, and a
 * line that begins or ends a doubt about a verdict.
 */
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { utcDay } from '../../base/units.ts';
import {
  type ChangeFinding,
  type Finding,
  isSameVerdict,
  type NumberFinding,
  subjectOf,
  subjectWithVerdict,
  type TypeFinding,
  type VerdictLine,
} from '../../outcomes/findings.ts';
import { historyCardOf } from '../../outcomes/history-card.ts';
import { judge } from '../../outcomes/judge.ts';
import type { ServiceAnswer } from '../../outcomes/service-answers.ts';
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

/** By subject: on which days a line was said that waits for a second UTC day before it is written. */
type AwaitingSecondDay = ExportManifest['awaiting'];

/** What a judgement changes in the manifest. */
type JudgedChanges = Pick<ExportManifest, 'judged_at' | 'awaiting'>;

/**
 * Verdicts that name a side (others, such as `unclear`, name none):
 * - `above` and `below`: how a type is to what it is compared with;
 * - `higher` and `lower`: what a change of settings did (`higher`: it helped), or which numbers at the trigger are better.
 *
 * A second day is needed to withdraw any of them, and to write `higher` or `lower` of a change.
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
): Promise<JudgedChanges> {
  // The months that `readForJudgement` has opened.
  const cards = months.cards.map(({ line, at }) => historyCardOf(JSON.parse(line), at));
  const { values: notebook } = await readFindings(directory, now);
  const known = {
    cards,
    answers,
    // Of each type: when its present settings began, since when it is in use with them without a pause, and all its settings so far.
    settingsSince: presentSettingsSince(looks, now),
    inUseSince: inUseSince(looks, now),
    settingsOf: periodsInUseByType(looks),
    // When exports ask for the medians of each type next. (A sitting is the few days in which they ask for those of all types.)
    planned: sittingsInManifest(manifest),
    awaitingWithdrawal: typesAwaitingWithdrawal(notebook, manifest.awaiting),
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
function typesAwaitingWithdrawal(
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
  for (const line of notebook) if (line.about !== 'medians') lastLines.set(subjectOf(line), line);
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
 * The subject under which a line waits for its second day. Such a line withdraws a verdict, says that a change helped or hurt, or
 * begins or ends a doubt.
 * @param lastLines the notebook's last line about each subject
 * @returns undefined if the line needs no second day
 */
function subjectToConfirm(
  line: Finding,
  lastLines: ReadonlyMap<string, VerdictLine>,
): string | undefined {
  switch (line.about) {
    case 'type':
    case 'number':
      return isWithdrawal(line, lastLines) ? subjectOf(line) : undefined;
    case 'change': {
      const needsSecondDay = isWithdrawal(line, lastLines) || SIDES.has(line.verdict);
      // The verdict is part of the subject: a day that says `higher` and a day that says `lower` do not confirm each other.
      return needsSecondDay ? subjectWithVerdict(line) : undefined;
    }
    case 'doubt':
      return subjectWithVerdict(line);
    case 'lately':
    case 'medians':
      return undefined;
  }
}

/**
 * Whether a line withdraws the last verdict: above BTC withdraws above the others. A line about newer settings does not: the last
 * verdict was about other settings.
 */
function isWithdrawal(
  line: TypeFinding | NumberFinding | ChangeFinding,
  lastLines: ReadonlyMap<string, VerdictLine>,
): boolean {
  const lastLine = lastLines.get(subjectOf(line));
  if (lastLine === undefined || !hasSettings(lastLine)) return false;
  if (!SIDES.has(lastLine.verdict) || isSameVerdict(line, lastLine)) return false;
  return line.settings_since === lastLine.settings_since;
}

/** Lines on doubts and on the last 30 days are about a verdict, and not about settings. */
function hasSettings(line: VerdictLine): line is TypeFinding | NumberFinding | ChangeFinding {
  return 'settings_since' in line;
}
