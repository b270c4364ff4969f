/** What the invented market knows of itself, and the figures are there to find. */
import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import { START } from './support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CHANGE = Math.floor(START / DAY) * DAY - 45 * DAY;

interface Row {
  readonly at: number;
  readonly type: string;
  readonly symbol: string;
  readonly context: Record<string, unknown>;
  /** Movement beyond BTC's after 24 h, percentage points. */
  readonly beyond: number;
}

/** All cards measured after 24 h in a market of 300 days before the start. */
function rows(seed: number): Row[] {
  const world = createMarketWorld({ seed, history: { since: START - 300 * DAY }, startedAt: START });
  return world.index(START).flatMap(({ id, createdAt: at, symbol, type }) => {
    const { outcome, entry_context: context } = world.detail(id, START + DAY) as SignalDetail;
    const { move_24h_pct: move, btc_move_24h_pct: btc } = outcome ?? {};
    if (typeof move !== 'number' || typeof btc !== 'number') return [];
    return [{ at, type, symbol, context, beyond: move - btc }];
  });
}

const all = [1, 2, 3].flatMap(rows);
const cards = all.filter(({ symbol }) => symbol !== 'BTCUSDT');
const dayOf = ({ at }: Row): number => Math.floor(at / DAY);
function days(given: readonly Row[]): Row[][] {
  const byDay = new Map<number, Row[]>();
  for (const row of given) byDay.set(dayOf(row), [...(byDay.get(dayOf(row)) ?? []), row]);
  return [...byDay.values()];
}
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
/** Each card less its day's median. */
const cleaned = days(rows(1)).flatMap((its) => {
  const middle = median(its.map(({ beyond }) => beyond));
  return its.map((row) => ({ ...row, y: row.beyond - middle }));
});

it('a share of all cards is BTC’s own, and these do nothing beyond BTC', () => {
  const own = all.filter(({ symbol }) => symbol === 'BTCUSDT');
  expect(own.length / all.length).toBeGreaterThan(0.01);
  expect(new Set(own.map(({ beyond }) => beyond))).toEqual(new Set([0]));
});

it.each([
  ['oi_growth', 1.8],
  ['price_spike', 0.3],
  ['volume_burst', 0.3],
  ['funding_extreme', -1.6],
])('%s moves by %f since the settings changed', (type, effect) => {
  const its = cards.filter((row) => row.type === type && row.at >= CHANGE - (type === 'price_spike' ? 0 : 1000 * DAY));
  expect(Math.abs(median(its.map(({ beyond }) => beyond)) - effect)).toBeLessThan(0.5);
});

describe('the change of settings', () => {
  const spikes = cards.filter(({ type }) => type === 'price_spike');
  const [before, after] = [spikes.filter(({ at }) => at < CHANGE), spikes.filter(({ at }) => at >= CHANGE)];

  it('leaves fewer cards, and better ones', () => {
    expect(after.length / 45 / (before.length / 255)).toBeLessThan(0.7);
    const gain = median(after.map(({ beyond }) => beyond)) - median(before.map(({ beyond }) => beyond));
    expect(gain).toBeGreaterThan(0.9);
  });

  it('is what the screeners say of themselves', () => {
    const world = createMarketWorld({ seed: 1, history: { cards: 1 }, startedAt: START });
    const [earlier, later] = [CHANGE - 1, CHANGE].map((at) => world.screeners(at).items);
    const differing = later?.filter((item, i) => JSON.stringify(item) !== JSON.stringify(earlier?.[i]));
    expect(differing?.map(({ type }) => type)).toEqual(['price_spike']);
  });
});

describe('the entry context', () => {
  /** Of a key with y within a type. */
  function correlation(type: string, key: string): number {
    const its = cleaned.filter((row) => row.type === type && row.context[key] !== undefined);
    const x = ranks(its.map(({ context }) => Number(context[key])));
    const y = ranks(its.map((row) => row.y));
    const middle = (its.length - 1) / 2;
    const sum = (one: number[], two: number[]) =>
      one.reduce((total, value, i) => total + (value - middle) * ((two[i] ?? 0) - middle), 0);
    return sum(x, y) / Math.sqrt(sum(x, x) * sum(y, y));
  }
  const ranks = (values: number[]): number[] => {
    const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
    const rank = Array<number>(values.length).fill(0);
    order.forEach((at, i) => {
      rank[at] = i;
    });
    return rank;
  };

  it('tells good cards of one type by one key, and nothing else by any', () => {
    expect(correlation('oi_growth', 'oi_change_pct')).toBeGreaterThan(0.3);
    for (const type of ['price_spike', 'volume_burst']) {
      expect(Math.abs(correlation(type, 'oi_change_pct'))).toBeLessThan(0.07);
    }
    for (const key of ['funding', 'volume_24h_usd', 'price_change_24h_pct']) {
      expect(Math.abs(correlation('oi_growth', key)), key).toBeLessThan(0.07);
    }
  });

  it('has a key that is equal for all cards of a day, and one of both signs', () => {
    for (const its of days(rows(1))) {
      expect(new Set(its.flatMap(({ context }) => context.market_rsi_1d ?? [])).size).toBeLessThan(2);
    }
    const signs = cards.flatMap(({ context }) => Math.sign(Number(context.price_change_24h_pct ?? 0)));
    expect(signs.filter((sign) => sign > 0).length).toBeGreaterThan(0.4 * signs.length);
    expect(signs.filter((sign) => sign < 0).length).toBeGreaterThan(0.4 * signs.length);
  });
});

it('cards of one hour share a part of their movement, those a day apart none', () => {
  const plain = rows(1).filter(({ type, symbol }) => type === 'volume_burst' && symbol !== 'BTCUSDT');
  const mean = plain.reduce((sum, { beyond }) => sum + beyond, 0) / plain.length;
  const shared = (from: number, to: number): number => {
    const products = plain.flatMap((a, i) =>
      plain
        .slice(i + 1, i + 40)
        .filter((b) => a.at - b.at >= from * HOUR && a.at - b.at < to * HOUR)
        .map((b) => (a.beyond - mean) * (b.beyond - mean)),
    );
    return products.reduce((sum, one) => sum + one, 0) / products.length;
  };
  const variance = plain.reduce((sum, { beyond }) => sum + (beyond - mean) ** 2, 0) / plain.length;
  expect(shared(0, 2) / variance).toBeGreaterThan(0.2);
  expect(Math.abs(shared(25, 40) / variance)).toBeLessThan(0.08);
});

it('a screener that fell silent has had cards before, and is still switched on', () => {
  const times = rows(1).flatMap(({ type, at }) => (type === 'breakout' ? [at] : []));
  expect(times.length).toBeGreaterThan(100);
  expect(START - Math.max(...times)).toBeGreaterThan(20 * DAY);
});
