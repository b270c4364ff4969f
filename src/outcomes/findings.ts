/** The notebook's lines: what was found, withdrawn or reckoned at the end of an export, with its day. */

import * as v from 'valibot';
import { HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { count, time } from '../api/contract/primitives.ts';
import { at } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import { jsonText } from '../runtime/json-text.ts';
import { WORDS } from '../statistics/rule.ts';
import { figure, interval } from './figure.ts';

/** Notebooks of 0.1 have `none`: known to be small, with 0 within the interval. */
const word = v.pipe(
  v.picklist([...WORDS, 'none']),
  v.transform((written) => (written === 'none' ? 'small' : written)),
);

const typeFinding = v.object({
  at: time,
  about: v.literal('type'),
  type: v.string(),
  /** Null: nothing is measured any more. */
  verdict: v.nullable(word),
  /** What `verdict` compares with. */
  to: v.picklist(['others', 'btc']),
  /** The verdict against BTC; null: nothing is measured any more. */
  vs_btc: v.nullable(word),
  difference_percentage_points: figure,
  interval_95: interval,
  sample: count,
  /** The estimate that decides: of the service's medians, or of the bought outcomes. */
  source: v.picklist(['service', 'bought']),
  settings_since: v.nullable(time),
  /** The smallest difference that matters, percentage points. Notebooks of 0.1 lack it. */
  least: v.optional(v.number()),
  /** Whether the word rests on few blocks of days. Notebooks of 0.1 lack it. */
  weak: v.optional(v.boolean(), false),
  /** When a word is likely to stand, UTC; null: a word stands, or none is likely at this rate. */
  shows_at: v.optional(v.nullable(time), null),
});

const numberFinding = v.object({
  at: time,
  about: v.literal('number'),
  type: v.string(),
  number: v.string(),
  absolute: v.boolean(),
  /** `unclear` withdraws the verdict before. */
  verdict: v.picklist(['higher', 'lower', 'unclear']),
  cut: v.nullable(
    v.object({ at_least: v.exactOptional(v.number()), at_most: v.exactOptional(v.number()) }),
  ),
  cards_per_day: figure,
  kept_vs_btc: figure,
  kept_vs_dropped: figure,
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
  /** After less before, beside the same other types on both sides. */
  difference_percentage_points: figure,
  interval_95: interval,
});

const recent = v.object({ percentage_points: v.number(), interval_95: interval });

/** How a type that is above or below has done lately. */
const latelyFinding = v.object({
  at: time,
  about: v.literal('lately'),
  type: v.string(),
  /** Less: it does less than before; as before: it does so no more. */
  verdict: v.picklist(['less', 'as_before']),
  last_30_days: recent,
  before: recent,
});

const mediansFinding = v.object({
  at: time,
  about: v.literal('medians'),
  horizon: v.picklist(HORIZON_NAMES),
  types: v.record(
    v.string(),
    v.object({
      asked_at: time,
      difference_percentage_points: v.number(),
      standard_error: v.number(),
      degrees_of_freedom: v.number(),
      /** Outcomes that the service counted, and its windows of 30 days. */
      sample: count,
      windows: count,
      /** Blocks of days of the bought outcomes that say how sure it is. */
      clusters: count,
      /** Percentage points that its lost outcomes may move it by, wherever they lie. */
      missing_percentage_points: v.number(),
      /** The same, if those of other types lie alike: only the difference of the shares moves it. */
      missing_beyond_others_percentage_points: v.optional(v.number(), 0),
      median_vs_btc_percentage_points: v.number(),
      /** What betas took off the difference. Notebooks of 0.1 lack it. */
      beta_percentage_points: v.optional(v.number()),
      /** The newest window, the earlier ones, and the first less the second; absent without two. */
      lately: v.optional(
        v.object({
          last_30_days: recent,
          before: recent,
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
  mediansFinding,
]);

export type Finding = ReadonlyDeep<v.InferOutput<typeof finding>>;
export type TypeFinding = Extract<Finding, { about: 'type' }>;
export type NumberFinding = Extract<Finding, { about: 'number' }>;
export type ChangeFinding = Extract<Finding, { about: 'change' }>;
export type LatelyFinding = Extract<Finding, { about: 'lately' }>;
export type MediansFinding = Extract<Finding, { about: 'medians' }>;

/** A line with a verdict. It is news when the verdict changes. */
type Line = TypeFinding | NumberFinding | LatelyFinding | ChangeFinding;

/** The lines of each type, oldest first. */
export const linesOfTypes = (findings: readonly Finding[]) =>
  groupBy(
    findings.filter((line) => line.about === 'type'),
    ({ type }) => type,
  );

/** What was said of each type's last days, oldest first. */
export const latelyOfTypes = (findings: readonly Finding[]) =>
  groupBy(
    findings.filter((line) => line.about === 'lately'),
    ({ type }) => type,
  );

/** Types that do less than before, by their last line on the last 30 days. */
export function fadingTypes(findings: readonly Finding[]): ReadonlySet<string> {
  const fading = new Set<string>();
  for (const [type, lines] of latelyOfTypes(findings)) {
    if (lines.at(-1)?.verdict === 'less') fading.add(type);
  }
  return fading;
}

/** The lines of each number by `numberId`, oldest first. */
export const linesOfNumbers = (findings: readonly Finding[]) =>
  groupBy(
    findings.filter((line) => line.about === 'number'),
    numberId,
  );

export const numberId = ({
  type,
  number,
  absolute,
}: Pick<NumberFinding, 'type' | 'number' | 'absolute'>) => jsonText([type, number, absolute]);

export interface Found<One extends TypeFinding | NumberFinding> {
  readonly last: One;
  /** When its word was first written without a break, epoch milliseconds UTC. */
  readonly since: number;
}

/**
 * The last verdict on a type or a number, and since when it stands. Verdicts on earlier settings count no more.
 * @param lines about one type or number, oldest first
 * @param settingsSince when the present settings began, epoch milliseconds UTC; undefined if they never changed
 */
export function foundOf<One extends TypeFinding | NumberFinding>(
  lines: readonly One[] = [],
  settingsSince: number | undefined,
): Found<One> | undefined {
  const last = lines.at(-1);
  const isOfNow = ({ settings_since }: One) =>
    (settings_since === null ? undefined : at(settings_since)) === settingsSince;
  if (last === undefined || !isOfNow(last)) return undefined;
  const lastOther = lines.findLastIndex((line) => line.verdict !== last.verdict || !isOfNow(line));
  return { last, since: at(lines[lastOther + 1]?.at ?? last.at) };
}

export function lastMedians(
  findings: readonly Finding[],
  horizon: HorizonName,
): MediansFinding | undefined {
  return findings
    .filter((line) => line.about === 'medians')
    .findLast((line) => line.horizon === horizon);
}

/**
 * The last line about a change.
 * @param since when the settings after it were first seen, epoch milliseconds UTC
 */
export function changeLineOf(
  findings: readonly Finding[],
  type: string,
  since: number,
): ChangeFinding | undefined {
  return findings
    .filter((line) => line.about === 'change')
    .findLast((line) => line.type === type && at(line.settings_since) === since);
}

/** What a line is about. */
function subjectOf(line: Line): string {
  if (line.about === 'number') return numberId(line);
  if (line.about === 'change') return `${line.type} since ${line.settings_since}`;
  return line.about === 'lately' ? `${line.type} lately` : line.type;
}

/** A line that is worth telling, and the one before about the same. */
export interface News {
  readonly line: Line;
  readonly before: Line | undefined;
}

const NEWSWORTHY: ReadonlySet<string> = new Set(['above', 'below', 'higher', 'lower', 'less']);

/** Whether a word is worth telling: above, below, a number with its cut, less than before, what a change did. */
export function isNews(line: Line | undefined): boolean {
  if (line?.verdict == null) return false;
  // Earlier programs wrote numbers without a cut that would use them.
  if (line.about === 'number' && line.cut === null) return false;
  const isSmallChange = line.about === 'change' && line.verdict === 'small';
  return isSmallChange || NEWSWORTHY.has(line.verdict);
}

const isBehindBtc = (line: Line | undefined) =>
  line?.about === 'type' && line.verdict === 'below' && line.vs_btc === 'below';

/**
 * The lines whose verdict is new and worth telling (`isNews`), or takes such a verdict back.
 * @param since only lines after this time, epoch milliseconds UTC
 */
export function newsOf(findings: readonly Finding[], since: number): News[] {
  const last = new Map<string, Line>();
  const news: News[] = [];
  for (const line of findings) {
    if (line.about === 'medians') continue;
    const subject = subjectOf(line);
    const before = last.get(subject);
    last.set(subject, line);
    const hasChanged =
      line.verdict !== before?.verdict || isBehindBtc(line) !== isBehindBtc(before);
    // A change that is unclear again is not told.
    const isTold = isNews(line) || (line.about !== 'change' && isNews(before));
    if (at(line.at) > since && hasChanged && isTold) news.push({ line, before });
  }
  return news;
}

/** The newest news of each subject, in the order in which subjects first were news. */
export const latestOf = (news: readonly News[]): News[] => [
  ...new Map(news.map((item) => [subjectOf(item.line), item])).values(),
];
