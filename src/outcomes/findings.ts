/**
 * The lines of the notebook (`findings.ndjson`). At its end an export writes down what is new: verdicts on types, on their last
 * 30 days, on numbers at the trigger and on changes of settings, and doubts about types. It also writes down the service's medians,
 * from which verdicts are made.
 */
import * as v from 'valibot';
import { HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { byName, count, time } from '../api/contract/primitives.ts';
import { at } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import { jsonText } from '../runtime/json-text.ts';
import { isSide, VERDICTS } from '../statistics/rule.ts';
import { interval, numberOrNull } from './figure.ts';

const verdict = v.picklist(VERDICTS);

const typeFinding = v.object({
  at: time,
  about: v.literal('type'),
  type: v.string(),
  /** Null if no outcome of the type is measured any more. */
  verdict: v.nullable(verdict),
  /** What the type is compared with by `verdict`. */
  to: v.picklist(['others', 'btc']),
  /** The verdict against BTC; null if no outcome of the type is measured any more. */
  vs_btc: v.nullable(verdict),
  difference_percentage_points: numberOrNull,
  interval_95: interval,
  sample: count,
  /** What the deciding estimate is made from: the service's medians, or the bought outcomes. */
  source: v.picklist(['service', 'bought']),
  settings_since: v.nullable(time),
  /** The smallest difference that matters, percentage points. */
  least: v.number(),
  /** Whether the verdict rests on fewer than 12 blocks of days. */
  weak: v.boolean(),
  /**
   * The end of the month by which another verdict is expected, UTC; null if none is expected, or if `verdict` is not `unclear`.
   */
  shows_at: v.optional(v.nullable(time), null),
});

const numberFinding = v.object({
  at: time,
  about: v.literal('number'),
  type: v.string(),
  /** The name of the number at the trigger. */
  number: v.string(),
  /** Whether the number counts without its sign: −5 then counts as 5. */
  absolute: v.boolean(),
  /** `unclear` takes back what an earlier line said of the number. */
  verdict: v.picklist(['higher', 'lower', 'unclear']),
  /** The advised limit: `at_least: 3` keeps the cards whose number is 3 or more. Null if none is advised. */
  cut: v.nullable(
    v.object({ at_least: v.exactOptional(v.number()), at_most: v.exactOptional(v.number()) }),
  ),
  /** How many cards a day the cut keeps. This field and the next two are null without a cut. */
  cards_per_day: numberOrNull,
  /** The median difference to BTC of the kept cards, percentage points. */
  kept_vs_btc: numberOrNull,
  /** By how much the kept cards do better than the dropped ones, percentage points. */
  kept_vs_dropped: numberOrNull,
  settings_since: v.nullable(time),
});

/** What a change of settings did. */
const changeFinding = v.object({
  at: time,
  about: v.literal('change'),
  type: v.string(),
  /** When the settings after the change were first seen: it names the change. */
  settings_since: time,
  verdict: v.picklist(['higher', 'lower', 'small', 'unclear']),
  /** The cards after the change minus those before it. */
  difference_percentage_points: numberOrNull,
  interval_95: interval,
});

/** The difference that decides a verdict, in the last 30 days or before them. */
const differenceInTime = v.object({ percentage_points: v.number(), interval_95: interval });

/** Whether a type that is above or below does less in the last 30 days than before. */
const latelyFinding = v.object({
  at: time,
  about: v.literal('lately'),
  type: v.string(),
  /** `less`: it surely does less than before. `as_before`: the line takes an earlier `less` back. */
  verdict: v.picklist(['less', 'as_before']),
  last_30_days: differenceInTime,
  before: differenceInTime,
});

/** Whether the cards that came after a verdict above or below cast doubt on it. */
const doubtFinding = v.object({
  at: time,
  about: v.literal('doubt'),
  type: v.string(),
  /** `cleared` ends an earlier doubt. */
  verdict: v.picklist(['in_doubt', 'cleared']),
  /** The verdict of the type that the line is about. */
  of: v.picklist(['above', 'below']),
  /** The difference that decides, of the newer cards. */
  newer: differenceInTime,
  /** The newer cards begin here. */
  newer_since: time,
  /** The same difference of the cards before the doubt began. */
  before: v.number(),
});

/** How each type differs from the other types by the service's medians. */
const mediansFinding = v.object({
  at: time,
  about: v.literal('medians'),
  horizon: v.picklist(HORIZON_NAMES),
  types: byName(
    v.object({
      asked_at: time,
      difference_percentage_points: v.number(),
      standard_error: v.number(),
      degrees_of_freedom: v.number(),
      /** Outcomes that the service counted. */
      sample: count,
      /** Windows of 30 days. */
      windows: count,
      /** Blocks of days of the bought outcomes from which the standard error is estimated. */
      clusters: count,
      /** How far the type's lost outcomes may have moved the difference, whatever they were, percentage points. */
      missing_percentage_points: v.number(),
      /**
       * The same, if all types lose outcomes in the same way. What all types lose then moves no difference: only what this type
       * lost more than the others, or less, counts.
       */
      missing_beyond_others_percentage_points: v.number(),
      median_vs_btc_percentage_points: v.number(),
      /** What was subtracted because symbols move more or less than BTC, percentage points. */
      beta_percentage_points: v.number(),
      /** The newest window compared with the earlier ones; absent if there is only one window. */
      lately: v.optional(
        v.object({
          last_30_days: differenceInTime,
          before: differenceInTime,
          /** The newest window minus the earlier ones, percentage points. */
          difference: v.number(),
          standard_error: v.number(),
          degrees_of_freedom: v.number(),
        }),
      ),
    }),
  ),
});

export const finding = v.variant('about', [
  typeFinding,
  numberFinding,
  changeFinding,
  latelyFinding,
  doubtFinding,
  mediansFinding,
]);

export type Finding = ReadonlyDeep<v.InferOutput<typeof finding>>;
export type TypeFinding = Extract<Finding, { about: 'type' }>;
export type NumberFinding = Extract<Finding, { about: 'number' }>;
export type ChangeFinding = Extract<Finding, { about: 'change' }>;
export type LatelyFinding = Extract<Finding, { about: 'lately' }>;
export type DoubtFinding = Extract<Finding, { about: 'doubt' }>;
export type MediansFinding = Extract<Finding, { about: 'medians' }>;

/** A line with a verdict. */
export type VerdictLine =
  | TypeFinding
  | NumberFinding
  | LatelyFinding
  | DoubtFinding
  | ChangeFinding;

/** The lines of each type, oldest first. */
export const linesOfTypes = (findings: readonly Finding[]) =>
  byType(findings.filter((line) => line.about === 'type'));

/** The lines on each type's last 30 days, oldest first. */
export const latelyLinesOfTypes = (findings: readonly Finding[]) =>
  byType(findings.filter((line) => line.about === 'lately'));

/** The lines on doubts about each type's verdict, oldest first. */
export const doubtLinesOfTypes = (findings: readonly Finding[]) =>
  byType(findings.filter((line) => line.about === 'doubt'));

const byType = <Line extends { readonly type: string }>(lines: readonly Line[]) =>
  groupBy(lines, ({ type }) => type);

/**
 * The last line that is about the present verdict: earlier lines are about an earlier verdict.
 * @param lines all lines of one kind about one type, oldest first
 * @param verdictSince when the present verdict was found, epoch milliseconds UTC
 */
export function lastOfVerdict<Line extends LatelyFinding | DoubtFinding>(
  lines: readonly Line[] | undefined,
  verdictSince: number,
): Line | undefined {
  const last = lines?.at(-1);
  return last !== undefined && at(last.at) >= verdictSince ? last : undefined;
}

/** What shows that a type does not do as before, though its settings stayed the same. */
export interface Unsteadiness {
  readonly why: 'less_lately' | 'verdict_withdrawn';
  /** When an export found it, epoch milliseconds UTC. */
  readonly at: number;
}

/** A verdict (above or below) that was withdrawn, though the settings stayed the same. */
export interface WithdrawnVerdict {
  readonly verdict: 'above' | 'below';
  readonly comparedWith: TypeFinding['to'];
  /** When an export gave it, epoch milliseconds UTC. */
  readonly from: number;
  /** When an export took it back, epoch milliseconds UTC. */
  readonly until: number;
}

/**
 * The last verdict that was above or below, if it was withdrawn. Only lines with the settings of the last line count.
 * @param lines all lines about one type, oldest first
 * @returns undefined if there was no such verdict, or if it still stands
 */
export function withdrawnVerdict(lines: readonly TypeFinding[]): WithdrawnVerdict | undefined {
  const settingsSince = lines.at(-1)?.settings_since;
  const present = lines.filter(({ settings_since }) => settings_since === settingsSince);
  const lastIndex = present.findLastIndex(({ verdict }) => isSide(verdict));
  const last = present[lastIndex];
  const withdrawal = present[lastIndex + 1];
  if (last === undefined || withdrawal === undefined || !isSide(last.verdict)) return undefined;
  const { verdict, to } = last;
  const from = sinceWhenAll(
    present.slice(0, lastIndex + 1),
    (line) => line.verdict === verdict && line.to === to,
  );
  return { verdict, comparedWith: to, from, until: at(withdrawal.at) };
}

/**
 * Since when each line has said the same as the last one. With one line above (1 May), one unclear (3 May), and two above (4
 * and 9 May), that is since 4 May.
 * @param lines oldest first
 * @param isAlike whether a line says the same as the last one, for which it is true
 * @returns epoch milliseconds UTC
 */
function sinceWhenAll<Line extends { readonly at: string }>(
  lines: readonly Line[],
  isAlike: (line: Line) => boolean,
): number {
  const lastThatDiffers = lines.findLastIndex((line) => !isAlike(line));
  return at(lines[lastThatDiffers + 1]?.at ?? '');
}

/**
 * The types that do not do as before: the notebook's last line on their last 30 days is `less`, or their last verdict above or
 * below was withdrawn. If both happened, the later one counts.
 */
export function unsteadyTypes(findings: readonly Finding[]): ReadonlyMap<string, Unsteadiness> {
  const unsteady = new Map<string, Unsteadiness>();
  for (const [type, lines] of linesOfTypes(findings)) {
    const withdrawn = withdrawnVerdict(lines);
    if (withdrawn !== undefined)
      unsteady.set(type, { why: 'verdict_withdrawn', at: withdrawn.until });
  }
  for (const [type, lines] of latelyLinesOfTypes(findings)) {
    const last = lines.at(-1);
    if (last?.verdict !== 'less') continue;
    const withdrawnAt = unsteady.get(type)?.at ?? Number.NEGATIVE_INFINITY;
    if (at(last.at) > withdrawnAt) unsteady.set(type, { why: 'less_lately', at: at(last.at) });
  }
  return unsteady;
}

/** The lines of each number by `numberId`, oldest first. */
export const linesOfNumbers = (findings: readonly Finding[]) =>
  groupBy(
    findings.filter((line) => line.about === 'number'),
    numberId,
  );

/** A text that is the same for all lines on one number of one type. */
export const numberId = ({
  type,
  number,
  absolute,
}: Pick<NumberFinding, 'type' | 'number' | 'absolute'>) => jsonText([type, number, absolute]);

/** What the notebook says of a type or a number under its present settings. */
export interface NotebookVerdict<Line extends TypeFinding | NumberFinding> {
  /** The last line about it. */
  readonly line: Line;
  /**
   * Since when its lines have had this verdict without a break, epoch milliseconds UTC. Above the others and above BTC are two
   * verdicts; so are below the others and below BTC.
   */
  readonly since: number;
}

/**
 * The notebook's verdict on the present settings.
 * @param lines all lines about one type or one number, oldest first
 * @param settingsSince when the present settings began, epoch milliseconds UTC; undefined if they never changed
 * @returns undefined if there is no line, or if the last one is about earlier settings
 */
export function presentVerdict<Line extends TypeFinding | NumberFinding>(
  lines: readonly Line[] = [],
  settingsSince: number | undefined,
): NotebookVerdict<Line> | undefined {
  const last = lines.at(-1);
  const isOfPresentSettings = ({ settings_since: time }: Line) => {
    const since = time === null ? undefined : at(time);
    return since === settingsSince;
  };
  if (last === undefined || !isOfPresentSettings(last)) return undefined;
  const since = sinceWhenAll(
    lines,
    (line) => isSameVerdict(line, last) && isOfPresentSettings(line),
  );
  return { line: last, since };
}

/** Whether two lines about one subject say the same: above BTC is another verdict than above the others. */
export function isSameVerdict(a: VerdictLine, b: VerdictLine): boolean {
  return a.verdict === b.verdict && comparisonOf(a) === comparisonOf(b);
}

/**
 * What a verdict compares a type with, if it is above or below. Undefined for other verdicts: screens do not say it of them.
 */
function comparisonOf(line: VerdictLine): TypeFinding['to'] | undefined {
  return line.about === 'type' && isSide(line.verdict) ? line.to : undefined;
}

/** The newest line with the service's medians of outcomes after a horizon. */
export function lastMedians(
  findings: readonly Finding[],
  horizon: HorizonName,
): MediansFinding | undefined {
  return findings
    .filter((line) => line.about === 'medians')
    .findLast((line) => line.horizon === horizon);
}

/** What the notebook says of a change of a type's settings. */
export interface NotebookChange {
  /** The last line about it. */
  readonly line: ChangeFinding;
  /** Since when its lines have had this verdict without a break, epoch milliseconds UTC. */
  readonly since: number;
}

/**
 * What the notebook says of a change of a type's settings; undefined without a line.
 * @param settingsSince when the settings after the change were first seen, epoch milliseconds UTC
 */
export function changeInNotebook(
  findings: readonly Finding[],
  type: string,
  settingsSince: number,
): NotebookChange | undefined {
  const lines = findings
    .filter((line) => line.about === 'change')
    .filter((line) => line.type === type && at(line.settings_since) === settingsSince);
  const line = lines.at(-1);
  if (line === undefined) return undefined;
  return { line, since: sinceWhenAll(lines, ({ verdict }) => verdict === line.verdict) };
}

/** The fields of a line that say what it is about. */
type Subject =
  | Pick<TypeFinding | LatelyFinding | DoubtFinding, 'about' | 'type'>
  | Pick<NumberFinding, 'about' | 'type' | 'number' | 'absolute'>
  | Pick<ChangeFinding, 'about' | 'type' | 'settings_since'>;

/**
 * A text that is the same for all lines about one subject: a type, its last 30 days, the doubt about it, a number or a change of
 * settings. `["type","my_type"]`, `["number","my_type","my_number",false]`, `["change","my_type","2026-10-14T06:00:00Z"]`.
 */
export function subjectOf(subject: Subject): string {
  return jsonText(partsOfSubject(subject));
}

/**
 * The same with the line's verdict: a line that says `higher` and one that says `lower` of the same change then have two subjects.
 * `["change","my_type","2026-10-14T06:00:00Z","higher"]`.
 */
export function subjectWithVerdict(line: VerdictLine): string {
  return jsonText([...partsOfSubject(line), line.verdict]);
}

/** What a subject is made of. */
function partsOfSubject(subject: Subject): readonly unknown[] {
  switch (subject.about) {
    case 'type':
    case 'lately':
    case 'doubt':
      return [subject.about, subject.type];
    case 'number':
      return [subject.about, subject.type, subject.number, subject.absolute];
    case 'change':
      return [subject.about, subject.type, subject.settings_since];
  }
}

/**
 * The subjects that end with a line: what was said of a type's verdict (its last 30 days, a doubt) is not said of its next one.
 * @param before the line before it about the same subject; undefined if there is none
 */
function subjectsEndedBy(line: VerdictLine, before: VerdictLine | undefined): readonly string[] {
  if (line.about !== 'type' || isAsBefore(line, before)) return [];
  const { type } = line;
  return [subjectOf({ about: 'lately', type }), subjectOf({ about: 'doubt', type })];
}

/** @param before the line before it about the same subject; undefined if there is none */
function isAsBefore(line: VerdictLine, before: VerdictLine | undefined): boolean {
  return before !== undefined && isSameVerdict(line, before);
}

/** A line of the notebook that is worth telling. */
export interface News {
  readonly line: VerdictLine;
  /** The line before it about the same subject; undefined if there is none. */
  readonly before: VerdictLine | undefined;
}

/** The verdicts that are worth telling of any subject. */
const NEWSWORTHY: ReadonlySet<string> = new Set([
  'above',
  'below',
  'higher',
  'lower',
  'less',
  'in_doubt',
]);

/**
 * Whether a verdict is worth telling: above or below, a number that tells better cards with its cut, less than before, in doubt, or
 * a change that helped, hurt or changed little.
 */
export function isNews(line: VerdictLine | undefined): boolean {
  if (line?.verdict == null) return false;
  return isSmallChange(line) || NEWSWORTHY.has(line.verdict);
}

/** Whether a line says that a change did little. If such a verdict is taken back, that is no news. */
function isSmallChange(line: VerdictLine | undefined): boolean {
  return line?.about === 'change' && line.verdict === 'small';
}

/** Whether a type is below what it is compared with, and below BTC, too. */
const isBehindBtc = (line: VerdictLine | undefined) =>
  line?.about === 'type' && line.verdict === 'below' && line.vs_btc === 'below';

/**
 * The lines that are worth telling (`isNews`) and say something new, and those that take such a verdict back. A type that is
 * below is news again if it falls below BTC, too, or no longer is below BTC.
 * @param since only lines after this time, epoch milliseconds UTC
 */
export function newsOf(findings: readonly Finding[], since: number): News[] {
  const lastLines = new Map<string, VerdictLine>();
  const news: News[] = [];
  for (const line of findings) {
    if (line.about === 'medians') continue;
    const subject = subjectOf(line);
    const before = lastLines.get(subject);
    lastLines.set(subject, line);
    for (const ended of subjectsEndedBy(line, before)) lastLines.delete(ended);
    const hasChanged = !isAsBefore(line, before) || isBehindBtc(line) !== isBehindBtc(before);
    const isTold = isNews(line) || (isNews(before) && !isSmallChange(before));
    if (at(line.at) > since && hasChanged && isTold) news.push({ line, before });
  }
  return news;
}

/**
 * The newest news of each subject, in the order in which the subjects first were news. What was said of a verdict (its last 30 days, a
 * doubt) is left out once the verdict has ended.
 */
export function latestNews(news: readonly News[]): News[] {
  const latest = new Map<string, News>();
  for (const item of news) {
    const { line, before } = item;
    latest.set(subjectOf(line), item);
    for (const ended of subjectsEndedBy(line, before)) latest.delete(ended);
  }
  return [...latest.values()];
}
