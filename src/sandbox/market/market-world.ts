import { DAY, dayNumber } from '../../runtime/units.ts';
import type { CardKey, World } from '../world.ts';
import { detailAt } from './card.ts';
import { dayOfId, type Episode, episodesOf, measuredBy } from './episodes.ts';
import { createMoves } from './moves.ts';
import { remembered } from './noise.ts';
import { settingsAt, thresholdAt } from './screeners.ts';
import { snapshotAt } from './snapshot.ts';

interface MarketWorldOptions {
  readonly seed: number;
  /** How far back its history goes at the start: so many cards, or until then (epoch milliseconds UTC). */
  readonly history: { readonly cards: number } | { readonly since: number };
  readonly startedAt: number;
}

/**
 * An invented market whose truth is known: which screeners have an effect on what follows their cards, how large it is,
 * and how far cards of one day share their movement. It is a function of seed and absolute time: worlds of one seed
 * started on the same day agree on every card they both hold.
 */
export function createMarketWorld({ seed, history, startedAt }: MarketWorldOptions): World {
  const moves = createMoves(seed);
  const today = dayNumber(startedAt);
  const isRecorded = (episode: Episode): boolean => {
    const { screener, createdAt } = episode;
    const { silentDays } = screener;
    if (silentDays !== undefined && dayNumber(createdAt) >= today - silentDays) return false;
    return measuredBy(episode) >= thresholdAt(screener, createdAt, startedAt);
  };
  const episodesOn = remembered((day) => episodesOf(day, seed).filter(isRecorded));
  const from = 'since' in history ? history.since : oldestOf(history.cards);

  function oldestOf(cards: number): number {
    let oldest = startedAt + 1;
    for (let left = cards, day = today; left > 0 && day >= 0; day--) {
      const latest = episodesOn(day).filter(({ createdAt }) => createdAt <= startedAt);
      oldest = latest.slice(-left)[0]?.createdAt ?? oldest;
      left -= latest.length;
    }
    return oldest;
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
    screeners: (now) => settingsAt(now, startedAt),
    snapshot: (now) => snapshotAt(seed, now),
  };
}

const DEMO_DAYS = 90;

/** When the demo's history begins; both epoch milliseconds UTC. */
export const demoSince = (now: number): number => now - DEMO_DAYS * DAY;

/** The market of `--demo`: its service shows all of it, its history what an export has kept of it. */
export function demoWorld(now: number): World {
  return createMarketWorld({ seed: 7, history: { since: demoSince(now) }, startedAt: now });
}
