import { DAY, dayNumber } from '../../runtime/units.ts';
import type { World } from '../world.ts';
import { detailAt } from './card.ts';
import { dayOfId, type Episode, episodesOf, measuredBy } from './episodes.ts';
import { createMoves } from './moves.ts';
import { remembered } from './noise.ts';
import { settingsAt, thresholdAt } from './screeners.ts';
import { moodAt, snapshotAt } from './snapshot.ts';

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
    if (dayNumber(createdAt) >= today - (screener.silentDays ?? Number.NEGATIVE_INFINITY)) return false;
    return measuredBy(episode) >= thresholdAt(screener, createdAt, startedAt);
  };
  const episodesOn = remembered((day) => episodesOf(day, seed).filter(isRecorded));
  const from = 'since' in history ? history.since : oldestOf(history.cards);

  function oldestOf(cards: number): number {
    const latest: Episode[] = [];
    for (let day = today; latest.length < cards; day--) {
      latest.push(...episodesOn(day).filter(({ createdAt }) => createdAt <= startedAt));
    }
    return latest[cards - 1]?.createdAt ?? startedAt + 1;
  }
  const isThere = ({ createdAt }: Episode, now: number): boolean => createdAt >= from && createdAt <= now;

  return {
    index(now) {
      const days = Array.from({ length: dayNumber(now) - dayNumber(from) + 1 }, (_, ago) => dayNumber(now) - ago);
      return days.flatMap((day) => episodesOn(day).filter((episode) => isThere(episode, now)));
    },
    detail(id, now) {
      const episode = episodesOn(dayOfId(id)).find((one) => one.id === id);
      if (episode === undefined || !isThere(episode, now)) return undefined;
      return detailAt(episode, moves, moodAt(seed, dayNumber(episode.createdAt) * DAY), now);
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
  return createMarketWorld({ seed: 2, history: { since: demoSince(now) }, startedAt: now });
}
