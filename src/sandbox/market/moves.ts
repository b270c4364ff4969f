import { type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import { dayNumber, HOUR } from '../../runtime/units.ts';
import { gaussian, hash, remembered } from './noise.ts';
import { moodAt } from './snapshot.ts';

/** Movements apart from BTC's: their spread (one standard deviation, percent), and the numbers they are drawn from. */
const OWN: Readonly<Record<HorizonName, { readonly spread: number; readonly stream: number }>> = {
  '1h': { spread: 1, stream: 4 },
  '24h': { spread: 4, stream: 5 },
};
const BTC_HOUR = 0.5;
const CORRELATION = 0.3;

export type Moves = ReturnType<typeof createMoves>;

/**
 * Movements of known distribution. Cards share a part of what they have beyond BTC's movement: within the day those of
 * one UTC day, with that correlation; at 24 h those whose windows overlap, with the correlation times the overlap (two
 * cards of one hour share it in full, two cards 12 hours apart half of it, also across midnight).
 */
export function createMoves(seed: number) {
  const btcHours = remembered((hour) => BTC_HOUR * gaussian(hash(seed, 1), hour));
  const sharedHours = remembered((hour) => gaussian(hash(seed, 2), hour));
  const sharedDays = remembered((day) => gaussian(hash(seed, 3), day));

  const shared = (at: number, horizon: HorizonName): number =>
    hoursOf(horizon) < 24
      ? sharedDays(dayNumber(at))
      : sumOver(hoursOf(horizon), sharedHours, at) / Math.sqrt(hoursOf(horizon));

  return {
    btc: (at: number, horizon: HorizonName) => sumOver(hoursOf(horizon), btcHours, at),
    /** What a card's movement has beyond BTC's and the effect of its screener: normal around 0, percent. */
    own: (id: number, at: number, horizon: HorizonName) => {
      const { spread, stream } = OWN[horizon];
      const alone = gaussian(hash(seed, stream), id);
      return spread * (Math.sqrt(CORRELATION) * shared(at, horizon) + Math.sqrt(1 - CORRELATION) * alone);
    },
    mood: (at: number) => moodAt(seed, at),
  };
}

const hoursOf = (name: HorizonName): number => horizonOf(name).millis / HOUR;

function sumOver(count: number, hours: (hour: number) => number, at: number): number {
  const first = Math.floor(at / HOUR);
  let sum = 0;
  for (let hour = 1; hour <= count; hour++) sum += hours(first + hour);
  return sum;
}
