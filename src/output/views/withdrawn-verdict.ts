/** What screens say of a verdict above or below that was withdrawn. */

import type { Standing } from '../../outcomes/standing.ts';
import { dayAndMonth } from '../format.ts';

/** What screens call a group whose verdict was withdrawn. */
export const NO_LONGER_SURE = 'no longer sure';

/** Whether screens say that a group's verdict was withdrawn. If the group is silent, they say that it is silent. */
export function saysWithdrawn(
  standing: Pick<Standing, 'verdict' | 'verdictVsBtc' | 'withdrawn' | 'toDo' | 'silentDays'>,
): boolean {
  return standing.silentDays === undefined && standsAsWithdrawn(standing);
}

/** Whether a group is known for nothing but a verdict that was withdrawn. It may have stopped working. */
export function standsAsWithdrawn({
  verdict,
  verdictVsBtc,
  withdrawn,
  toDo,
}: Pick<Standing, 'verdict' | 'verdictVsBtc' | 'withdrawn' | 'toDo'>): boolean {
  if (withdrawn === undefined || verdict !== 'unclear') return false;
  // The verdict was against BTC and still holds: only the comparison that decides is another by now.
  const holdsVsBtc = withdrawn.comparedWith === 'btc' && withdrawn.verdict === verdictVsBtc;
  // If it is below BTC, that is a warning, which comes first. If it is above BTC, that does not outweigh the doubt.
  const isWarnedOf = toDo === 'behind_btc';
  return !holdsVsBtc && !isWarnedOf;
}

/** `above until 2 Nov`; against BTC, `above BTC until 2 Nov`. Undefined if none was withdrawn. */
export function withdrawnUntil({ withdrawn }: Pick<Standing, 'withdrawn'>): string | undefined {
  if (withdrawn === undefined) return undefined;
  return `${withdrawnName(withdrawn)} until ${dayAndMonth(withdrawn.until)}`;
}

/** `above until 2 Nov; no longer sure` */
export function withdrawnLine(standing: Standing): string {
  return `${withdrawnUntil(standing)}; ${NO_LONGER_SURE}`;
}

/** `above from 10 Sep to 2 Nov`. Undefined if no verdict was withdrawn. */
export function withdrawnFromTo({ withdrawn }: Pick<Standing, 'withdrawn'>): string | undefined {
  if (withdrawn === undefined) return undefined;
  const { from, until } = withdrawn;
  return `${withdrawnName(withdrawn)} from ${dayAndMonth(from)} to ${dayAndMonth(until)}`;
}

/** `above`, `above BTC` */
function withdrawnName({ verdict, comparedWith }: NonNullable<Standing['withdrawn']>): string {
  return comparedWith === 'btc' ? `${verdict} BTC` : verdict;
}
