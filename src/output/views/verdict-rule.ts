/** When a verdict starts and ends, and how many days of outcomes it needs. */

import { blocksOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { isSide, KEPT_SMALL, MARGIN } from '../../statistics/rule.ts';
import { sentenceOf } from '../format.ts';
import { verdictName } from './verdict-names.ts';

/**
 * The rule, wherever verdicts are explained.
 * @param band the sign of the band, of a page that draws it and both intervals; undefined of any other page
 */
export function ruleText(band?: string): string {
  if (band === undefined)
    return `A verdict starts when the 99.7 % interval lies beyond ±${MARGIN} pp, and ends when the 95 % interval touches 0.`;
  return `A verdict starts when the thin line no longer touches ${band}, and ends when the thick line touches 0.`;
}

/**
 * Days of outcomes below which there is no verdict.
 * @param clusterDays the UTC days of a block; without figures those of a short sample after the main horizon
 */
export function daysNeeded(clusterDays: number = blocksOf(MAIN_HORIZON).ofFewDays): number {
  return LEAST_CLUSTERS * clusterDays;
}

/** `8 of 12`: the days with outcomes, of those that a verdict takes. Undefined if there are as many, but too close together. */
export function daysOfNeeded({ figures }: Standing): string | undefined {
  const days = figures?.distinct_days ?? 0;
  const needed = daysNeeded(figures?.cluster_days);
  return days < needed ? `${days} of ${needed}` : undefined;
}

/** The rule, where a verdict is by it and no picture shows it. */
export function ruleNote(standings: readonly Standing[]): string {
  return standings.some(({ word }) => isSide(word)) ? ruleText() : '';
}

/** What the lines and the band of a picture are called. */
interface PictureNames {
  /** The line of the 95 % interval. */
  readonly inner: string;
  /** The line of the 99.7 % interval. */
  readonly outer: string;
  readonly band: string;
}

/**
 * The same rule by the marks of a picture, and that of `within 1 pp`, where verdicts are by them: `A verdict starts once ─ does
 * not touch ░ and ends once ━ touches 0. Within 1 pp: ━ is within ±1.`
 */
export function pictureRules(
  standings: readonly Standing[],
  { inner, outer, band }: PictureNames,
): string[] {
  const rules: string[] = [];
  if (standings.some(({ word }) => isSide(word)))
    rules.push(
      `A verdict starts once ${outer} does not touch ${band} and ends once ${inner} touches 0.`,
    );
  const small = standings.filter(({ word }) => word === 'small');
  const [first] = small;
  if (first === undefined) return rules;
  const { least } = first;
  const isKeptBeyond = small.some(({ base }) => reachesBeyond(base.interval, least));
  const name = verdictName('small', least);
  const rule = isKeptBeyond
    ? `starts once ${inner} is within ±${least}, ends once it leaves ±${KEPT_SMALL * least}`
    : `${inner} is within ±${least}`;
  rules.push(sentenceOf(`${name}: ${rule}`));
  return rules;
}

function reachesBeyond(interval: Interval | null, size: number): boolean {
  return interval !== null && (interval.low < -size || interval.high > size);
}
