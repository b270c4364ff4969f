import { DAY, MINUTE } from '../../runtime/units.ts';
import { chance, gaussian, hash } from './noise.ts';
import { QUIET_MINUTES, SCREENERS, type Screener } from './screeners.ts';
import { BTC, type Listing, OTHERS } from './symbols.ts';

/** Ids of a day are consecutive; a day has fewer cards than this. */
const IDS_PER_DAY = 1000;

/** A card in the making: the first notification and the repeats that followed. */
export interface Episode {
  readonly id: number;
  readonly listing: Listing;
  readonly screener: Screener;
  /** How far beyond the lowest threshold it was at the trigger: the size of a standard normal number. */
  readonly strength: number;
  readonly createdAt: number;
  readonly repeats: readonly number[];
}

/** What the screener measured at the trigger, without its sign. */
export function measuredBy({ screener, strength }: Episode): number {
  return (screener.before?.threshold ?? screener.threshold) * (1 + 0.6 * strength);
}

export const dayOfId = (id: number): number => Math.floor(id / IDS_PER_DAY);

/**
 * All cards of a UTC day at the lowest thresholds there were, oldest first: a function of seed and day alone. Days differ
 * in number, weekends are quieter.
 */
export function episodesOf(day: number, seed: number): readonly Episode[] {
  const own = hash(hash(seed, 31), day);
  // Day 0 was a Thursday.
  const isWeekend = day % 7 === 2 || day % 7 === 3;
  const busy = (isWeekend ? 0.65 : 1.14) * (0.6 + 0.8 * chance(own, -1));
  const drawn = SCREENERS.flatMap((screener, kind) => {
    const mine = hash(own, kind);
    const count = Math.floor(screener.perDay * busy + chance(mine, -2));
    return Array.from({ length: count }, (_, number) => ({ screener, mixed: hash(mine, number) }));
  });
  const timed = drawn.map((one) => ({ ...one, second: Math.floor(chance(one.mixed, 1) * 86_400) }));
  timed.sort((a, b) => a.second - b.second || a.mixed - b.mixed);
  return timed.map(({ screener, mixed, second }, number) => {
    const createdAt = day * DAY + second * 1000;
    return {
      id: day * IDS_PER_DAY + number + 1,
      listing: listingFor(chance(mixed, 2)),
      screener,
      strength: Math.abs(gaussian(mixed, 5)),
      createdAt,
      repeats: repeatsOf(createdAt, mixed),
    };
  });
}

/** Some are BTC itself, of which the movement beyond BTC's is 0; of the others the first are preferred, as traders do. */
function listingFor(chance: number): Listing {
  return chance > 0.985 ? BTC : (OTHERS[Math.floor((chance / 0.985) ** 1.4 * OTHERS.length)] ?? BTC);
}

/** Half of the cards are notified once, the others up to six times again. */
function repeatsOf(createdAt: number, mixed: number): number[] {
  const count = Math.max(0, Math.floor(chance(mixed, 4) * 13) - 6);
  return Array.from({ length: count }, (_, i) => createdAt + (i + 1) * QUIET_MINUTES * MINUTE + (hash(mixed, i) % 9e4));
}
