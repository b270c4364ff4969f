/** Numbers that look random, but depend on their arguments alone: the same card has the same numbers whenever they are asked for. */
import { type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import { oncePerKey } from '../../base/collections.ts';
import { DAY, HOUR } from '../../base/units.ts';

/** Mixes two integers to 32 bits, in the steps with which MurmurHash ends. Other odd constants would do as well. */
export function hash(a: number, b: number): number {
  let h = Math.imul(a ^ 0x2c1b3c6d, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 14)) >>> 0;
}

/**
 * A number in [0, 1). A stream is an endless list of such numbers.
 * @param stream the seed of the stream, an integer
 * @param index which number of the stream
 */
export const chance = (stream: number, index: number): number => hash(stream, index) / 2 ** 32;

/** A number from the standard normal distribution, made by the method of Box and Muller. The parameters are those of `chance`. */
export function gaussian(stream: number, index: number): number {
  const seed = hash(stream, index);
  // `1 - chance` is never 0, so the logarithm is finite.
  const radius = Math.sqrt(-2 * Math.log(1 - chance(seed, 1)));
  return radius * Math.cos(2 * Math.PI * chance(seed, 2));
}

/** Rounds to a number of decimals. (Adding 0 turns −0 into 0.) */
export const rounded = (value: number, digits: number): number =>
  Math.round(value * 10 ** digits) / 10 ** digits + 0;

/** The standard deviation of BTC's movement in one hour, percent. */
const BTC_HOUR_DEVIATION = 0.5;
/** The standard deviation of a card's movement beyond BTC's after 24 h, percent. */
const BEYOND_BTC_DEVIATION = 3.5;
/** The share of a card's variance (beyond BTC's movement) that cards of the same hours have in common. */
const SHARED_VARIANCE = 0.3;

/** Streams of draws that do not depend on each other: BTC's, and that of what cards of the same hours have in common. */
const BTC_STREAM = 1;
const SHARED_STREAM = 2;
/** The stream of single cards, one for each horizon: 5 for one hour, 28 for 24 hours. Above 4, it is none of the two above. */
const cardStream = (hours: number): number => 4 + hours;

/** Movements, in percent, after a trigger at `at` (epoch milliseconds UTC). */
export interface Moves {
  readonly btc: (at: number, horizon: HorizonName) => number;
  /**
   * A card's movement beyond BTC's, without the effect of its screener: a normal draw around 0. Cards of the same hours have a part
   * of it in common.
   */
  readonly beyondBtc: (id: number, at: number, horizon: HorizonName) => number;
}

/**
 * Movements of a known distribution. Two cards have in common what happens in the hours that both their windows contain.
 * @param shiftDays how many days later all movements take place
 */
export function createMoves(seed: number, shiftDays: number): Moves {
  const shiftHours = (shiftDays * DAY) / HOUR;
  /** Makes a function that adds up the numbers of the hours after `at`. Each hour of the stream has one number. */
  const hourlySums = (stream: number) => {
    const drawOfHour = oncePerKey((hour: number) =>
      gaussian(hash(seed, stream), hour - shiftHours),
    );
    return (at: number, horizon: HorizonName) => {
      let sum = 0;
      for (let hour = 1; hour <= horizonOf(horizon).millis / HOUR; hour++)
        sum += drawOfHour(Math.floor(at / HOUR) + hour);
      return sum;
    };
  };
  const btcHours = hourlySums(BTC_STREAM);
  const sharedHours = hourlySums(SHARED_STREAM);

  return {
    btc: (at, horizon) => BTC_HOUR_DEVIATION * btcHours(at, horizon),
    beyondBtc: (id, at, horizon) => {
      const { millis, shareOfLeast } = horizonOf(horizon);
      const hours = millis / HOUR;
      // The sum of n draws, divided by √n, has the deviation 1 again.
      const shared = sharedHours(at, horizon) / Math.sqrt(hours);
      const own = gaussian(hash(seed, cardStream(hours)), id);
      const standardMove =
        Math.sqrt(SHARED_VARIANCE) * shared + Math.sqrt(1 - SHARED_VARIANCE) * own;
      // A card moves a quarter as far in one hour as in 24 hours. That is why a quarter of `--least` matters after one hour: the
      // field of that share serves here, too.
      return BEYOND_BTC_DEVIATION * shareOfLeast * standardMove;
    },
  };
}
