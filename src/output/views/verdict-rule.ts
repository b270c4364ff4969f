/** When a verdict starts and ends, and how many days of outcomes it needs. */

import { blockLengthsOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { isSide, KEPT_SMALL } from '../../statistics/rule.ts';
import { asSentence } from '../format.ts';
import { verdictName } from './verdict-names.ts';

/**
 * The days with outcomes that a verdict needs.
 * @param clusterDays the days of a block in the group's figures. A group without figures will begin with the blocks of few days.
 */
export function daysNeeded(clusterDays: number = blockLengthsOf(MAIN_HORIZON).ofFewDays): number {
  return LEAST_CLUSTERS * clusterDays;
}

/**
 * `8 of 12`: the days with outcomes, and how many a verdict needs. Undefined if there are enough days: a verdict may still wait
 * because they are too close together.
 */
export function daysOfNeeded({ figures }: Standing): string | undefined {
  const days = figures?.distinct_days ?? 0;
  const needed = daysNeeded(figures?.cluster_days);
  return days < needed ? `${days} of ${needed}` : undefined;
}

/** What the lines and the band of a picture are called. */
interface PictureNames {
  /** The line of the 95 % interval. */
  readonly inner: string;
  /** The line of the 99.7 % interval. */
  readonly outer: string;
  readonly band: string;
}

/** Signs in a sentence are hard to read. */
export const LINES_IN_WORDS: PictureNames = {
  inner: 'the thick line',
  outer: 'the thin line',
  band: 'the band',
};

/**
 * The rule of a picture, if a group is above or below or looks so, and the rule of `within 1 pp`, if a group has that verdict: `Above
 * or below begins when the thin line leaves the band, and ends when the thick line touches 0. Within 1 pp: the thick line is within
 * ±1.`
 */
export function pictureRules(
  standings: readonly Standing[],
  { inner, outer, band }: PictureNames,
): string[] {
  const rules: string[] = [];
  if (standings.some((standing) => isSide(standing.verdict) || looksClear(standing)))
    rules.push(
      `Above or below begins when ${outer} leaves ${band}, and ends when ${inner} touches 0.`,
    );
  const smallRule = smallRuleText(standings, inner);
  if (smallRule !== '') rules.push(smallRule);
  return rules;
}

/**
 * `Within 1 pp: the thick line is within ±1.`; if a line reaches beyond that, `keptSmallRule`. Empty if no group is within it.
 * @param inner the line of the 95 % interval
 */
function smallRuleText(standings: readonly Standing[], inner: string): string {
  const first = standings.find(({ verdict }) => verdict === 'small');
  if (first === undefined) return '';
  const { least } = first;
  const begins = asSentence(`${verdictName('small', least)}: ${inner} is within ±${least}`);
  return keptSmallRule(standings, inner) || begins;
}

/**
 * `Within 1 pp begins when the thick line is within ±1, and ends when it leaves ±1.5.` Empty unless an interval reaches beyond the first
 * bound: the verdict would seem to contradict it.
 * @param inner the line of the 95 % interval, or that interval
 */
export function keptSmallRule(standings: readonly Standing[], inner: string): string {
  const kept = standings.find(
    ({ verdict, base, least }) => verdict === 'small' && reachesBeyond(base.interval, least),
  );
  if (kept === undefined) return '';
  const { least } = kept;
  const name = verdictName('small', least);
  return asSentence(
    `${name} begins when ${inner} is within ±${least}, and ends when it leaves ±${KEPT_SMALL * least}`,
  );
}

/**
 * Whether a group is unclear although its 95 % interval leaves out 0: the interval looks as if there were a verdict. What is unclear
 * because of missing outcomes is told beside the verdict.
 */
export function looksClear({ verdict, base, isUnclearByMissing }: Standing): boolean {
  return verdict === 'unclear' && !isUnclearByMissing && leavesOut0(base.interval);
}

export function leavesOut0(interval: Interval | null | undefined): boolean {
  return interval != null && (interval.low > 0 || interval.high < 0);
}

function reachesBeyond(interval: Interval | null, size: number): boolean {
  return interval !== null && (interval.low < -size || interval.high > size);
}
