/**
 * How late outcomes come, and whether a second purchase is worth its credit: learnt from those that were bought. Pure.
 */
import { DAY, HOUR } from '../../runtime/units.ts';
import { type Asked, type Lateness, LEAST_MARGIN } from '../store/manifest.ts';

const MOST_MARGIN = 2 * DAY;

/** One purchase alone is news of the margin only where it was made about when the margin said. */
const NEAR = 1.5;
const DECAY = 0.996;
/** How much longer than what was seen the margin becomes. */
const ROOM = 1.25;

/** So many first purchases are remembered. */
const REMEMBERED = 40;

/** Outcomes that are missing before any other was there are news where chance alone would hardly put them all so early. */
const HARDLY = 0.003;

/** A row of failures as unlikely as that: the service has become slower. */
const NO_CHANCE = 1e-6;

/** A card's detail was bought. */
interface Purchase {
  /** Milliseconds from `created_at` to the purchase. */
  readonly age: number;
  readonly settled: boolean;
  /** Whether it was bought before when it was due. */
  readonly again: boolean;
}

/**
 * A first purchase that finds no outcome makes the margin longer only where outcomes that were there came later than
 * that: a card that never gets one is no sign of lateness. Each outcome that is there in time takes 0.4 % off.
 */
export function learn(lateness: Lateness, purchase: Purchase): Lateness {
  const late = purchase.age - DAY;
  // Bought by a command for a look, before anything could be measured.
  if (late < 0) return lateness;
  const { settled } = purchase;
  if (purchase.again) return { ...lateness, again: afterSecond(lateness.again, settled) };
  const firsts = withoutSurprise([...lateness.firsts, { late, settled }].slice(-REMEMBERED));
  const { margin } = lateness;
  if (settled) {
    const isNear = late >= margin && late <= margin * NEAR;
    return { ...lateness, firsts, margin: isNear ? Math.max(LEAST_MARGIN, margin * DECAY) : margin };
  }
  const again = { ...lateness.again, bought: lateness.again.bought * FORGET_SECONDS };
  return { margin: longer(margin, late, firsts), firsts, again };
}

type First = Lateness['firsts'][number];

/** Where outcomes are suddenly missing that used to be there as early, what used to be is forgotten. */
function withoutSurprise(firsts: readonly First[]): First[] {
  const last = firsts.findLastIndex((one) => one.settled);
  const earlier = firsts.slice(0, last + 1);
  const row = firsts.slice(last + 1);
  return shareMissing(earlier) ** row.length < NO_CHANCE ? row : [...firsts];
}

/** How many outcomes are missing in any case; where little is known, some. */
function shareMissing(firsts: readonly First[]): number {
  return (firsts.filter((one) => !one.settled).length + 1) / (firsts.length + 10);
}

function longer(margin: number, late: number, firsts: readonly First[]): number {
  const soonest = Math.min(...firsts.filter((one) => one.settled).map((one) => one.late));
  const isEarly = (one: First) => !one.settled && one.late < Math.min(soonest, MOST_MARGIN);
  const early = firsts.filter(isEarly).length;
  const byChance = shareMissing(firsts.filter((one) => !isEarly(one))) ** early;
  if (late >= soonest || byChance > HARDLY) return margin;
  const most = Math.min(MOST_MARGIN, ROOM * soonest);
  return Math.max(margin, Math.min(most, Math.max(2 * margin, ROOM * late)));
}

/** When an outcome is due, in milliseconds after `created_at`. */
export function dueAfter({ margin }: Lateness): number {
  return DAY + margin;
}

/** How fast what was seen of second purchases fades: with each of them, and with each outcome that would need one. */
const FADE = 0.95;
const FORGET_SECONDS = 0.998;

/** Where fewer of them bring an outcome, one purchase is enough; now and then another is tried. */
const WORTHWHILE = 0.1;

function afterSecond({ bought, settled }: Lateness['again'], isSettled: boolean): Lateness['again'] {
  return { bought: FADE * bought + 1, settled: FADE * settled + (isSettled ? 1 : 0) };
}

/** Whether a card that was bought without an outcome is to be bought again. */
export function isAgainWorthwhile({ again }: Pick<Lateness, 'again'>): boolean {
  return (again.settled + 1) / (again.bought + 2) > WORTHWHILE;
}

/** How long to wait before a detail that was not settled is bought for the second, third, … time. */
const BUY_AGAIN_AFTER = [HOUR, 6 * HOUR, DAY, 3 * DAY];

/** Bought once, and again at most so many times while it was not settled. */
export const MOST_BOUGHT = 1 + BUY_AGAIN_AFTER.length;

/** How long to wait before a card is asked for again that the server failed for; 20 hours, so that a daily run does. */
const TRY_AGAIN_AFTER = [HOUR, 6 * HOUR, 20 * HOUR, 3 * DAY];

/** Milliseconds to wait after the last request for a card's detail; Infinity where it is not asked for again. */
export function waitBeforeNext({ times, failed, not_found }: Asked): number {
  if (failed > 0) return not_found ? 20 * HOUR : (TRY_AGAIN_AFTER[failed - 1] ?? 7 * DAY);
  return times === 0 ? 0 : (BUY_AGAIN_AFTER[times - 1] ?? Number.POSITIVE_INFINITY);
}
