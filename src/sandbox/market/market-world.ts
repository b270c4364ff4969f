import type { SignalDetail } from '../../api/contract/resources.ts';
import { DAY } from '../../runtime/units.ts';
import { computeStats } from '../stats.ts';
import type { World } from '../world.ts';
import { cardAt, detailAt } from './card.ts';
import { dayOfId, type Episode, episodesOf } from './episodes.ts';
import { createMoves } from './moves.ts';
import { SCREENERS, type Screener, settingsOf } from './screeners.ts';
import { type SnapshotState, snapshotAt } from './snapshot.ts';

export interface MarketWorldOptions {
  readonly seed: number;
  /** Cards in the history at the start. */
  readonly cards: number;
  /** Epoch milliseconds UTC. */
  readonly startedAt: number;
  readonly snapshot?: SnapshotState;
  /** On average, about; at most 999 on any day. */
  readonly cardsPerDay?: number;
  /** Of movements beyond BTC's, among cards of one day: see `createMoves`. */
  readonly correlation?: number;
  /** Each with its true effect. */
  readonly screeners?: readonly Screener[];
}

/**
 * An invented market whose truth is known: which screeners have an effect on what follows their cards, how large it is,
 * and how far cards of one day share their movement. It is a function of seed and absolute time: worlds of one seed
 * started at different times agree on every card they both hold.
 */
export function createMarketWorld(options: MarketWorldOptions): World {
  const { seed, cards, startedAt, snapshot = 'fresh' } = options;
  const { cardsPerDay = 30, correlation = 0.3, screeners = SCREENERS } = options;
  const moves = createMoves(seed, correlation);
  const days = new Map<number, readonly Episode[]>();
  let from: number | undefined;

  const isSpoken = ({ screener, createdAt }: Episode): boolean =>
    screener.silentFor === undefined || createdAt < startedAt - screener.silentFor;

  const episodesOn = (day: number): readonly Episode[] => {
    const episodes = days.get(day) ?? episodesOf(day, seed, cardsPerDay, screeners).filter(isSpoken);
    days.set(day, episodes);
    return episodes;
  };

  /** Newest first, from `now` back to the beginning of time. */
  function* backFrom(now: number): Iterable<Episode> {
    for (let day = Math.floor(now / DAY); day >= 0; day--) {
      for (const episode of episodesOn(day).toReversed()) if (episode.createdAt <= now) yield episode;
    }
  }

  /** Of the oldest card there is. */
  const start = (): number => {
    if (from !== undefined) return from;
    from = startedAt + 1;
    let left = cards;
    for (const { createdAt } of backFrom(startedAt)) {
      if (left === 0) break;
      from = createdAt;
      left -= 1;
    }
    return from;
  };

  function* episodes(now: number): Iterable<Episode> {
    for (const episode of backFrom(now)) {
      if (episode.createdAt < start()) return;
      yield episode;
    }
  }

  const find = (id: number, now: number): Episode | undefined => {
    const day = dayOfId(id);
    const episode = day > now / DAY ? undefined : episodesOn(day).find((one) => one.id === id);
    return episode !== undefined && episode.createdAt >= start() && episode.createdAt <= now ? episode : undefined;
  };

  function* details(now: number): Iterable<SignalDetail> {
    for (const episode of episodes(now)) yield detailAt(episode, moves, now);
  }

  return {
    index: (now) =>
      [...episodes(now)].map(({ id, createdAt, listing, screener }) => {
        return { id, createdAt, symbol: listing.symbol, type: screener.type };
      }),
    card: (id, now) => {
      const episode = find(id, now);
      return episode && cardAt(episode, now);
    },
    detail: (id, now) => {
      const episode = find(id, now);
      return episode && detailAt(episode, moves, now);
    },
    screeners: () => settingsOf(screeners),
    snapshot: (now) => snapshotAt(seed, snapshot, now),
    stats: (type, now) => computeStats(details(now), type, now),
  };
}
