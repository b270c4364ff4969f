/** The notes below a list of standings. */

import { pluralize } from '../../base/units.ts';
import { isClear, type Standing } from '../../outcomes/standing.ts';
import { FEW_CLUSTERS } from '../../statistics/clustered-median.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { isSide, MARGIN, type Word } from '../../statistics/rule.ts';
import { estimateText, rangeText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { type BaseNoteOptions, baseNote, LISTED_FIGURES } from './base-note.ts';
import { missingNotes } from './missing-outcomes.ts';
import { behindNote } from './to-do-words.ts';
import { ruleNote } from './verdict-rule.ts';

/** From so many percentage points on, the page says what betas took off. */
const SAID_FROM = 0.3;

/**
 * What betas took off the difference to the others, one line a group: `pump: 0.6 pp of it is BTC's rise (taken out): its
 * symbols move 1.4 times as much as BTC, the others 1.1 times.`
 */
export function betaNotes(standings: readonly Standing[]): string[] {
  return standings
    .filter(({ base }) => base.vsOthers !== null && Math.abs(base.beta) > SAID_FROM)
    .map(({ group, base }) => {
      const { btcMove, slope, slopeOfOthers } = base.movesWithBtc();
      const size = `${Math.abs(base.beta).toFixed(1)} pp`;
      const does = base.beta > 0 ? 'is' : 'was hidden by';
      const direction = btcMove > 0 ? 'rise' : 'fall';
      const part = `${size} of it ${does} BTC's ${direction} (taken out)`;
      const times = slope.toFixed(1);
      const timesOfOthers = slopeOfOthers.toFixed(1);
      // Two figures that look alike would explain nothing.
      if (times === timesOfOthers) return `${safeText(group)}: ${part}.`;
      const own = `its symbols move ${times} times as much as BTC`;
      return `${safeText(group)}: ${part}: ${own}, the others ${timesOfOthers} times.`;
    });
}

/**
 * Why words are unclear though their 95 % intervals leave out 0. If it is of one group, the interval that decides is told: the
 * page has the narrower one.
 * @param isOfBtc whether the word against BTC is shown, too
 */
export function unclearNote(standings: readonly Standing[], isOfBtc = false): string {
  const reasons = new Set<string>();
  const isAlone = standings.length === 1;
  for (const { word, wordVsBtc, comparedWith, base, isUnclearByMissing, figures } of standings) {
    const why = isUnclearByMissing
      ? ''
      : whyUnclear(word, base.interval, base.sureInterval, isAlone);
    if (why !== '') reasons.add(`unclear: ${why}`);
    if (!isOfBtc || comparedWith !== 'others' || figures === null) continue;
    const { median_vs_btc_interval_95: interval, median_vs_btc_interval_997: sure } = figures;
    const whyVsBtc = whyUnclear(wordVsBtc, interval, sure, isAlone);
    if (whyVsBtc !== '') reasons.add(`unclear vs BTC: ${whyVsBtc}`);
  }
  return [...reasons].join('\n');
}

function whyUnclear(
  word: Word | null,
  interval: Interval | null,
  sure: Interval | null,
  isIntervalTold: boolean,
): string {
  const isBeyond = (range: Interval | null, margin: number) =>
    range !== null && (range.low > margin || range.high < -margin);
  if (word !== 'unclear' || !isBeyond(interval, 0)) return '';
  if (isBeyond(sure, MARGIN)) return 'the outcomes without a figure could decide either way';
  const range = isIntervalTold && sure !== null ? ` (${rangeText(sure)})` : '';
  return `the 99.7 % interval${range} does not lie beyond ±${MARGIN} pp`;
}

interface StandingNotesOptions {
  /** What the base is of. */
  readonly figures?: BaseNoteOptions['figures'];
  readonly hasMarks?: BaseNoteOptions['hasMarks'];
  /** Whether the page itself says the rule, what unclear groups wait for, and what to do with groups that are behind. */
  readonly hasSections?: boolean;
}

/** What there is to say below a list. @param by what the groups are */
export function standingNotes(
  standings: readonly Standing[],
  by: string,
  { figures = LISTED_FIGURES, hasSections = false, hasMarks = false }: StandingNotesOptions = {},
): string[] {
  const isWeakSaid = standings.some((standing) => isClear(standing) && standing.isWeak);
  return [
    hasSections ? '' : ruleNote(standings),
    isWeakSaid ? `weak: rests on fewer than ${FEW_CLUSTERS} blocks of days` : '',
    baseNote(standings, { figures, hasMarks }),
    ...betaNotes(standings),
    ...missingNotes(standings, hasSections),
    behindNote(standings, by, hasSections),
  ];
}

export function sinceThenText({ word, figures }: Standing): string {
  const later = figures?.since_then;
  // Beside "within 1 pp" the median of fewer cards would look like a doubt.
  if (!isSide(word) || later == null || later.interval_95 === null) return '';
  const figure = estimateText(later.difference_percentage_points, later.interval_95);
  return `The ${pluralize(later.cards, 'bought outcome')} since that verdict: ${figure} pp.`;
}
