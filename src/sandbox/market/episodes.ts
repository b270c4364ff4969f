import { DAY, MINUTE } from '../../runtime/units.ts';
import type { CardKey } from '../world.ts';
import { chance, gaussian, hash } from './noise.ts';
import { QUIET_MINUTES, SCREENERS, type Screener } from './screeners.ts';
import { BTC, type Listing, OTHERS } from './symbols.ts';

/** Ids of a day are consecutive; a day has fewer cards than this. */
const IDS_PER_DAY = 1000;

/** A card in the making: the first notification and the repeats that followed. */
export interface Episode extends CardKey {
  readonly listing: Listing;
  readonly screener: Screener;
  /** How far beyond the lowest threshold it was at the trigger: the size of a standard normal number. */
  readonly strength: number;
  readonly repeats: readonly number[];
}

/** What the screener measured at the trigger, without its sign. */
export function measuredBy({ screener, strength }: Episode): number {
  return (screener.before?.threshold ?? screener.threshold) * (1 + 0.6 * strength);
}

export const dayOfId = (id: number): number => Math.floor(id / IDS_PER_DAY);

/** All cards of a UTC day at the lowest thresholds there were, newest first: a function of seed and day alone. */
export function episodesOf(day: number, seed: number): readonly Episode[] {
  const own = hash(hash(seed, 31), day);
  const busy = 0.6 + 0.8 * chance(own, -1);
  const drawn = SCREENERS.flatMap((screener, kind) => {
    const mine = hash(own, kind);
    const count = Math.floor(screener.perDay * busy + chance(mine, -2));
    return Array.from({ length: count }, (_, number) => ({ screener, mixed: hash(mine, number) }));
  });
  drawn.sort((a, b) => chance(b.mixed, 1) - chance(a.mixed, 1));
  return drawn.map(({ screener, mixed }, number) => {
    const createdAt = day * DAY + Math.floor(chance(mixed, 1) * 86_400) * 1000;
    const listing = listingFor(chance(mixed, 2));
    return {
      id: day * IDS_PER_DAY + drawn.length - number,
      createdAt,
      symbol: listing.symbol,
      type: screener.type,
      listing,
      screener,
      strength: Math.abs(gaussian(mixed, 5)),
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
