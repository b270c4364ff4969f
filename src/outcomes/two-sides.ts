/**
 * What became of the cards that an advice divides.
 *
 * Some types fire in both directions, and do well in one of them only. Together their cards look small or unclear; this
 * judges the cards above and below zero of the number that tells the directions apart. And the cards that came after an
 * advice was chosen test it, because they had no part in the choice.
 */
import { blocksOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { differenceOfEstimates, LEVEL } from '../statistics/estimate.ts';
import { cleanOrNull, type Interval } from '../statistics/quantile.ts';
import { type Difference, symbolsOfBtc } from './differences.ts';
import { sinceThenOf } from './figure.ts';
import { differencesToOtherTypes, type NumbersEvidence } from './numbers.ts';
import { numberAt, type Row } from './row.ts';
import type { Advice, Cut } from './tune-types.ts';

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

/** The cards of all types that advice is judged on, worked out once for all advice of a page. */
export interface AdvisedCards {
  /** For each card its difference to the other types' cards of its day, percentage points. */
  readonly differenceToOthers: ReadonlyMap<Row, Difference>;
  /** When each type's present settings began, epoch milliseconds UTC. */
  readonly settingsSince: ReadonlyMap<string, number>;
}

export function advisedCards({
  settled,
  settingsSince,
}: Pick<NumbersEvidence, 'settled' | 'settingsSince'>): AdvisedCards {
  const differenceToOthers = differencesToOtherTypes(settled, MAIN_HORIZON, symbolsOfBtc(settled));
  return { differenceToOthers, settingsSince };
}

/** @returns undefined unless the advice is a cut at 0 */
export function twoSidesOf(advice: Advice, cards: AdvisedCards): TwoSides | undefined {
  const { type, key, absolute, value, direction } = advice;
  if (absolute || value !== 0) return undefined;
  const { kept, dropped } = dividedBy(advice, cards);
  const isAboveKept = direction === 'at_least';
  return {
    type,
    key,
    above: sideOf(isAboveKept ? kept : dropped),
    below: sideOf(isAboveKept ? dropped : kept),
  };
}

/**
 * Kept minus dropped, on the cards that were created since the advice was chosen.
 * @param since when it was chosen, epoch milliseconds UTC
 */
export function sinceAdvice(advice: Advice, since: number, cards: AdvisedCards): Cut['since_then'] {
  const { kept, dropped } = dividedBy(advice, cards);
  const estimateLater = (differences: readonly Difference[]) =>
    clusteredMedian(
      differences.filter(({ card }) => card.at >= since),
      blocksOf(MAIN_HORIZON),
    );
  return sinceThenOf(differenceOfEstimates(estimateLater(kept), estimateLater(dropped)));
}

/** The cards that an advice keeps, and those that it drops. */
interface DividedCards {
  readonly kept: readonly Difference[];
  readonly dropped: readonly Difference[];
}

/** The type's cards of present settings that have the number. */
function dividedBy(
  { type, key, absolute, value, direction }: Advice,
  { differenceToOthers, settingsSince }: AdvisedCards,
): DividedCards {
  const since = settingsSince.get(type);
  const kept: Difference[] = [];
  const dropped: Difference[] = [];
  for (const [card, difference] of differenceToOthers) {
    const number = numberAt(card, key);
    const hasPresentSettings = since === undefined || card.at >= since;
    if (card.type !== type || !hasPresentSettings || number === undefined) continue;
    const size = absolute ? Math.abs(number) : number;
    const isKept = direction === 'at_least' ? size >= value : size <= value;
    if (isKept) kept.push(difference);
    else dropped.push(difference);
  }
  return { kept, dropped };
}

function sideOf(differences: readonly Difference[]): Side {
  const estimate = clusteredMedian(differences, blocksOf(MAIN_HORIZON));
  return {
    cards: differences.length,
    vsOthers: cleanOrNull(estimate.value),
    interval: estimate.interval(LEVEL),
  };
}
