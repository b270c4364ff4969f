import { dayNumber } from '../../runtime/units.ts';
import type { CardKey, World } from '../world.ts';
import { detailAt } from './card.ts';
import { dayOfId, type Episode, episodesOf } from './episodes.ts';
import { createMoves } from './moves.ts';
import { remembered } from './noise.ts';
import { SCREENERS, settingsOf } from './screeners.ts';
import { snapshotAt } from './snapshot.ts';

interface MarketWorldOptions {
  readonly seed: number;
  /** Cards in the history at the start. */
  readonly cards: number;
  /** Epoch milliseconds UTC. */
  readonly startedAt: number;
}

/**
 * An invented market whose truth is known: which screeners have an effect on what follows their cards, how large it is,
 * and how far cards of one day share their movement. It is a function of seed and absolute time: worlds of one seed
 * started at different times agree on every card they both hold.
 */
export function createMarketWorld({ seed, cards, startedAt }: MarketWorldOptions): World {
  const moves = createMoves(seed);
  const isSpoken = ({ screener, createdAt }: Episode): boolean =>
    screener.silentFor === undefined || createdAt < startedAt - screener.silentFor;
  const episodesOn = remembered((day) => episodesOf(day, seed).filter(isSpoken));

  /** When the oldest card there is was created. */
  let from = startedAt + 1;
  for (let left = cards, day = dayNumber(startedAt); left > 0 && day >= 0; day--) {
    const latest = episodesOn(day).filter(({ createdAt }) => createdAt <= startedAt);
    from = latest.slice(-left)[0]?.createdAt ?? from;
    left -= latest.length;
  }
  const isThere = ({ createdAt }: Episode, now: number): boolean => createdAt >= from && createdAt <= now;

  return {
    index(now) {
      const keys: CardKey[] = [];
      for (let day = dayNumber(now); day >= dayNumber(from); day--) {
        for (const episode of episodesOn(day).toReversed()) {
          const { id, createdAt, listing, screener } = episode;
          if (isThere(episode, now)) keys.push({ id, createdAt, symbol: listing.symbol, type: screener.type });
        }
      }
      return keys;
    },
    detail(id, now) {
      const episode = episodesOn(dayOfId(id)).find((one) => one.id === id);
      return episode && isThere(episode, now) ? detailAt(episode, moves, now) : undefined;
    },
    screeners: () => settingsOf(SCREENERS),
    snapshot: (now) => snapshotAt(seed, now),
  };
}
