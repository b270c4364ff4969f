/** Lines above or below a list. */

import type { Standing } from '../../outcomes/standing.ts';
import type { RenderContext } from '../types.ts';
import { isBtcItself, type Tone } from './verdict-names.ts';
import { daysNeeded } from './verdict-rule.ts';

/** A line above or below a list: `Later`, and what there is to say. */
export interface HeadLine {
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
}

/**
 * Before there is any verdict: how to come to the first one.
 * @param exportCommand the command line that buys outcomes; empty if none is to be named
 */
export function nothingFound(standings: readonly Standing[], exportCommand: string): HeadLine {
  const measured = standings.filter(({ figures }) => (figures?.sample ?? 0) > 0);
  if (measured.length > 0 && measured.every(isBtcItself)) {
    return { label: 'No verdict', text: 'BTC itself is what cards are compared with.' };
  }
  const how = exportCommand === '' ? '' : `; run daily: \`${exportCommand}\``;
  const allFigures = standings.map(({ figures }) => figures);
  const anyFigures = allFigures.find((figures) => figures !== null);
  const days = daysNeeded(anyFigures?.cluster_days);
  const needs = `needs ${days} days of outcomes${orMedians(standings)}`;
  return { label: 'No verdict yet', text: `${needs}${how}` };
}

/**
 * `, or the service's medians`: they may bring a verdict long before. Empty if exports do not ask for any. It names no date,
 * because on the planned day the credits may be gone.
 */
function orMedians(standings: readonly Standing[]): string {
  const areAskedFor = standings.some(({ figures }) => (figures?.next_medians_at ?? null) !== null);
  return areAskedFor ? ", or the service's medians" : '';
}

export function headlineText(lines: readonly HeadLine[], { pairs, styles }: RenderContext): string {
  return pairs(
    lines.map(({ label, text, tone }) => [label, tone === undefined ? text : styles[tone](text)]),
  );
}
