/** Which cards the invented market triggers, and when. */
import { DAY, MINUTE, SECOND } from '../../base/units.ts';
import { chance, gaussian, hash } from './noise.ts';
import { QUIET_MINUTES, SCREENERS, type Screener } from './screeners.ts';

/** The ids of a day begin at a multiple of this. A day has fewer cards. */
const IDS_PER_DAY = 1000;

/** What is traded. Prices and turnovers are invented, of the size of real ones. */
interface ListedSymbol {
  readonly symbol: string;
  /** USD: prices are near it. */
  readonly price: number;
  /** USD a day. */
  readonly turnover: number;
}

export const BTC: ListedSymbol = { symbol: 'BTCUSDT', price: 91_400, turnover: 14e9 };

/** The listings beside BTC. The first ones have most cards. */
const OTHERS: readonly ListedSymbol[] = [
  { symbol: 'ETHUSDT', price: 3_080, turnover: 9e9 },
  { symbol: 'SOLUSDT', price: 142, turnover: 3.1e9 },
  { symbol: 'XRPUSDT', price: 2.14, turnover: 1.8e9 },
  { symbol: 'DOGEUSDT', price: 0.158, turnover: 1.1e9 },
  { symbol: 'BNBUSDT', price: 905, turnover: 700e6 },
  { symbol: 'ADAUSDT', price: 0.462, turnover: 420e6 },
  { symbol: 'AVAXUSDT', price: 14.1, turnover: 310e6 },
  { symbol: 'LINKUSDT', price: 13.6, turnover: 380e6 },
  { symbol: 'SUIUSDT', price: 1.62, turnover: 520e6 },
  { symbol: 'TONUSDT', price: 1.74, turnover: 120e6 },
  { symbol: 'NEARUSDT', price: 2.31, turnover: 190e6 },
  { symbol: 'ARBUSDT', price: 0.221, turnover: 130e6 },
  { symbol: 'INJUSDT', price: 5.93, turnover: 74e6 },
  { symbol: 'WIFUSDT', price: 0.382, turnover: 150e6 },
  { symbol: '1000PEPEUSDT', price: 0.00482, turnover: 640e6 },
  { symbol: '1000BONKUSDT', price: 0.0101, turnover: 140e6 },
  { symbol: 'ENAUSDT', price: 0.271, turnover: 210e6 },
  { symbol: 'FARTCOINUSDT', price: 0.294, turnover: 180e6 },
];

/** The notifications that one card reports: the trigger, which is the first one, and the repeats that followed. */
export interface Episode {
  readonly id: number;
  /** Epoch milliseconds UTC. */
  readonly createdAt: number;
  readonly symbol: string;
  readonly type: string;
  readonly listing: ListedSymbol;
  readonly screener: Screener;
  /** The number that the screener watches, as it was at the trigger; without its sign. */
  readonly measured: number;
  /** Percentage points that are added to the card's movement beyond BTC's after 24 h. */
  readonly effect: number;
  /** When each repeat was notified, epoch milliseconds UTC. */
  readonly repeats: readonly number[];
}

/** The stream of draws that say which cards there are. */
const EPISODE_STREAM = 31;

/** The number of each draw in its stream. It is negative for a draw for a day or a screener, and positive for a draw for a card. */
const DRAW = { cardsOfDay: -1, count: -2, time: 1, listing: 2, repeats: 4, strength: 5 } as const;

/** The day for which a card was drawn, days since 1970. */
export const dayOfId = (id: number): number => Math.floor(id / IDS_PER_DAY);

/**
 * All cards that a UTC day may have, newest first. Each card is drawn with the lowest threshold that its screener ever had. Cards
 * below the threshold of their day are left out later. The cards depend on nothing but the seed and the day.
 * @param day the day for which the cards are drawn, days since 1970
 * @param shiftDays how many days later they are shown
 */
export function episodesOf(day: number, seed: number, shiftDays: number): Episode[] {
  const dayHash = hash(hash(seed, EPISODE_STREAM), day);
  // A day has 60 to 140 % of the usual cards.
  const shareOfUsualCards = 0.6 + 0.8 * chance(dayHash, DRAW.cardsOfDay);
  const draws: Draw[] = [];
  for (const [screenerNumber, screener] of SCREENERS.entries()) {
    const screenerHash = hash(dayHash, screenerNumber);
    const cards = screener.perDay * shareOfUsualCards;
    const count = Math.floor(cards + chance(screenerHash, DRAW.count));
    for (let number = 0; number < count; number += 1)
      draws.push({ screener, cardHash: hash(screenerHash, number) });
  }
  const newestFirst = draws.sort((a, b) => timeOfDay(b) - timeOfDay(a));
  return newestFirst.map((draw, number) => {
    const { screener, cardHash } = draw;
    const secondOfDay = Math.floor((timeOfDay(draw) * DAY) / SECOND);
    const createdAt = (day + shiftDays) * DAY + secondOfDay * SECOND;
    // The power makes the first listings more frequent. In 1.5 % of the draws the place is beyond the last listing: the card is
    // then one of BTC itself.
    const place = (chance(cardHash, DRAW.listing) / 0.985) ** 1.4;
    const listing = OTHERS[Math.floor(place * OTHERS.length)] ?? BTC;
    // How far the number lies beyond the threshold: a standard normal number without its sign.
    const strength = Math.abs(gaussian(cardHash, DRAW.strength));
    const lowestThreshold = screener.earlier?.threshold ?? screener.threshold;
    const measured = lowestThreshold * (1 + 0.6 * strength);
    return {
      id: day * IDS_PER_DAY + draws.length - number,
      createdAt,
      symbol: listing.symbol,
      type: screener.type,
      listing,
      screener,
      measured,
      effect: effectOf(screener, measured, strength),
      repeats: repeatsOf(createdAt, cardHash),
    };
  });
}

/** A card before its details are drawn. */
interface Draw {
  readonly screener: Screener;
  /** All draws for the card are made from this hash. */
  readonly cardHash: number;
}

/** When the card is triggered, as a share of the day. */
function timeOfDay({ cardHash }: Draw): number {
  return chance(cardHash, DRAW.time);
}

/** The `effect` of an episode. */
function effectOf(
  { threshold, earlier, effect, slope = 0 }: Screener,
  measured: number,
  strength: number,
): number {
  // Only the lower threshold, before the settings changed, let this card through.
  if (measured < threshold) return earlier?.effectOfExtraCards ?? 0;
  return effect + slope * (strength - MEAN_STRENGTH);
}

/** The mean of a standard normal number without its sign. */
const MEAN_STRENGTH = Math.sqrt(2 / Math.PI);

/** When the card is notified again. Seven in 13 cards are not notified again. The others are notified again one to six times. */
function repeatsOf(createdAt: number, cardHash: number): number[] {
  const count = Math.max(0, Math.floor(chance(cardHash, DRAW.repeats) * 13) - 6);
  return Array.from(
    { length: count },
    // Each repeat comes up to 90 seconds late.
    (_, i) => createdAt + (i + 1) * QUIET_MINUTES * MINUTE + (hash(cardHash, i) % 90_000),
  );
}
