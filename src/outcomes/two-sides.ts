/**
 * A type that fires in both directions: upwards it is better, downwards worse, so that together it looks small or
 * unclear. Both sides of zero of the number that tells them apart.
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

  readonly below: Side;
}

/** @returns undefined unless the advice is a cut at 0 */
export function twoSidesOf(
  { type, key, absolute, value, direction }: Advice,
  { settled, settingsSince }: Pick<NumbersEvidence, 'settled' | 'settingsSince'>,
): TwoSides | undefined {
  if (absolute || value !== 0) return undefined;
  const beside = besideOthers(settled, MAIN_HORIZON, symbolsOfBtc(settled));
  const since = settingsSince.get(type);
  const above: Difference[] = [];
  const below: Difference[] = [];
  for (const [card, difference] of beside) {
    const number = numberAt(card, key);
    const isPresent = since === undefined || card.at >= since;
    if (card.type !== type || !isPresent || number === undefined) continue;
    // What the cut keeps is on the better side, also where the number is 0.
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
