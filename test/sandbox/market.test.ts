import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { parseApiTime } from '../../src/api/time.ts';
import type { World } from '../../src/sandbox/world.ts';
import { marketWorld, START } from './support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string): number => parseApiTime(text) ?? Number.NaN;

const detailsOf = (world: World, now = START): SignalDetail[] =>
  world.index(now).map(({ id }) => world.detail(id, now) as SignalDetail);

describe('two worlds of one seed', () => {
  it.each([7 * 60_000, 3 * HOUR, 2 * DAY])('started %i ms apart agree on every card they both hold', (apart) => {
    const later = START + apart;
    const first = marketWorld(5, 300, START);
    const second = marketWorld(5, 300, later);
    const mine = new Map(detailsOf(first, later).map((detail) => [detail.id, detail]));
    const theirs = detailsOf(second, later);
    const oldest = at(theirs.at(-1)?.created_at ?? '');
    const shared = theirs.filter((detail) => mine.has(detail.id));
    expect(shared.length).toBeGreaterThan(100);
    for (const detail of shared) expect(detail).toEqual(mine.get(detail.id));
    const overlap = [...mine.values()].filter((detail) => at(detail.created_at) > oldest);
    expect(overlap.every((detail) => theirs.some((other) => other.id === detail.id))).toBe(true);
  });
});

describe('as time passes', () => {
  it('a horizon is pending until it has passed, to the millisecond', () => {
    const world = marketWorld();
    const { id, createdAt } = world.index(START).find(({ id }) => world.detail(id, START)?.outcome !== null) ?? {
      id: 0,
      createdAt: 0,
    };
    const states = (now: number): (string | undefined)[] => {
      const outcome = world.detail(id, now)?.outcome;
      return [outcome?.state_1h, outcome?.state_24h];
    };
    expect(states(createdAt + HOUR - 1)).toEqual(['pending', 'pending']);
    expect(states(createdAt + HOUR)[0]).not.toBe('pending');
    expect(states(createdAt + DAY - 1)[1]).toBe('pending');
    expect(states(createdAt + DAY)[1]).not.toBe('pending');
  });

  it('an episode that goes on repeats: count and facts change, id and entry do not', () => {
    const world = marketWorld();
    const repeated = detailsOf(world).filter((detail) => detail.repeat_count > 1);
    expect(repeated.length).toBeGreaterThan(10);
    for (const detail of repeated) {
      const early = world.detail(detail.id, at(detail.created_at));
      expect(early).toMatchObject({ id: detail.id, repeat_count: 0, last_seen_at: null });
      expect(at(detail.last_seen_at ?? '')).toBeGreaterThan(at(detail.created_at));
      expect(early?.fact_price_pct === detail.fact_price_pct && early?.fact_oi_usd === detail.fact_oi_usd).toBe(
        detail.fact_window_min === null && detail.fact_oi_usd === null,
      );
    }
  });
});

describe('cards', () => {
  const world = marketWorld();
  const all = detailsOf(world);

  it('numbers at the trigger meet the setting that let the card through, in its unit', () => {
    const settings = new Map(world.screeners(START).items.map(({ type, conditions }) => [type, conditions]));
    const ofContext: Record<string, string> = { oi_growth: 'oi_change_pct', funding_extreme: 'funding' };
    for (const [type, key] of Object.entries(ofContext)) {
      const [{ value = 0 } = {}] = (settings.get(type)?.parts ?? []) as { value?: number }[];
      const numbers = all.flatMap((card) => (card.source_bot_type === type ? (card.entry_context[key] ?? []) : []));
      expect(numbers.length, type).toBeGreaterThan(20);
      expect(Math.min(...numbers.map((number) => Math.abs(Number(number)))), type).toBeGreaterThanOrEqual(value);
    }
  });

  it('has every state, and nulls wherever the document allows one', () => {
    const outcomes = all.flatMap(({ outcome }) => outcome ?? []);
    for (const state of ['pending', 'missing', 'available']) {
      expect(outcomes.some((outcome) => outcome.state_24h === state)).toBe(true);
    }
    expect(outcomes.some((outcome) => outcome.state_1h === 'missing')).toBe(true);
    expect(all.some((detail) => detail.outcome === null)).toBe(true);
    expect(all.some((detail) => Object.keys(detail.entry_context).length === 0)).toBe(true);
    expect(outcomes.some((outcome) => outcome.move_24h_pct !== null && outcome.btc_move_24h_pct === null)).toBe(true);
    const nullable = Object.keys(all[0] ?? {}).filter((key) => key.startsWith('fact_') && key !== 'facts_scope');
    expect(nullable).toHaveLength(7);
    for (const key of [...nullable, 'last_seen_at']) {
      expect([key, all.some((detail) => detail[key] === null), all.some((detail) => detail[key] !== null)]).toEqual([
        key,
        true,
        true,
      ]);
    }
  });
});
