/** When the cards are judged, and which lines the notebook gets: what is final is written only if two days say it. */
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { utcDay } from '../../base/units.ts';
import type { Finding } from '../../outcomes/findings.ts';
import { judge } from '../../outcomes/judge.ts';
import { JUDGED_WINDOW } from '../../outcomes/question.ts';
import { rowOf } from '../../outcomes/row.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { appendFindings, readFindings, readScreenersLog, readStatsLog } from '../store/answers.ts';
import { type Final, isFinal, observed } from '../store/final.ts';
import { monthOf } from '../store/layout.ts';
import {
  type ExportManifest,
  monthsWithMissing,
  sittingsInManifest,
  typesInFocus,
} from '../store/manifest.ts';
import { inUseSince, presentSettings, settingsByType } from '../store/settings-periods.ts';
import type { WorkingHistory } from './working-history.ts';

/**
 * Findings that were made on one UTC day, and wait for a second day before they are written: when each was made first and
 * last, by subject.
 */
type AwaitingSecondDay = Pick<ExportManifest, 'withdrawals' | 'effects'>;

/** The member of `FINAL` that decides about each of the two lists. */
const FINAL_OF = {
  withdrawals: 'word_withdrawn',
  effects: 'change_effect',
} as const satisfies Readonly<Record<keyof AwaitingSecondDay, Final>>;

/** What a judgement changes in the manifest. */
type Judgement = Pick<ExportManifest, 'judged_at'> & AwaitingSecondDay;

/** A line about one type or one of its numbers. */
type WordLine = Extract<Finding, { readonly about: 'type' | 'number' }>;

type Change = Extract<Finding, { readonly about: 'change' }>;

/** Verdicts that name a side. To take one back needs a second day, and so does a change that has one. */
const SIDES: ReadonlySet<unknown> = new Set(['above', 'below', 'higher', 'lower']);

/**
 * Judges the cards once a UTC day, and after each sitting of medians and each change of settings. At other times nothing
 * changes.
 * @param now epoch milliseconds UTC
 * @throws ScreenerError storage, busy
 */
export async function judgeHistory(
  { directory, lock, manifest, months }: WorkingHistory,
  now: number,
): Promise<Judgement> {
  const { judged_at, withdrawals, effects } = manifest;
  const last = parseApiTime(judged_at ?? '') ?? 0;
  const answers = await readStatsLog(directory, now);
  const looks = await readScreenersLog(directory, now);
  const settingsSince = presentSettings(looks, now);
  const settingsOf = settingsByType(looks);
  const newsTimes = [...answers.map(({ at }) => at), ...settingsSince.values()];
  const hasNews = newsTimes.some((at) => at > last && at <= now);
  if (!hasNews && utcDay(last) === utcDay(now)) return { judged_at, withdrawals, effects };
  const first = monthOf(now - JUDGED_WINDOW);
  for (const month of Object.keys(manifest.months)) if (month >= first) await months.open(month);
  const cards = months.cards.map(({ line, at }) => rowOf(JSON.parse(line), at));
  const { values: notebook } = await readFindings(directory, now);
  const known = {
    cards,
    answers,
    settingsSince,
    inUseSince: inUseSince(looks, now),
    settingsOf,
    planned: sittingsInManifest(manifest),
    doubtedTypes: doubtedTypes(notebook, withdrawals),
    inFocus: typesInFocus(manifest),
    now,
  };
  const lines = judge(known, notebook);
  const { written, awaiting } = awaitSecondDay(lines, notebook, { before: manifest, now });
  lock?.check();
  await appendFindings(directory, written);
  return { judged_at: formatApiTime(now), ...awaiting };
}

/**
 * Whether a month that is judged lacks cards that may come back. Then nothing is judged: a word must not go because its cards
 * are away.
 * @param now epoch milliseconds UTC
 */
export function lacksJudgedCards(manifest: Pick<ExportManifest, 'months'>, now: number): boolean {
  const first = monthOf(now - JUDGED_WINDOW);
  return monthsWithMissing(manifest).some(({ month }) => month >= first);
}

/** Types whose verdict was withdrawn on one day: the withdrawal waits for a second day. */
function doubtedTypes(
  notebook: readonly Finding[],
  withdrawals: AwaitingSecondDay['withdrawals'],
): ReadonlySet<string> {
  const types = new Set<string>();
  for (const line of notebook) {
    if (line.about === 'type' && subjectOf(line) in withdrawals) types.add(line.type);
  }
  return types;
}

interface EarlierJudgement {
  /** What waited for a second day after the last judgement. */
  readonly before: AwaitingSecondDay;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/**
 * Leaves out lines that make something final, if only one day has said them. If they stay right, the judge says them again.
 * @param lines what the judge would append now
 */
function awaitSecondDay(
  lines: readonly Finding[],
  notebook: readonly Finding[],
  { before, now }: EarlierJudgement,
): { readonly written: readonly Finding[]; readonly awaiting: AwaitingSecondDay } {
  const words = new Map<string, WordLine>();
  for (const line of notebook) if (isWord(line)) words.set(subjectOf(line), line);
  const awaiting: AwaitingSecondDay = { withdrawals: {}, effects: {} };
  const written: Finding[] = [];
  for (const line of lines) {
    const final = finalOf(line, words);
    if (final === undefined) {
      written.push(line);
      continue;
    }
    const { kind, subject } = final;
    const observations = observed(before[kind][subject], now);
    if (isFinal(FINAL_OF[kind], observations)) written.push(line);
    else awaiting[kind][subject] = observations;
  }
  return { written, awaiting };
}

/** What a line would make final. */
interface FinalSaying {
  readonly kind: keyof AwaitingSecondDay;
  readonly subject: string;
}

/** @param words the last line about each type and number @returns undefined if it makes nothing final */
function finalOf(line: Finding, words: ReadonlyMap<string, WordLine>): FinalSaying | undefined {
  if (line.about === 'change') {
    return SIDES.has(line.verdict) ? { kind: 'effects', subject: effectOf(line) } : undefined;
  }
  if (!isWord(line)) return undefined;
  const subject = subjectOf(line);
  const word = words.get(subject);
  return word !== undefined && withdraws(line, word) ? { kind: 'withdrawals', subject } : undefined;
}

function isWord(line: Finding): line is WordLine {
  return line.about === 'type' || line.about === 'number';
}

function subjectOf(line: WordLine): string {
  if (line.about === 'type') return jsonText([line.about, line.type]);
  return jsonText([line.about, line.type, line.number, line.absolute]);
}

/** The verdict is part of it: a change that helped on one day and hurt on the next was seen on one day each. */
function effectOf({ about, type, settings_since, verdict }: Change): string {
  return jsonText([about, type, settings_since, verdict]);
}

/** Whether a line takes a verdict of the notebook back. After a change of settings none does: the verdict was about earlier ones. */
function withdraws(line: WordLine, word: WordLine): boolean {
  if (!SIDES.has(word.verdict) || line.verdict === word.verdict) return false;
  return line.settings_since === word.settings_since;
}
