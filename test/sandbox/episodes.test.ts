import { describe, expect, it } from 'vitest';
import { createScan, type Episode } from '../../src/sandbox/market/episodes.ts';
import { createMarkets, SLOT } from '../../src/sandbox/market/market.ts';
import { START } from './support.ts';

const HOUR = 3_600_000;
const SEED = 3;

const plain = ({ id, createdAt, repeats, market, screener }: Episode) => ({
  id,
  createdAt,
  repeats,
  symbol: market.listing.symbol,
  type: screener.type,
});
const scanned = (from: number) => createScan(createMarkets(SEED), SEED, from).advance(START).map(plain);

describe('scans', () => {
  it('that start at any hour find the same episodes from there on', () => {
    const whole = scanned(START - 72 * HOUR);
    expect(whole.length).toBeGreaterThan(80);
    for (let hours = 71; hours > 0; hours -= 5) {
      const from = START - hours * HOUR;
      const firstSlot = Math.floor(from / SLOT) * SLOT;
      expect(scanned(from)).toEqual(whole.filter((episode) => episode.createdAt >= firstSlot));
    }
  });

  it('in steps find the same as in one go', () => {
    const stepwise = createScan(createMarkets(SEED), SEED, START - 24 * HOUR);
    const found: Episode[] = [];
    for (let at = START - 24 * HOUR; at < START; at += 7 * 60_000) found.push(...stepwise.advance(at));
    found.push(...stepwise.advance(START));
    expect(found.map(plain)).toEqual(scanned(START - 24 * HOUR));
  });

  it('keep two hours without the condition between two episodes of one market and screener', () => {
    const last = new Map<string, number>();
    for (const { symbol, type, createdAt, repeats } of scanned(START - 72 * HOUR)) {
      const before = last.get(`${symbol} ${type}`);
      if (before !== undefined) expect(createdAt - before).toBeGreaterThan(2 * HOUR - SLOT);
      for (const [i, at] of repeats.entries()) expect(at - (repeats[i - 1] ?? createdAt)).toBeGreaterThan(2 * SLOT);
      last.set(`${symbol} ${type}`, repeats.at(-1) ?? createdAt);
    }
  });
});
