import { type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import { HOUR } from '../../runtime/units.ts';
import { gaussian, hash, remembered } from './noise.ts';

/** Standard deviations in percent: of an hour of BTC, and of a card's movement beyond BTC's after 24 h. */
const BTC_HOUR = 0.5;
const OWN = 3.5;
/** The share of that movement's variance which cards of the same hours have in common. */
const SHARED = 0.3;

export type Moves = ReturnType<typeof createMoves>;

/** Movements of known distribution. Two cards have in common what happens in the hours that both their windows hold. */
export function createMoves(seed: number) {
  const btcHours = remembered((hour) => BTC_HOUR * gaussian(hash(seed, 1), hour));
  const sharedHours = remembered((hour) => gaussian(hash(seed, 2), hour));

  return {
    btc: (at: number, horizon: HorizonName) => sumOver(hoursOf(horizon), btcHours, at),
    /** What a card's movement has beyond BTC's and the effect of its screener: normal around 0, percent. */
    own: (id: number, at: number, horizon: HorizonName) => {
      const hours = hoursOf(horizon);
      const shared = sumOver(hours, sharedHours, at) / Math.sqrt(hours);
      const alone = gaussian(hash(seed, 4 + hours), id);
      return OWN * horizonOf(horizon).least * (Math.sqrt(SHARED) * shared + Math.sqrt(1 - SHARED) * alone);
    },
  };
}

const hoursOf = (name: HorizonName): number => horizonOf(name).millis / HOUR;

function sumOver(count: number, hours: (hour: number) => number, at: number): number {
  const first = Math.floor(at / HOUR);
  let sum = 0;
  for (let hour = 1; hour <= count; hour++) sum += hours(first + hour);
  return sum;
}
