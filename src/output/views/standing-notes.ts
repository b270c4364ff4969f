/** The notes below a list of standings. */

import { pluralize } from '../../base/units.ts';
import { mayBeBelowBtc } from '../../outcomes/focus.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { isSide, MARGIN } from '../../statistics/rule.ts';
import { estimateText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { type BaseNoteOptions, baseNote, LISTED_FIGURES } from './base-note.ts';
import { missingNotes } from './missing-outcomes.ts';
import { belowNote } from './to-do-words.ts';
import { WHOM } from './verdict-names.ts';
import { leavesOut0, looksClear } from './verdict-rule.ts';

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
 * For a page without a picture: what a verdict needs, if one is unclear although its 95 % interval leaves out 0. Empty if none is. (A
 * picture has `pictureRules`.)
 */
export function unclearNote(standings: readonly Standing[]): string {
  const isAnyOdd = standings.some((standing) => looksClear(standing) || looksClearVsBtc(standing));
  return isAnyOdd ? NEEDS_OF_VERDICT : '';
}

const NEEDS_OF_VERDICT = `To be called above or below, it must be 99.7 % sure that it is outside ±${MARGIN} pp.`;

/**
 * The same for the interval vs BTC. Only beside a verdict that is unclear, or `below; vs BTC unclear`: under any other the note would
 * read as if that verdict were missing.
 */
function looksClearVsBtc(standing: Standing): boolean {
  const { verdict, verdictVsBtc, comparedWith, figures } = standing;
  if (comparedWith === 'btc' || verdictVsBtc !== 'unclear') return false;
  const isAnyUnclear = verdict === 'unclear' || mayBeBelowBtc(standing);
  return isAnyUnclear && leavesOut0(figures?.median_vs_btc_interval_95);
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
