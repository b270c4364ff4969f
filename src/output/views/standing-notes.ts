/** The notes below a list of standings. */

import { pluralize } from '../../base/units.ts';
import type { Standing } from '../../outcomes/standing.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { isSide, MARGIN } from '../../statistics/rule.ts';
import { estimateText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { type BaseNoteOptions, baseNote, LISTED_FIGURES } from './base-note.ts';
import { missingNotes } from './missing-outcomes.ts';
import { belowNote } from './to-do-words.ts';
import { WHOM } from './verdict-names.ts';

/** If betas took off more than this, pages with all figures say so. Percentage points. */
const SAID_FROM = 0.3;

/**
 * What betas took off the difference to the others, or added to it, one line a group: `pump: BTC's rise alone made its cards 0.6 pp
 * better than your other cards. The figure vs others leaves that out.` Nothing follows from it: only pages with all figures have it.
 */
export function betaNotes(standings: readonly Standing[]): string[] {
  return standings
    .filter(({ base }) => base.vsOthers !== null && Math.abs(base.explainedByBeta) > SAID_FROM)
    .map(betaNote);
}

function betaNote({ group, base }: Standing): string {
  const btc = base.btcMove() > 0 ? 'rise' : 'fall';
  const size = `${Math.abs(base.explainedByBeta).toFixed(1)} pp`;
  const effect = `${size} ${base.explainedByBeta > 0 ? 'better' : 'worse'} than ${WHOM.others}`;
  const cause = `BTC's ${btc} alone made its cards ${effect}`;
  return `${safeText(group)}: ${cause}. The figure vs others leaves that out.`;
}

/**
 * What a verdict needs, if one is unclear although its 95 % interval leaves out 0: the interval alone looks as if there were a verdict.
 * Empty if none is.
 */
export function unclearNote(standings: readonly Standing[]): string {
  const isAnyOdd = standings.some((standing) => isOdd(standing) || isOddVsBtc(standing));
  return isAnyOdd ? NEEDS_OF_VERDICT : '';
}

const NEEDS_OF_VERDICT = `A verdict above or below needs a 99.7 % interval beyond ±${MARGIN} pp, and nothing against it: neither missing outcomes, nor the service's figure on the other side of 0.`;

/** What is unclear because of missing outcomes is told beside the verdict. */
function isOdd({ verdict, base, isUnclearByMissing }: Standing): boolean {
  return verdict === 'unclear' && !isUnclearByMissing && leavesOut0(base.interval);
}

function isOddVsBtc({ verdictVsBtc, comparedWith, figures }: Standing): boolean {
  if (comparedWith === 'btc' || verdictVsBtc !== 'unclear') return false;
  return leavesOut0(figures?.median_vs_btc_interval_95);
}

function leavesOut0(interval: Interval | null | undefined): boolean {
  return interval != null && (interval.low > 0 || interval.high < 0);
}

interface StandingNotesOptions {
  /** What the page calls the figures that come from the service. */
  readonly figures?: BaseNoteOptions['figures'];
  /** Whether the page itself says what unclear groups wait for, and what to do with groups that are below. */
  readonly hasSections?: boolean;
}

/** What there is to say below a list. @param by what the groups are */
export function standingNotes(
  standings: readonly Standing[],
  by: string,
  { figures = LISTED_FIGURES, hasSections = false }: StandingNotesOptions = {},
): string[] {
  return [
    baseNote(standings, { figures }),
    ...missingNotes(standings, hasSections),
    belowNote(standings, by, hasSections),
  ];
}

/** `The 12 bought outcomes since that verdict: +1.20 (+0.10 to +2.30) pp.`; empty if it is not known. */
export function sinceThenText({ verdict, figures }: Standing): string {
  const later = figures?.since_then;
  // A verdict "within 1 pp" may stand while the median of the few later cards lies outside. That is chance, and would confuse.
  if (!isSide(verdict) || later == null || later.interval_95 === null) return '';
  const figure = estimateText(later.difference_percentage_points, later.interval_95);
  return `The ${pluralize(later.cards, 'bought outcome')} since that verdict: ${figure} pp.`;
}
