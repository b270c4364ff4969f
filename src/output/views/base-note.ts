/** Which figures come from the service's medians, and which from bought outcomes. */

import { extent, min } from 'd3-array';
import { DAY } from '../../base/units.ts';
import type { AnswerFault } from '../../outcomes/service-medians.ts';
import type { Standing } from '../../outcomes/standing.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { dayAndMonth } from '../format.ts';
import { safeText } from '../safe-text.ts';

/** Why the service's answer for a type is left out. */
const FAULTS: Readonly<Record<AnswerFault, string>> = {
  stale: 'the service marked its answer as stale',
  does_not_fit: "the service's answer does not fit its cards",
  counts_btc: "the service's median counts many of BTC's own cards",
  few: "the service's answer is of too few outcomes",
};

/** The columns of a list that share one source: the service or bought outcomes. */
export const LISTED_FIGURES = 'N (outcomes), VS BTC and VS OTHERS';

/** How a page shows these figures. */
export interface BaseNoteOptions {
  /** What the figures are called on the page. */
  readonly figures?: string;
  /** Whether the page says elsewhere when the service was asked. */
  readonly isDayTold?: boolean;
}

/**
 * Up to three kinds of sentences: which figures come from the service; for which types the service's answer is left out; which
 * types have figures from bought outcomes, if other types have the service's. Empty if all figures come from bought outcomes and no
 * answer is left out.
 */
export function baseNote(
  standings: readonly Standing[],
  { figures = LISTED_FIGURES, isDayTold = false }: BaseNoteOptions = {},
): string {
  const ofService = standings.filter(({ base }) => base.source === 'service');
  const sentences: string[] = [];
  if (ofService.length > 0) sentences.push(serviceSentence(ofService, { figures, isDayTold }));
  const faults = new Map<AnswerFault, string[]>();
  const bought: string[] = [];
  for (const { group, base } of standings) {
    if (base.source === 'service') continue;
    const name = safeText(group);
    // An answer from too few outcomes is not worth a sentence.
    if (base.leftOut !== undefined && base.leftOut !== 'few') {
      const others = faults.get(base.leftOut) ?? [];
      faults.set(base.leftOut, [...others, name]);
    } else if (base.sample > 0) {
      bought.push(name);
    }
  }
  for (const [fault, names] of faults)
    sentences.push(
      `${names.join(', ')}: ${FAULTS[fault]}, and is left out; what you bought decides.`,
    );
  if (ofService.length > 0 && bought.length > 0)
    sentences.push(`${bought.join(', ')}: from the outcomes you bought.`);
  return sentences.join(' ');
}

/**
 * `N (outcomes), VS BTC and VS OTHERS come from the service, which counts all outcomes of 60 days, also those you did not buy. It was asked between
 * 21 Sep and 6 Oct. Next: 21 Oct.` If the page has said that day: `... It is asked again on 21 Oct.`
 */
function serviceSentence(
  ofService: readonly Standing[],
  { figures, isDayTold }: Required<BaseNoteOptions>,
): string {
  const counts = `which counts all outcomes of ${spanWords(ofService)} days, also those you did not buy`;
  const next = nextWords(ofService);
  const nextOnly = next === '' ? '' : ` It is asked again on ${next}.`;
  const times = isDayTold ? nextOnly : askedSentences(ofService, next);
  return `${figures} come from the service, ${counts}.${times}`;
}

/**
 * `21 Oct`. If a verdict is expected by a later day: `21 Oct, and a verdict may come then`, because it often comes before that day.
 * Empty if the service is not asked again.
 */
function nextWords(ofService: readonly Standing[]): string {
  const next = min(ofService, ({ base }) => base.nextAt);
  if (next === undefined) return '';
  const day = dayAndMonth(next);
  // On that day the service is asked of several types, one after the other.
  const mayComeThen = ofService.some(({ base: { nextAt }, verdictExpected }) => {
    if (nextAt === undefined || verdictExpected === undefined) return false;
    return dayAndMonth(nextAt) === day && verdictExpected > nextAt;
  });
  return mayComeThen ? `${day}, and a verdict may come then` : day;
}

/** @param next when the service is asked again, in words; empty if never */
function askedSentences(ofService: readonly Standing[], next: string): string {
  const [first, last] = extent(ofService, ({ base }) => base.askedAt);
  const asked = first === undefined ? '' : ` It was asked ${askedWords(first, last)}.`;
  return `${asked}${next === '' ? '' : ` Next: ${next}.`}`;
}

/** `on 6 Oct`, or `between 21 Sep and 6 Oct` if types differ. @param first epoch milliseconds UTC, as `last` */
function askedWords(first: number, last: number): string {
  const firstDay = dayAndMonth(first);
  const lastDay = dayAndMonth(last);
  return firstDay === lastDay ? `on ${lastDay}` : `between ${firstDay} and ${lastDay}`;
}

/** Milliseconds. If the service was asked longer ago, `today` says when. */
const FRESH = 7 * DAY;

/**
 * What verdicts rest on, if that is not to be expected: `by the service's medians of 16 Sep: newer cards do not count yet`. Where few
 * outcomes are bought: `by the service's medians, which count all outcomes`, so that nobody takes the small share for a fault. `mostly
 * by …` if some verdicts rest on bought outcomes. Otherwise empty.
 */
export function mediansText(
  standings: readonly Standing[],
  now: number,
  areFewBought: boolean,
): string {
  const judged = standings.filter(({ verdict }) => verdict !== null);
  const ofService = judged.filter(({ base }) => base.source === 'service');
  const [first, last] = extent(ofService, ({ base }) => base.askedAt);
  if (first === undefined) return '';
  const mostly = ofService.length < judged.length ? 'mostly ' : '';
  const byMedians = `${mostly}by the service's medians`;
  const areFresh = now - first <= FRESH;
  if (areFresh) return areFewBought ? `${byMedians}, which count all outcomes` : '';
  const firstDay = dayAndMonth(first);
  const lastDay = dayAndMonth(last);
  const days = firstDay === lastDay ? lastDay : `${firstDay} to ${lastDay}`;
  return `${byMedians} of ${days}: newer cards do not count yet`;
}

/** How many days the medians are of: `30`, or `30 to 60` if types differ. */
function spanWords(ofService: readonly Standing[]): string {
  const [fewest = 0, most = 0] = extent(ofService, ({ base }) => base.windowDays);
  return fewest === most ? String(fewest) : `${fewest} to ${most}`;
}

/** A difference with its 95 % interval, percentage points. */
interface Estimated {
  readonly median: number;
  readonly interval: Interval;
}

/**
 * The difference to BTC of the bought outcomes, of a type whose difference to BTC is the service's. The service gives no interval, so
 * that the verdict against BTC rests on what was bought. Undefined for any other type, and if nothing bounds it.
 */
export function boughtVsBtc({ base, comparedWith, figures }: Standing): Estimated | undefined {
  if (base.source !== 'service' || comparedWith === 'btc' || figures === null) return undefined;
  const { median_vs_btc_percentage_points: median, median_vs_btc_interval_95: interval } = figures;
  return median == null || interval == null ? undefined : { median, interval };
}
