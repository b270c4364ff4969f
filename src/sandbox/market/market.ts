import { HOUR, MINUTE } from '../../runtime/units.ts';
import { chance, hash, remembered, walk } from './noise.ts';
import { LISTINGS, type Listing } from './symbols.ts';

export const FUNDING_INTERVAL = 8 * HOUR;
/** The grid on which screeners look at the market. */
export const SLOT = 5 * MINUTE;

/**
 * A market that can be read at any time (epoch milliseconds UTC); everything a card says comes from here. Prices are
 * in USD, changes in percent, funding is a fraction per interval.
 */
export interface Market {
  readonly listing: Listing;
  price(at: number): number;
  /** Change of the price from `from` to `at`. */
  move(from: number, at: number): number;
  openInterest(at: number): number;
  openInterestMove(from: number, at: number): number;
  /** Turnover of the last 24 hours. */
  turnover(at: number): number;
  /** Turnover above (or below) what is ordinary. */
  turnoverMove(at: number): number;
  /** Settled every eight hours. */
  funding(at: number): number;
}

/** All markets of a seed, BTC first. */
export function createMarkets(seed: number): readonly Market[] {
  const moves = walk({ seed: hash(seed, 1), perDay: 0.022, shortest: 10 * MINUTE, waves: 14, jumpy: true });
  const btc = remembered(moves, SLOT);
  return LISTINGS.map((listing, number) => market(listing, hash(seed, 1000 + number), btc));
}

function market(listing: Listing, seed: number, btc: (at: number) => number): Market {
  // Quiet most of the time, now and then three or four times as lively: alerts come in bursts.
  const activity = (span: number): number => {
    const rare = chance(hash(seed, 7), span) ** 2;
    return 0.7 + 3 * rare * rare * rare * rare;
  };
  const own = walk({
    seed: hash(seed, 1),
    perDay: listing.spread,
    shortest: 10 * MINUTE,
    waves: 14,
    jumpy: true,
    activity,
  });
  const interest = walk({
    seed: hash(seed, 2),
    perDay: 0.05,
    shortest: 20 * MINUTE,
    waves: 8,
    jumpy: true,
    activity,
  });
  const turnover = walk({ seed: hash(seed, 3), perDay: 0.35, shortest: 60 * MINUTE, waves: 5, jumpy: true });
  const rate = walk({ seed: hash(seed, 4), perDay: 0.0003, shortest: FUNDING_INTERVAL, waves: 4, jumpy: true });

  const apart = remembered(own, SLOT);
  const logPrice = (at: number): number => listing.beta * btc(at) + apart(at);
  const logInterest = remembered((at) => interest(at) + 0.5 * apart(at), SLOT);
  const logTurnover = (at: number): number => turnover(at) + 20 * Math.abs(logPrice(at) - logPrice(at - 15 * MINUTE));
  return {
    listing,
    price: (at) => listing.price * Math.exp(logPrice(at)),
    move: (from, at) => 100 * Math.expm1(logPrice(at) - logPrice(from)),
    openInterest: (at) => listing.openInterest * Math.exp(logInterest(at)),
    openInterestMove: (from, at) => 100 * Math.expm1(logInterest(at) - logInterest(from)),
    turnover: (at) => listing.turnover * Math.exp(logTurnover(at)),
    turnoverMove: (at) => 100 * Math.expm1(logTurnover(at)),
    funding: (at) => 0.0001 + rate(Math.floor(at / FUNDING_INTERVAL) * FUNDING_INTERVAL),
  };
}
