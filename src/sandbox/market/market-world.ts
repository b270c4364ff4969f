/** The world of the invented market: the sandbox serves it, and the demo shows it. */
import type { MarketSnapshot } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { oncePerKey } from '../../base/collections.ts';
import { DAY, dayNumber, MINUTE } from '../../base/units.ts';
import type { World } from '../world.ts';
import { detailAt, lastChangeOf } from './card.ts';
import { dayOfId, type Episode, episodesOf } from './episodes.ts';
import { chance, createMoves, hash } from './noise.ts';
import { settingsAt, thresholdAt } from './screeners.ts';

/** How far back the cards go at the start: a number of cards, or a time (epoch milliseconds UTC). */
type HistoryLength = { readonly cards: number } | { readonly since: number };

/**
 * An invented market whose truth is known: which screeners have an effect on what follows their cards, how large it is,
 * and how much cards of one day have in common. It depends on nothing but the seed and the time: two worlds of one seed
 * that are started on the same day agree on every card that both have.
 * @param startedAt epoch milliseconds UTC
 * @param shiftDays how many days later the whole market is shown. The demo needs it to show the same market every day.
 */
export function createMarketWorld(
  seed: number,
  startedAt: number,
  history: HistoryLength,
  shiftDays = 0,
): World {
  const moves = createMoves(seed, shiftDays);
  const today = dayNumber(startedAt);
  /** Whether the screener let the card through: it was not silent, and the number was beyond its threshold of that time. */
  const isRecorded = ({ screener, createdAt, measured }: Episode): boolean => {
    const { silentDays } = screener;
    const isSilent = silentDays !== undefined && dayNumber(createdAt) >= today - silentDays;
    return !isSilent && measured >= thresholdAt(screener, createdAt, startedAt);
  };
  const episodesOn = oncePerKey((day: number) =>
    episodesOf(day - shiftDays, seed, shiftDays).filter(isRecorded),
  );
  const from = 'since' in history ? history.since : timeOfOldest(history.cards);

  /** When the oldest card was recorded, if the market begins with this many cards. */
  function timeOfOldest(cards: number): number {
    const latest: Episode[] = [];
    for (let day = today; latest.length < cards; day--) {
      latest.push(...episodesOn(day).filter(({ createdAt }) => createdAt <= startedAt));
    }
    return latest[cards - 1]?.createdAt ?? startedAt + 1;
  }
  const exists = ({ createdAt }: Episode, now: number): boolean =>
    createdAt >= from && createdAt <= now;

  const detailOf = (episode: Episode, now: number) =>
    detailAt(episode, moves, moodAt(seed, dayOfId(episode.id) * DAY), now);
  /** Details that change no more. They are kept, since later lists and statistics read the same ones again. */
  const finalDetailOf = oncePerKey((episode: Episode) => detailOf(episode, lastChangeOf(episode)));

  return {
    index(now) {
      const days = Array.from(
        { length: dayNumber(now) - dayNumber(from) + 1 },
        (_, ago) => dayNumber(now) - ago,
      );
      return days.flatMap((day) => episodesOn(day).filter((episode) => exists(episode, now)));
    },
    detail(id, now) {
      const episode = episodesOn(dayOfId(id) + shiftDays).find((candidate) => candidate.id === id);
      if (episode === undefined || !exists(episode, now)) return undefined;
      return now < lastChangeOf(episode) ? detailOf(episode, now) : finalDetailOf(episode);
    },
    screeners: (now) => settingsAt(now, startedAt),
    snapshot: (now) => snapshotAt(seed, now),
  };
}

/** When the demo's history begins: at midnight, 90 days before `now`. Both are epoch milliseconds UTC. */
export const demoSince = (now: number): number => (dayNumber(now) - 90) * DAY;

/** The demo shows the market of this day every day, because its notebook was made for that market. Days since 1970. */
export const DEMO_DAY = dayNumber(Date.UTC(2026, 10, 20));

const DEMO_SEED = 2;

/** The market of `--demo`. The demo's service has all of it. The demo's history has what exports have kept of it. */
export function demoWorld(now: number): World {
  return demoWorldOf(dayNumber(now));
}

/** The market of a day (days since 1970), made once: the demo's service and its history share it. */
const demoWorldOf = oncePerKey((today: number): World => {
  const midnight = today * DAY;
  return createMarketWorld(DEMO_SEED, midnight, { since: demoSince(midnight) }, today - DEMO_DAY);
});

/** Milliseconds from one snapshot to the next. */
const SNAPSHOT_INTERVAL = 5 * MINUTE;

/** The market as a whole. @param now epoch milliseconds UTC */
export function snapshotAt(seed: number, now: number): MarketSnapshot {
  const at = Math.floor(now / SNAPSHOT_INTERVAL) * SNAPSHOT_INTERVAL;
  const sample = 320;
  const mood = moodAt(seed, at);
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

/** The market's mood, -1 to 1: it rises and falls over weeks, and is a little uneven. @param at epoch milliseconds UTC */
function moodAt(seed: number, at: number): number {
  const wave = Math.sin(at / (4 * DAY) + seed);
  const unevenness = chance(hash(seed, MOOD_STREAM), Math.floor(at / SNAPSHOT_INTERVAL));
  return wave * (0.7 + 0.3 * unevenness);
}

/** A stream of draws that does not depend on others. */
const MOOD_STREAM = 50;
