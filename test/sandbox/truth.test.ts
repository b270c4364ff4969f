import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import { SCREENERS } from '../../src/sandbox/market/screeners.ts';
import { START } from './support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 400;

interface Row {
  readonly at: number;
  readonly type: string;
  /** Movement beyond BTC's, percentage points. */
  readonly beyond: Record<'1h' | '24h', number | undefined>;
}

/** All cards with an outcome of a market of 400 days, BTC's own left out. */
function rows(seed: number): Row[] {
  const world = createMarketWorld({ seed, cards: DAYS * 30, startedAt: START });
  return world.index(START).flatMap(({ id, createdAt: at, symbol, type }) => {
    const { outcome } = world.detail(id, START + DAY) as SignalDetail;
    if (outcome === null || symbol === 'BTCUSDT') return [];
    const less = (a: number | null, b: number | null) => (a === null || b === null ? undefined : a - b);
    const beyond = {
      '1h': less(outcome.move_1h_pct, outcome.btc_move_1h_pct),
      '24h': less(outcome.move_24h_pct, outcome.btc_move_24h_pct),
    };
    return [{ at, type, beyond }];
  });
}

/** Of the pairs that `belongs` names, among cards at most two days apart. */
function correlationOf(all: readonly Row[], horizon: '1h' | '24h', belongs: (a: Row, b: Row) => boolean): number {
  const known = all.filter(({ beyond }) => beyond[horizon] !== undefined);
  const values = known.map(({ beyond }) => beyond[horizon] ?? 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  let sum = 0;
  let pairs = 0;
  for (const [i, a] of known.entries()) {
    for (let j = i + 1; j < known.length; j++) {
      const b = known[j] as Row;
      if (a.at - b.at > 2 * DAY) break;
      if (!belongs(a, b)) continue;
      sum += ((values[i] ?? 0) - mean) * ((values[j] ?? 0) - mean);
      pairs += 1;
    }
  }
  return sum / pairs / variance;
}

const dayOf = ({ at }: Row): number => Math.floor(at / DAY);
const sameDay = (a: Row, b: Row): boolean => dayOf(a) === dayOf(b);
const apart = (hours: number) => (a: Row, b: Row) =>
  Math.abs(Math.floor(a.at / HOUR) - Math.floor(b.at / HOUR)) === hours;
const near = (value: number, expected: number): void => expect(Math.abs(value - expected)).toBeLessThan(0.05);

describe('cards of one day share a movement, with correlation 0.3', () => {
  const placebos = SCREENERS.flatMap(({ type, effect }) => (effect['24h'] === 0 ? [type] : []));
  const all = rows(1).filter(({ type }) => placebos.includes(type));

  it('at 1 h within a UTC day, not across', () => {
    near(correlationOf(all, '1h', sameDay), 0.3);
    near(
      correlationOf(all, '1h', (a, b) => !sameDay(a, b)),
      0,
    );
  });

  it('at 24 h as far as their windows overlap, also across midnight', () => {
    near(correlationOf(all, '24h', apart(0)), 0.3);
    near(correlationOf(all, '24h', apart(12)), 0.15);
    near(
      correlationOf(all, '24h', (a, b) => apart(12)(a, b) && !sameDay(a, b)),
      0.15,
    );
    near(correlationOf(all, '24h', apart(24)), 0);
  });
});

describe('effects', () => {
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  const all = [1, 2, 3].flatMap(rows);

  it.each(SCREENERS)('of $type is $effect', ({ type, effect }) => {
    for (const horizon of ['1h', '24h'] as const) {
      const beyond = all.flatMap((row) => (row.type === type ? (row.beyond[horizon] ?? []) : []));
      expect(beyond.length).toBeGreaterThan(1000);
      // Three standard errors of a median under this correlation and number of days.
      expect(Math.abs(median(beyond) - effect[horizon])).toBeLessThan(horizon === '1h' ? 0.1 : 0.4);
    }
  });
});

it('BTC moves the same for cards of one hour, and BTC’s own cards move with it', () => {
  const world = createMarketWorld({ seed: 1, cards: 3000, startedAt: START });
  const hours = new Map<number, number>();
  let compared = 0;
  for (const { id, createdAt, symbol } of world.index(START)) {
    const { outcome } = world.detail(id, START + DAY) as SignalDetail;
    const btc = outcome?.btc_move_24h_pct ?? null;
    if (btc === null) continue;
    const hour = Math.floor(createdAt / HOUR);
    if (hours.has(hour)) compared += 1;
    expect(hours.get(hour) ?? btc).toBe(btc);
    hours.set(hour, btc);
    if (symbol === 'BTCUSDT') expect(outcome?.move_24h_pct).toBe(btc);
  }
  expect(compared).toBeGreaterThan(500);
});

it('a screener that fell silent has cards before, and none since', () => {
  const world = createMarketWorld({ seed: 1, cards: 2000, startedAt: START });
  const times = world.index(START).flatMap(({ type, createdAt }) => (type === 'breakout' ? [createdAt] : []));
  expect(times.length).toBeGreaterThan(50);
  expect(START - Math.max(...times)).toBeGreaterThan(20 * DAY);
  expect(world.screeners(START).items).toContainEqual(expect.objectContaining({ type: 'breakout', active: true }));
});
