import type { SignalDetail } from '../../api/contract/resources.ts';
import { DAY } from '../../runtime/units.ts';
import { computeStats } from '../stats.ts';
import type { CardKey, World } from '../world.ts';
import { cardAt } from './card.ts';
import { createScan, type Episode } from './episodes.ts';
import { createMarkets, type Market } from './market.ts';
import { detailAt } from './outcome.ts';
import { currentSettings } from './screeners.ts';
import { createSnapshots, type SnapshotState } from './snapshot.ts';

export type { SnapshotState } from './snapshot.ts';

/** Measured: the screeners make at least about this many. */
const CARDS_PER_DAY = 50;

export interface MarketWorldOptions {
  readonly seed: number;
  /** Cards in the history at the start. */
  readonly cards: number;
  /** Epoch milliseconds UTC. */
  readonly startedAt: number;
  readonly snapshot: SnapshotState;
}

export interface MarketWorld extends World {
  /** The prices everything was made from, BTC first. */
  readonly markets: readonly Market[];
}

/**
 * An invented market: prices move first, cards and outcomes follow from them. It is a function of seed and absolute
 * time: worlds of one seed started at different times agree on every card they both hold. Nothing is computed before
 * the first request that needs it.
 */
export function createMarketWorld({ seed, cards, startedAt, snapshot }: MarketWorldOptions): MarketWorld {
  const markets = createMarkets(seed);
  const [btc] = markets as readonly [Market, ...Market[]];
  const snapshots = createSnapshots(seed, snapshot);
  const history = lazily(() => createHistory(markets, seed, cards, startedAt));

  function* details(now: number): Iterable<SignalDetail> {
    for (const { id } of history().index(now)) {
      const episode = history().find(id, now);
      if (episode !== undefined) yield detailAt(episode, btc, now);
    }
  }

  return {
    markets,
    index: (now) => history().index(now),
    card: (id, now) => {
      const episode = history().find(id, now);
      return episode && cardAt(episode, now);
    },
    detail: (id, now) => {
      const episode = history().find(id, now);
      return episode && detailAt(episode, btc, now);
    },
    screeners: currentSettings,
    snapshot: snapshots,
    stats: (type, now) => computeStats(details(now), type, now),
  };
}

/** The episodes since the start of the history, growing with time. */
function createHistory(markets: readonly Market[], seed: number, cards: number, startedAt: number) {
  const { scan, episodes } = oldest(markets, seed, cards, startedAt);
  const byId = new Map(episodes.map((episode) => [episode.id, episode]));
  let index: readonly CardKey[] = [];

  const grow = (now: number): void => {
    for (const episode of scan.advance(now)) {
      episodes.push(episode);
      byId.set(episode.id, episode);
    }
  };

  return {
    index(now: number): readonly CardKey[] {
      grow(now);
      const visible = countUntil(episodes, now);
      if (index.length !== visible) index = episodes.slice(0, visible).map(keyOf).reverse();
      return index;
    },
    find(id: number, now: number): Episode | undefined {
      grow(now);
      const episode = byId.get(id);
      return episode !== undefined && episode.createdAt <= now ? episode : undefined;
    },
  };
}

/** Scans further and further back until there are `cards` of them, and keeps the latest. */
function oldest(markets: readonly Market[], seed: number, cards: number, startedAt: number) {
  for (let days = cards / CARDS_PER_DAY + 0.5; ; days *= 1.5) {
    const scan = createScan(markets, seed, startedAt - days * DAY);
    const found = scan.advance(startedAt);
    const visible = countUntil(found, startedAt);
    if (visible >= cards) return { scan, episodes: found.slice(visible - cards) };
  }
}

/** How many of them, oldest first, were created by `now`. */
function countUntil(episodes: readonly Episode[], now: number): number {
  let count = episodes.length;
  while (count > 0 && (episodes[count - 1]?.createdAt ?? 0) > now) count -= 1;
  return count;
}

function keyOf({ id, createdAt, market, screener }: Episode): CardKey {
  return { id, createdAt, symbol: market.listing.symbol, type: screener.type };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
