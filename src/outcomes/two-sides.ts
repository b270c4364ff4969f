/**
 * Some types fire in both directions, and do well in one of them only. Together their cards look small or unclear; this
 * judges the cards above and below zero of the number that tells the directions apart.
 */
import { blocksOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { cleanOrNull, type Interval } from '../statistics/quantile.ts';
import { type Difference, symbolsOfBtc } from './differences.ts';
import { besideOthers, type NumbersEvidence } from './numbers.ts';
import { numberAt } from './row.ts';
import type { Advice } from './tune-types.ts';

/** The cards on one side of zero, after 24 h. */
export interface Side {
  readonly cards: number;
  /** Median difference to the other types' cards of their day, percentage points; null for no cards. */
  readonly vsOthers: number | null;
  readonly interval: Interval | null;
}

export interface TwoSides {
  readonly type: string;
  /** The number at the trigger: its name in `entry_context`. */
  readonly key: string;
  /** Cards whose number is above 0; 0 itself is on the side that the advice keeps. */
  readonly above: Side;
  /** Cards whose number is below 0; 0 itself as for `above`. */
  readonly below: Side;
}

/** @returns undefined unless the advice is a cut at 0 */
export function twoSidesOf(
  { type, key, absolute, value, direction }: Advice,
  { settled, settingsSince }: Pick<NumbersEvidence, 'settled' | 'settingsSince'>,
): TwoSides | undefined {
  if (absolute || value !== 0) return undefined;
  const differencesByCard = besideOthers(settled, MAIN_HORIZON, symbolsOfBtc(settled));
  const since = settingsSince.get(type);
  const above: Difference[] = [];
  const below: Difference[] = [];
  for (const [card, difference] of differencesByCard) {
    const number = numberAt(card, key);
    const hasPresentSettings = since === undefined || card.at >= since;
    if (card.type !== type || !hasPresentSettings || number === undefined) continue;
    const isAbove = direction === 'at_least' ? number >= 0 : number > 0;
    if (isAbove) above.push(difference);
    else below.push(difference);
  }
  return { type, key, above: sideOf(above), below: sideOf(below) };
}

function sideOf(differences: readonly Difference[]): Side {
  const estimate = clusteredMedian(differences, blocksOf(MAIN_HORIZON));
  return {
    cards: differences.length,
    vsOthers: cleanOrNull(estimate.value),
    interval: estimate.interval(LEVEL),
  };
}
