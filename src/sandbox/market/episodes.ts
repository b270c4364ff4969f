import { type Market, SLOT } from './market.ts';
import { hash } from './noise.ts';
import { QUIET_MINUTES, SCREENERS, type Screener } from './screeners.ts';

/** An episode ends when its condition did not hold for two hours. */
const GAP_SLOTS = 24;
const QUIET_SLOTS = QUIET_MINUTES / 5;

/** A card in the making: the first notification and the repeats of the same market and screener that followed. */
export interface Episode {
  readonly id: number;
  readonly market: Market;
  readonly screener: Screener;
  /** Epoch milliseconds UTC. */
  readonly createdAt: number;
  /** When it notified again, oldest first; grows while the episode lasts. */
  readonly repeats: number[];
}

/**
 * Finds episodes on a grid of five minutes, in order of time. Whether a slot begins an episode depends on the two hours
 * before it alone, so scans that start at different times agree on everything later than that; ids come from slot,
 * market and screener for the same reason.
 */
export function createScan(markets: readonly Market[], seed: number, from: number) {
  const watches = markets.flatMap((market, number) =>
    SCREENERS.map((screener, kind) => ({
      market,
      screener,
      number,
      kind,
      lastHeld: Number.NEGATIVE_INFINITY,
      lastSent: Number.NEGATIVE_INFINITY,
      episode: undefined as Episode | undefined,
    })),
  );
  const first = Math.floor(from / SLOT);
  let next = first - GAP_SLOTS;

  const visit = (slot: number): Episode[] => {
    const begun: Episode[] = [];
    for (const watch of watches) {
      if (!watch.screener.holds(watch.market, slot * SLOT)) continue;
      const place = placeIn(slot, watch.number, markets.length, seed);
      if (slot - watch.lastHeld > GAP_SLOTS) {
        const id = (slot * 64 + place.rank) * 8 + watch.kind;
        const { market, screener } = watch;
        watch.episode = { id, market, screener, createdAt: place.at, repeats: [] };
        watch.lastSent = slot;
        if (slot >= first) begun.push(watch.episode);
      } else if (slot - watch.lastSent >= QUIET_SLOTS) {
        watch.episode?.repeats.push(place.at);
        watch.lastSent = slot;
      }
      watch.lastHeld = slot;
    }
    return begun.sort((a, b) => a.id - b.id);
  };

  return {
    /** @returns the episodes begun since the last call, up to `until`, oldest first */
    advance(until: number): Episode[] {
      const begun: Episode[] = [];
      for (const end = Math.floor(until / SLOT); next <= end; next++) begun.push(...visit(next));
      return begun;
    },
  };
}

/**
 * When within a slot a market's notification goes out. Markets take turns in an order of the slot's own, a few seconds
 * apart, so that ids increase with time; two screeners of one market notify in the same second, as happens.
 */
function placeIn(slot: number, market: number, markets: number, seed: number): { rank: number; at: number } {
  const rank = (market * 7 + (hash(seed, slot) % markets)) % markets;
  const step = Math.floor(SLOT / 1000 / markets);
  const second = rank * step + (hash(hash(seed, slot), rank) % step);
  return { rank, at: slot * SLOT + second * 1000 };
}
