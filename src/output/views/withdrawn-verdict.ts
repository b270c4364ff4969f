/** What screens say of a verdict that was withdrawn. */

import type { Standing } from '../../outcomes/standing.ts';
import { dayAndMonth } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { last30DaysText, latelyText, partsInTime } from './last-30-days.ts';

/** Of a type whose verdict was taken back. */
export const NO_LONGER_SURE = 'no longer sure';

/** As `wasTakenBack`, of a type that sends cards: a silent one is told as silent. */
export function isNoLongerSure(
  standing: Pick<Standing, 'word' | 'wordVsBtc' | 'withdrawn' | 'toDo' | 'silentDays'>,
): boolean {
  return standing.silentDays === undefined && wasTakenBack(standing);
}

/**
 * Whether its last verdict above or below was taken back, and nothing else is known of it. What it did before is no reason to
 * rely on it: it may have stopped working.
 */
export function wasTakenBack({
  word,
  wordVsBtc,
  withdrawn,
  toDo,
}: Pick<Standing, 'word' | 'wordVsBtc' | 'withdrawn' | 'toDo'>): boolean {
  if (withdrawn === undefined || word !== 'unclear') return false;
  // A type that is compared with the other cards by now may still be above or below BTC.
  const isStillSo = withdrawn.to === 'btc' && withdrawn.verdict === wordVsBtc;
  return !isStillSo && toDo !== 'behind_btc';
}

/** `above until 2 Nov`; of BTC, `above BTC until 2 Nov`. Undefined if no verdict was taken back. */
export function untilText({ withdrawn }: Pick<Standing, 'withdrawn'>): string | undefined {
  if (withdrawn === undefined) return undefined;
  return `${withdrawnName(withdrawn)} until ${dayAndMonth(withdrawn.until)}`;
}

/** `above until 2 Nov; +0.2 pp in the last 30 days`; without that figure `above until 2 Nov; no longer sure`. */
export function noLongerSureText(standing: Standing): string {
  return `${untilText(standing)}; ${last30DaysText(standing) ?? NO_LONGER_SURE}`;
}

/** The same beside news that tell the day: `no longer sure; +0.2 pp in the last 30 days`. */
export function noLongerSureWithoutDay(standing: Standing): string {
  const last30Days = last30DaysText(standing);
  return last30Days === undefined ? NO_LONGER_SURE : `${NO_LONGER_SURE}; ${last30Days}`;
}

/** `above from 10 Sep to 2 Nov`: a verdict that was taken back. Undefined if there is none. */
export function withdrawnText({ withdrawn }: Pick<Standing, 'withdrawn'>): string | undefined {
  if (withdrawn === undefined) return undefined;
  const { from, until } = withdrawn;
  return `${withdrawnName(withdrawn)} from ${dayAndMonth(from)} to ${dayAndMonth(until)}`;
}

/** `above`, `above BTC` */
function withdrawnName({ verdict, to }: NonNullable<Standing['withdrawn']>): string {
  return to === 'btc' ? `${verdict} BTC` : verdict;
}

/**
 * `above from 10 Sep to 2 Nov; no longer sure (+0.30 in the last 30 days, +2.20 before)`: a verdict that was taken back, and
 * the difference that decides in both times, where both are known. Undefined if none was taken back.
 */
export function earlierText(standing: Standing): string | undefined {
  const earlier = withdrawnText(standing);
  if (earlier === undefined) return undefined;
  const parts = partsInTime(standing);
  const figures = parts === undefined ? '' : ` (${latelyText(parts)})`;
  return `${earlier}; no longer sure${figures}`;
}

/** `pump: above from 10 Sep to 2 Nov; no longer sure.`, of groups whose verdict was taken back and whose line says another one. */
export function earlierNotes(standings: readonly Standing[]): string[] {
  const notes: string[] = [];
  for (const standing of standings) {
    const earlier = isNoLongerSure(standing) ? undefined : earlierText(standing);
    if (earlier !== undefined) notes.push(`${safeText(standing.group)}: ${earlier}.`);
  }
  return notes;
}
