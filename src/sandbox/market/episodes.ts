import { DAY, MINUTE } from '../../runtime/units.ts';
import { chance, hash } from './noise.ts';
import { QUIET_MINUTES, SCREENERS, type Screener } from './screeners.ts';
import { BTC, type Listing, OTHERS } from './symbols.ts';

/** Ids of a day are consecutive; a day has fewer cards than this. */
const IDS_PER_DAY = 1000;

/** A card in the making: the first notification and the repeats that followed. */
export interface Episode {
  readonly id: number;
  readonly listing: Listing;
  readonly screener: Screener;
  /** Epoch milliseconds UTC. */
  readonly createdAt: number;
  /** When it notified again, oldest first. */
  readonly repeats: readonly number[];
}

/** The UTC day (since 1970) in which a card was created. */
export const dayOfId = (id: number): number => Math.floor(id / IDS_PER_DAY);

/** Cards of a day on average over a week, about. */
const CARDS_PER_DAY = 30;

/** All cards of a UTC day, oldest first: a function of seed and day alone. Days differ in number, weekends are quieter. */
export function episodesOf(day: number, seed: number): readonly Episode[] {
  const own = hash(hash(seed, 31), day);
  // Day 0 was a Thursday.
  const isWeekend = day % 7 === 2 || day % 7 === 3;
  const count = Math.round(CARDS_PER_DAY * (isWeekend ? 0.65 : 1.14) * (0.6 + 0.8 * chance(own, -1)));
  return Array.from({ length: count }, (_, number) => {
    const mixed = hash(own, number);
    const second = Math.floor(((number + chance(mixed, 1)) / count) * 86_400);
    const createdAt = day * DAY + second * 1000;
    const screener = pick(chance(mixed, 3));
    return {
      id: day * IDS_PER_DAY + number + 1,
      listing: listingFor(screener, chance(mixed, 2)),
      screener,
      createdAt,
      repeats: repeatsOf(createdAt, mixed),
    };
  });
}

/**
 * Prefers the first, as traders do. BTC is rare: its movement beyond BTC's is exactly 0, and many of these would draw
 * the median of a group to 0, or hide an effect.
 */
function listingFor({ effect }: Screener, chance: number): Listing {
  if (chance > 0.99 && effect['24h'] === 0) return BTC;
  return OTHERS[Math.floor(chance ** 1.4 * OTHERS.length)] ?? BTC;
}

function pick(chance: number): Screener {
  let left = chance * SCREENERS.reduce((sum, { weight }) => sum + weight, 0);
  for (const screener of SCREENERS) {
    left -= screener.weight;
    if (left < 0) return screener;
  }
  return SCREENERS[0];
}

/** Half of the cards are notified once, the others up to six times again. */
function repeatsOf(createdAt: number, mixed: number): number[] {
  const count = Math.max(0, Math.floor(chance(mixed, 4) * 13) - 6);
  return Array.from({ length: count }, (_, i) => createdAt + (i + 1) * QUIET_MINUTES * MINUTE + (hash(mixed, i) % 9e4));
}
