/** Numbers that look random and are a function of their arguments alone: any moment can be asked for in any order. */

import { type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import { oncePerKey } from '../../base/collections.ts';
import { DAY, HOUR } from '../../base/units.ts';

/** 32 well-mixed bits of two integers. */
export function hash(a: number, b: number): number {
  let h = Math.imul(a ^ 0x2c1b3c6d, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 14)) >>> 0;
}

export const chance = (a: number, b: number): number => hash(a, b) / 2 ** 32;

/** A draw from the standard normal distribution (Box and Muller). */
export function gaussian(a: number, b: number): number {
  const seed = hash(a, b);
  return Math.sqrt(-2 * Math.log(1 - chance(seed, 1))) * Math.cos(2 * Math.PI * chance(seed, 2));
}

export const rounded = (value: number, digits: number): number =>
  Math.round(value * 10 ** digits) / 10 ** digits + 0;

/** Standard deviations in percent: of an hour of BTC, and of a card's movement beyond BTC's after 24 h. */
const BTC_HOUR = 0.5;
const BEYOND_BTC = 3.5;
/** The share of that movement's variance which cards of the same hours have in common. */
const SHARED = 0.3;

/** Movements in percent. `at`: the trigger, epoch milliseconds UTC. */
export interface Moves {
  readonly btc: (at: number, horizon: HorizonName) => number;
  /** What a card's movement has beyond BTC's and the effect of its screener: normal around 0. */
  readonly ofCardAlone: (id: number, at: number, horizon: HorizonName) => number;
}

/**
 * Movements of known distribution. Two cards have in common what happens in the hours that both their windows hold.
 * @param later days by which all of it happens later than drawn
 */
export function createMoves(seed: number, later: number): Moves {
  /** The sum of the hours after `at`, each a draw of its own. */
  const summed = (stream: number) => {
    const ofHour = oncePerKey((hour: number) =>
      gaussian(hash(seed, stream), hour - (later * DAY) / HOUR),
    );
    return (at: number, horizon: HorizonName) => {
      let sum = 0;
      for (let hour = 1; hour <= horizonOf(horizon).millis / HOUR; hour++)
        sum += ofHour(Math.floor(at / HOUR) + hour);
      return sum;
    };
  };
  const btc = summed(1);
  const shared = summed(2);

  return {
    btc: (at, horizon) => BTC_HOUR * btc(at, horizon),
    ofCardAlone: (id, at, horizon) => {
      const { millis, least } = horizonOf(horizon);
      const hours = millis / HOUR;
      const common = shared(at, horizon) / Math.sqrt(hours);
      const alone = gaussian(hash(seed, 4 + hours), id);
      return BEYOND_BTC * least * (Math.sqrt(SHARED) * common + Math.sqrt(1 - SHARED) * alone);
    },
  };
}
