import type { HorizonName } from '../../outcomes/types.ts';
import { dayNumber, HOUR } from '../../runtime/units.ts';
import { gaussian, hash, remembered } from './noise.ts';
import { moodAt } from './snapshot.ts';

/** Spread (one standard deviation) of movements apart from BTC's, percent. */
const SPREAD: Readonly<Record<HorizonName, number>> = { '1h': 1, '24h': 4 };
const BTC_HOUR = 0.5;
/** Of movements beyond BTC's, among cards of one day. */
const CORRELATION = 0.3;

export type Moves = ReturnType<typeof createMoves>;

/**
 * Movements of known distribution. Cards share a part of what they have beyond BTC's movement: at 1 h those of one UTC
 * day, with that correlation; at 24 h those whose windows overlap, with the correlation times the overlap (two
 * cards of one hour share it in full, two cards 12 hours apart half of it, also across midnight).
 */
export function createMoves(seed: number) {
  const btcHours = remembered((hour) => BTC_HOUR * gaussian(hash(seed, 1), hour));
  const sharedHours = remembered((hour) => gaussian(hash(seed, 2), hour));
  const sharedDays = remembered((day) => gaussian(hash(seed, 3), day));

  const shared = (at: number, horizon: HorizonName): number =>
    horizon === '1h' ? sharedDays(dayNumber(at)) : sumOfDay(sharedHours, at) / Math.sqrt(24);

  return {
    /** BTC's movement after a moment, percent. */
    btc: (at: number, horizon: HorizonName) =>
      horizon === '1h' ? btcHours(Math.floor(at / HOUR) + 1) : sumOfDay(btcHours, at),
    /** What a card's movement has beyond BTC's and the effect of its screener: normal around 0, percent. */
    own: (id: number, at: number, horizon: HorizonName) => {
      const alone = gaussian(hash(seed, horizon === '1h' ? 4 : 5), id);
      return SPREAD[horizon] * (Math.sqrt(CORRELATION) * shared(at, horizon) + Math.sqrt(1 - CORRELATION) * alone);
    },
    /** Of the whole market, between -1 and 1. */
    mood: (at: number) => moodAt(seed, at),
  };
}

/** Over the 24 hours that follow. */
function sumOfDay(hours: (hour: number) => number, at: number): number {
  const first = Math.floor(at / HOUR);
  let sum = 0;
  for (let hour = 1; hour <= 24; hour++) sum += hours(first + hour);
  return sum;
}
