/** The notebook's lines: what was found, withdrawn or reckoned at the end of an export, with its day. */

import * as v from 'valibot';
import { HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { count, time } from '../api/contract/primitives.ts';
import { at } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import { jsonText } from '../runtime/json-text.ts';
import { PLAIN_VERDICTS } from '../statistics/verdict.ts';
import { figure, interval } from './figure.ts';

const typeFinding = v.object({
  at: time,
  about: v.literal('type'),
  type: v.string(),
  /** Null: nothing is measured any more. */
  verdict: v.nullable(v.picklist(PLAIN_VERDICTS)),
  to: v.picklist(['others', 'btc']),
  vs_btc: v.nullable(v.picklist(PLAIN_VERDICTS)),
  difference_percentage_points: figure,
  interval_95: interval,
  sample: count,
  source: v.picklist(['service', 'bought']),
  settings_since: v.nullable(time),
  /** When a word is likely to stand, UTC; null: one stands, or none is likely at this rate. */
  shows_at: v.nullable(time),
});

const numberFinding = v.object({
  at: time,
  about: v.literal('number'),
  type: v.string(),
  number: v.string(),
  absolute: v.boolean(),
  /** Unclear: withdrawn. */
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

type Line = TypeFinding | NumberFinding;

/** The lines of each type, oldest first. */
export const linesOfTypes = (findings: readonly Finding[]) =>
  groupBy(
    findings.flatMap((one) => (one.about === 'type' ? [one] : [])),
    ({ type }) => type,
  );

/** The lines of each number by `numberId`, oldest first. */
export const linesOfNumbers = (findings: readonly Finding[]) =>
  groupBy(
    findings.flatMap((one) => (one.about === 'number' ? [one] : [])),
    numberId,
  );

export const numberId = ({
  type,
  number,
  absolute,
}: Pick<NumberFinding, 'type' | 'number' | 'absolute'>) => jsonText([type, number, absolute]);

export interface Found<One extends Line> {
  readonly last: One;
  /** When its word was first written without a break, epoch milliseconds UTC. */
  readonly since: number;
}

/** @param lines about one thing @param settingsSince epoch milliseconds UTC: words of earlier settings count no more */
export function foundOf<One extends Line>(
  lines: readonly One[] = [],
  settingsSince: number | undefined,
): Found<One> | undefined {
  const last = lines.at(-1);
  const isOfNow = ({ settings_since }: One) =>
    (settings_since === null ? undefined : at(settings_since)) === settingsSince;
  if (last === undefined || !isOfNow(last)) return undefined;
  const before = lines.findLastIndex((one) => one.verdict !== last.verdict || !isOfNow(one));
  return { last, since: at(lines[before + 1]?.at ?? last.at) };
}

export function lastMedians(
  findings: readonly Finding[],
  horizon: HorizonName,
): MediansFinding | undefined {
  return findings.findLast((one) => one.about === 'medians' && one.horizon === horizon) as
    | MediansFinding
    | undefined;
}

const subjectOf = (line: Line) => (line.about === 'type' ? line.type : numberId(line));

/** A line that is worth telling, and the one before about the same. */
export interface News {
  readonly line: Line;
  readonly before: Line | undefined;
}

export const isNews = (one?: Line) =>
  one !== undefined && ['above', 'below', 'higher', 'lower'].includes(String(one.verdict));

const isBehindBtc = (one?: Line) =>
  one?.about === 'type' && one.verdict === 'below' && one.vs_btc === 'below';

/** Above, below, behind BTC, a telling number or its cut, found or withdrawn. @param since epoch milliseconds UTC */
export function newsOf(findings: readonly Finding[], since: number): News[] {
  const last = new Map<string, Line>();
  return findings.flatMap((line): News[] => {
    if (line.about !== 'type' && line.about !== 'number') return [];
    const id = subjectOf(line);
    const before = last.get(id);
    last.set(id, line);
    const hasCut = (one?: Line) => one?.about === 'number' && one.cut !== null;
    const isAnew = isBehindBtc(line) !== isBehindBtc(before) || (hasCut(line) && !hasCut(before));
    const hasChanged = line.verdict !== before?.verdict || isAnew;
    return at(line.at) > since && hasChanged && (isNews(line) || isNews(before))
      ? [{ line, before }]
      : [];
  });
}

export const latestOf = (news: readonly News[]) => [
  ...new Map(news.map((one) => [subjectOf(one.line), one])).values(),
];
