import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { DAY, HOUR } from '../../src/runtime/units.ts';
import type { World } from '../../src/sandbox/world.ts';
import { marketWorld, START } from './support.ts';

const detailsOf = (world: World, now = START): SignalDetail[] =>
  world.index(now).map(({ id }) => world.detail(id, now) as SignalDetail);

it.each([7 * 60_000, 2 * DAY])(
  'worlds of one seed started %i ms apart agree on every card they both hold',
  (apart) => {
    const later = START + apart;
    const first = new Map(
      detailsOf(marketWorld(5, 300, START), later).map((detail) => [detail.id, detail]),
    );
    const second = detailsOf(marketWorld(5, 300, later), later);
    const shared = second.filter(({ id }) => first.has(id));
    expect(shared.length).toBeGreaterThan(100);
    expect(shared).toEqual(shared.map(({ id }) => first.get(id)));
  },
);

describe('as time passes', () => {
  const world = marketWorld();

  it('a horizon is pending until it has passed, to the millisecond', () => {
    const [card] = world.index(START).filter(({ id }) => world.detail(id, START)?.outcome !== null);
    const { id = 0, createdAt = 0 } = card ?? {};
    const pending = [HOUR - 1, HOUR, DAY - 1, DAY].map((age) => {
      const outcome = world.detail(id, createdAt + age)?.outcome;
      return [outcome?.state_1h, outcome?.state_24h].filter((state) => state === 'pending').length;
    });
    expect(pending).toEqual([2, 1, 1, 0]);
  });

  it('an episode that goes on repeats: count and facts change, id and entry do not', () => {
    const repeated = detailsOf(world).filter((detail) => detail.repeat_count > 1);
    expect(repeated.length).toBeGreaterThan(10);
    for (const { id, created_at, last_seen_at, fact_volume_usd, entry_context } of repeated) {
      const early = world.detail(id, Date.parse(created_at));
      expect(early).toMatchObject({ id, repeat_count: 0, last_seen_at: null, entry_context });
      expect(Date.parse(last_seen_at ?? ''), created_at).toBeGreaterThan(Date.parse(created_at));
      expect(early?.fact_volume_usd === fact_volume_usd).toBe(fact_volume_usd === null);
    }
  });
});

describe('cards', () => {
  const world = marketWorld();
  const all = detailsOf(world);

  it('numbers at the trigger meet the setting that let the card through, in its unit', () => {
    const settings = new Map(
      world.screeners(START).items.map(({ type, conditions }) => [type, conditions]),
    );
    for (const [type, key] of Object.entries({
      oi_growth: 'oi_change_pct',
      funding_extreme: 'funding',
    })) {
      const value = Number(/[\d.]+/.exec(JSON.stringify(settings.get(type)))?.[0]);
      const numbers = all.flatMap((card) =>
        card.source_bot_type === type ? (card.entry_context[key] ?? []) : [],
      );
      expect(numbers.length, type).toBeGreaterThan(20);
      expect(
        Math.min(...numbers.map((number) => Math.abs(Number(number)))),
        type,
      ).toBeGreaterThanOrEqual(value);
    }
  });

  it('types have conditions of three shapes', () => {
    const shapes = world
      .screeners(START)
      .items.map(({ conditions }) => Object.values(conditions).map((one) => typeof one));
    expect(new Set(shapes.map(String)).size).toBe(3);
  });

  it('has every state, and a null wherever the document allows one', () => {
    const outcomes = all.flatMap(({ outcome }) => outcome ?? []);
    expect(new Set(outcomes.map(({ state_24h }) => state_24h))).toEqual(
      new Set(['pending', 'missing', 'available']),
    );
    expect(outcomes.some((one) => one.move_24h_pct !== null && one.btc_move_24h_pct === null)).toBe(
      true,
    );
    expect(all.some(({ entry_context }) => Object.keys(entry_context).length === 0)).toBe(true);
    const facts = Object.keys(all[0] ?? {}).filter((key) => key.startsWith('fact_'));
    for (const key of [...facts, 'last_seen_at', 'outcome']) {
      const nulls = all.filter((detail) => detail[key as keyof SignalDetail] === null).length;
      expect(nulls > 0 && nulls < all.length, key).toBe(true);
    }
  });
});
