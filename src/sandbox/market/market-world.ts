import type { MarketSnapshot } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { oncePerKey } from '../../base/collections.ts';
import { DAY, dayNumber, MINUTE } from '../../base/units.ts';
import type { World } from '../world.ts';
import { detailAt, lastChangeOf } from './card.ts';
import { dayOfId, type Episode, episodesOf } from './episodes.ts';
import { chance, createMoves, hash } from './noise.ts';
import { settingsAt, thresholdAt } from './screeners.ts';

/** How far back its history goes at the start: so many cards, or until then (epoch milliseconds UTC). */
type Begin = { readonly cards: number } | { readonly since: number };

/**
 * An invented market whose truth is known: which screeners have an effect on what follows their cards, how large it is,
 * and how far cards of one day share their movement. It is a function of seed and absolute time: worlds of one seed
 * started on the same day agree on every card they both hold. @param later days by which all happens later than drawn
 */
export function createMarketWorld(
  seed: number,
  startedAt: number,
  history: Begin,
  later = 0,
): World {
  const moves = createMoves(seed, later);
  const today = dayNumber(startedAt);
  const isRecorded = ({ screener, createdAt, measured }: Episode): boolean =>
    dayNumber(createdAt) < today - (screener.silentDays ?? Number.NEGATIVE_INFINITY) &&
    measured >= thresholdAt(screener, createdAt, startedAt);
  const episodesOn = oncePerKey((day: number) =>
    episodesOf(day - later, seed, later).filter(isRecorded),
  );
  const from = 'since' in history ? history.since : oldestOf(history.cards);

  function oldestOf(cards: number): number {
    const latest: Episode[] = [];
    for (let day = today; latest.length < cards; day--) {
      latest.push(...episodesOn(day).filter(({ createdAt }) => createdAt <= startedAt));
    }
    return latest[cards - 1]?.createdAt ?? startedAt + 1;
  }
  const isThere = ({ createdAt }: Episode, now: number): boolean =>
    createdAt >= from && createdAt <= now;

  const detailOf = (episode: Episode, now: number) =>
    detailAt(episode, moves, moodAt(seed, dayOfId(episode.id) * DAY), now);
  /** Cards that change no more: statistics of the service, and later lists, read the same ones again. */
  const finalDetailOf = oncePerKey((episode: Episode) => detailOf(episode, lastChangeOf(episode)));

  return {
    index(now) {
      const days = Array.from(
        { length: dayNumber(now) - dayNumber(from) + 1 },
        (_, ago) => dayNumber(now) - ago,
      );
      return days.flatMap((day) => episodesOn(day).filter((episode) => isThere(episode, now)));
    },
    detail(id, now) {
      const episode = episodesOn(dayOfId(id) + later).find((one) => one.id === id);
      if (episode === undefined || !isThere(episode, now)) return undefined;
      return now < lastChangeOf(episode) ? detailOf(episode, now) : finalDetailOf(episode);
    },
    screeners: (now) => settingsAt(now, startedAt),
    snapshot: (now) => snapshotAt(seed, now),
  };
}

/** When the demo's history begins, at midnight; both epoch milliseconds UTC. */
export const demoSince = (now: number): number => (dayNumber(now) - 90) * DAY;

/** The day whose market the demo has every day, so that its notebook holds. */
export const DEMO_DAY = dayNumber(Date.UTC(2026, 10, 20));

/** The market of `--demo`: its service shows all of it, its history what an export has kept of it. */
export function demoWorld(now: number): World {
  return createMarketWorld(2, now, { since: demoSince(now) }, dayNumber(now) - DEMO_DAY);
}

const EVERY = 5 * MINUTE;

export function snapshotAt(seed: number, now: number): MarketSnapshot {
  const at = Math.floor(now / EVERY) * EVERY;
  const [sample, mood] = [320, moodAt(seed, at)];
  return {
    scope: 'platform',
    timeframe: 'day',
    sample,
    sample_limited: false,
    oversold_count: Math.round(sample * (0.16 - 0.14 * mood)),
    overbought_count: Math.round(sample * (0.14 + 0.12 * mood)),
    computed_at: formatApiTime(at),
    source_stale: false,
    generated_at: formatApiTime(Math.floor(now / MINUTE) * MINUTE),
    stale: false,
    source: 'https://screener.example/market',
  };
}

const moodAt = (seed: number, at: number): number =>
  Math.sin(at / (4 * DAY) + seed) * (0.7 + 0.3 * chance(hash(seed, 50), Math.floor(at / EVERY)));
