/** The notebook's lines: what was found, withdrawn or reckoned at the end of an export, with its day. */
import * as v from 'valibot';
import { HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { count, time } from '../api/contract/primitives.ts';
import { at } from '../api/time.ts';
import { figure, interval, type ReadonlyDeep } from './figure.ts';
import { PLAIN_VERDICTS } from './types.ts';

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
  /** What tells it then: the service's next medians, or what is bought until then. */
  shows_by: v.nullable(v.picklist(['medians', 'outcomes'])),
});

const numberFinding = v.object({
  at: time,
  about: v.literal('number'),
  type: v.string(),
  number: v.string(),
  absolute: v.boolean(),
  /** Unclear: withdrawn. */
  verdict: v.picklist(['higher', 'lower', 'unclear']),
  cut: v.nullable(v.object({ at_least: v.exactOptional(v.number()), at_most: v.exactOptional(v.number()) })),
  cards_per_day: figure,
  kept_vs_btc: figure,
  kept_vs_dropped: figure,
  settings_since: v.nullable(time),
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

export const finding = v.variant('about', [typeFinding, numberFinding, mediansFinding]);

export type Finding = ReadonlyDeep<v.InferOutput<typeof finding>>;
export type TypeFinding = Extract<Finding, { about: 'type' }>;
export type NumberFinding = Extract<Finding, { about: 'number' }>;
export type MediansFinding = Extract<Finding, { about: 'medians' }>;

export interface Found<One extends TypeFinding | NumberFinding> {
  readonly last: One;
  /** When its word was first written without a break, epoch milliseconds UTC. */
  readonly since: number;
}

/** @param findings oldest first @param settingsSince epoch milliseconds UTC: words of earlier settings count no more */
export function foundOf<One extends TypeFinding | NumberFinding>(
  findings: readonly Finding[],
  isMeant: (one: Finding) => one is One,
  settingsSince: number | undefined,
): Found<One> | undefined {
  const own = findings.filter(isMeant);
  const last = own.at(-1);
  const isOfNow = ({ settings_since }: One) =>
    (settings_since === null ? undefined : at(settings_since)) === settingsSince;
  if (last === undefined || !isOfNow(last)) return undefined;
  const before = own.findLastIndex((one) => one.verdict !== last.verdict || !isOfNow(one));
  return { last, since: at(own[before + 1]?.at ?? last.at) };
}

export const isOfType =
  (type: string) =>
  (one: Finding): one is TypeFinding =>
    one.about === 'type' && one.type === type;

export const isOfNumber =
  ({ type, number, absolute }: Pick<NumberFinding, 'type' | 'number' | 'absolute'>) =>
  (one: Finding): one is NumberFinding =>
    one.about === 'number' && one.type === type && one.number === number && one.absolute === absolute;

export function lastMedians(findings: readonly Finding[], horizon: HorizonName): MediansFinding | undefined {
  return findings.findLast((one) => one.about === 'medians' && one.horizon === horizon) as MediansFinding | undefined;
}
