/**
 * How late outcomes come, learnt from those that were bought: a margin after the 24 h, so that a card is bought about
 * once. Pure.
 */
import { DAY, HOUR } from '../runtime/units.ts';
import { type Asked, type Lateness, LEAST_MARGIN } from './export-manifest.ts';

const MOST_MARGIN = 2 * DAY;

/** One purchase alone is news of the margin only where it was made about when the margin said. */
const NEAR = 1.5;
const DECAY = 0.996;

interface FirstPurchase {
  /** Milliseconds from `created_at` to the purchase. */
  readonly age: number;
  readonly settled: boolean;
}

/** So many outcomes that were there are remembered; and so many of them are forgotten for each that was not. */
const REMEMBERED = 40;
const FORGOTTEN = 2;

/**
 * One outcome that is not there makes the margin a little longer, as it may be that card's own; two in a row are the
 * service, and the margin is twice as long, or more than the second had. Each one that is there in time takes 0.4 % off.
 * A card that has none at an age at which others had theirs, or days later, may never have one: the margin is not for it.
 * A service that has become slower is believed once nothing is remembered that was there as early.
 */
export function learn({ margin, early_in_a_row, settled }: Lateness, purchase: FirstPurchase): Lateness {
  const late = purchase.age - DAY;
  // Bought by a command for a look, before anything could be measured.
  if (late < 0) return { margin, early_in_a_row, settled };
  const isNear = late >= margin && late <= margin * NEAR;
  if (purchase.settled) {
    return {
      margin: isNear ? Math.max(LEAST_MARGIN, margin * DECAY) : margin,
      early_in_a_row: 0,
      settled: [...settled, late].slice(-REMEMBERED),
    };
  }
  const remembered = settled.slice(FORGOTTEN);
  if (late > MOST_MARGIN || late >= Math.min(...settled)) return { margin, early_in_a_row, settled: remembered };
  const twice = Math.max(2 * margin, 1.25 * late);
  const longer = early_in_a_row > 0 ? twice : isNear ? 1.25 * margin : margin;
  return { margin: Math.min(MOST_MARGIN, longer), early_in_a_row: early_in_a_row + 1, settled: remembered };
}

/** When an outcome is due, in milliseconds after `created_at`. */
export function dueAfter({ margin }: Lateness): number {
  return DAY + margin;
}

/** How long to wait before a detail that was not settled is bought for the second, third, … time. */
const BUY_AGAIN_AFTER = [HOUR, 6 * HOUR, DAY, 3 * DAY];

/** Bought once, and again at most so many times while it was not settled. */
export const MOST_BOUGHT = 1 + BUY_AGAIN_AFTER.length;

/** How long to wait before a card is asked for again that the server failed for. */
const TRY_AGAIN_AFTER = [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY];

/** Milliseconds to wait after the last request for a card's detail; Infinity where it is not asked for again. */
export function waitBeforeNext({ times, failed, not_found }: Asked): number {
  if (failed > 0) return not_found ? DAY : (TRY_AGAIN_AFTER[failed - 1] ?? 7 * DAY);
  return times === 0 ? 0 : (BUY_AGAIN_AFTER[times - 1] ?? Number.POSITIVE_INFINITY);
}
