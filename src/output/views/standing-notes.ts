/** The notes below a list of standings. */

import { pluralize } from '../../base/units.ts';
import type { Standing } from '../../outcomes/standing.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { isSide, MARGIN, type Verdict } from '../../statistics/rule.ts';
import { estimateText, rangeText } from '../format.ts';
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
 * Why verdicts are unclear although their 95 % intervals leave out 0. On the page of a single group the 99.7 % interval is
 * printed with the reason, because the page itself shows only the 95 % one.
 * @param isVsBtcShown whether the page shows the verdict against BTC, too
 */
export function unclearNote(standings: readonly Standing[], isVsBtcShown = false): string {
  const reasons = new Set<string>();
  const isAlone = standings.length === 1;
  for (const {
    verdict,
    verdictVsBtc,
    comparedWith,
    base,
    isUnclearByMissing,
    figures,
  } of standings) {
    // What is unclear because of missing outcomes is told beside the verdict, or by `missingNotes`.
    if (!isUnclearByMissing) {
      const why = whyUnclear(verdict, base.interval, base.sureInterval, isAlone);
      if (why !== '') reasons.add(`unclear: ${why}`);
    }
    if (!isVsBtcShown || comparedWith !== 'others' || figures === null) continue;
    // Of the verdict against BTC nothing else tells that outcomes are missing: `whyUnclear` does.
    const { median_vs_btc_interval_95: interval, median_vs_btc_interval_997: sure } = figures;
    const whyVsBtc = isContradictedByService({ verdictVsBtc, figures })
      ? CONTRADICTED
      : whyUnclear(verdictVsBtc, interval, sure, isAlone);
    if (whyVsBtc !== '') reasons.add(`unclear vs BTC: ${whyVsBtc}`);
  }
  return [...reasons].join('\n');
}

export const CONTRADICTED =
  'the service counts all outcomes, and its figure lies on the other side of 0';

/** Whether a verdict vs BTC is unclear because the service's figure lies on the other side of 0 than what was bought. */
export function isContradictedByService({
  verdictVsBtc,
  figures,
}: Pick<Standing, 'verdictVsBtc' | 'figures'>): boolean {
  if (verdictVsBtc !== 'unclear' || figures === null) return false;
  const { service_median_vs_btc_percentage_points: byService } = figures;
  return isOnOtherSide(byService, figures.median_vs_btc_interval_997);
}

/** Whether the service's figure lies on the other side of 0 than the whole interval; false if either is not known. */
function isOnOtherSide(figure: number | null, interval: Interval | null): boolean {
  if (figure === null || interval === null) return false;
  const isIntervalAbove = interval.low > MARGIN && figure <= 0;
  const isIntervalBelow = interval.high < -MARGIN && figure >= 0;
  return isIntervalAbove || isIntervalBelow;
}

/**
 * @param interval the 95 % interval
 * @param sure the 99.7 % interval
 * @returns empty if the verdict is another, or if its 95 % interval touches 0: nothing is odd then
 */
function whyUnclear(
  verdict: Verdict | null,
  interval: Interval | null,
  sure: Interval | null,
  isIntervalTold: boolean,
): string {
  if (verdict !== 'unclear' || !isBeyond(interval, 0)) return '';
  if (isBeyond(sure, MARGIN)) return 'the outcomes without a figure could decide either way';
  const range = isIntervalTold && sure !== null ? ` (${rangeText(sure)})` : '';
  return `the 99.7 % interval${range} does not lie beyond ±${MARGIN} pp`;
}

/**
 * The 99.7 % interval of a group that is unclear though its 95 % interval leaves out 0, and for no other reason. Undefined of any
 * other group.
 */
export function rangeThatDecides({
  verdict,
  base: { interval, sureInterval },
  isUnclearByMissing,
}: Standing): Interval | undefined {
  const isOdd = verdict === 'unclear' && !isUnclearByMissing && isBeyond(interval, 0);
  const isReason = isOdd && sureInterval !== null && !isBeyond(sureInterval, MARGIN);
  return isReason ? sureInterval : undefined;
}

/** Whether the whole interval lies above `margin`, or below `-margin`. */
function isBeyond(interval: Interval | null, margin: number): boolean {
  return interval !== null && (interval.low > margin || interval.high < -margin);
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
