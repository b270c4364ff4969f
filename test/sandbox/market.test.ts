import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import { DEMO_DAY, demoWorld } from '../../src/sandbox/market/market-world.ts';
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
    expect(shared.length, 'how many cards both worlds have').toBeGreaterThan(100);
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
    expect(repeated.length, 'how many cards were repeated').toBeGreaterThan(10);
    for (const { id, created_at, last_seen_at, fact_volume_usd, entry_context } of repeated) {
      const early = world.detail(id, Date.parse(created_at));
      expect(early, `card ${id}`).toMatchObject({
        id,
        repeat_count: 0,
        last_seen_at: null,
        entry_context,
      });
      expect(Date.parse(last_seen_at ?? ''), created_at).toBeGreaterThan(Date.parse(created_at));
      expect(early?.fact_volume_usd === fact_volume_usd, `card ${id}`).toBe(
        fact_volume_usd === null,
      );
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
      .items.map(({ conditions }) => Object.values(conditions).map((value) => typeof value));
    expect(new Set(shapes.map(String)).size).toBe(3);
    // A number of a moment has no minutes.
    const funding = world.screeners(START).items.find(({ type }) => type === 'funding_extreme');
    expect(funding?.conditions).toEqual({
      funding: { atLeast: 0.0006, eitherWay: true },
      quiet: '15m',
    });
  });

  it('are of screeners that are on: one alone is off', () => {
    const off = world.screeners(START).items.filter(({ active }) => !active);
    const typesOff = off.map(({ type }) => type);
    expect(typesOff).toEqual(['liquidations']);
    expect(all.filter((card) => typesOff.includes(card.source_bot_type))).toEqual([]);
  });

  it('has every state, and a null wherever the document allows one', () => {
    const outcomes = all.flatMap(({ outcome }) => outcome ?? []);
    expect(new Set(outcomes.map(({ state_24h }) => state_24h))).toEqual(
      new Set(['pending', 'missing', 'available']),
    );
    expect(
      outcomes.some(
        (outcome) => outcome.move_24h_pct !== null && outcome.btc_move_24h_pct === null,
      ),
      'a card has a move, but none of BTC',
    ).toBe(true);
    expect(
      all.some(({ entry_context }) => Object.keys(entry_context).length === 0),
      'a card has an empty context',
    ).toBe(true);
    const facts = Object.keys(all[0] ?? {}).filter((key) => key.startsWith('fact_'));
    for (const key of [...facts, 'last_seen_at', 'outcome']) {
      const nulls = all.filter((detail) => detail[key as keyof SignalDetail] === null).length;
      expect(nulls > 0 && nulls < all.length, key).toBe(true);
    }
  });
});

/**
 * The market of the demo, of which its notebook was judged (`npm run demo` judges it again). Whoever changes the market
 * changes what README, `--demo` and scripts written against the sandbox show.
 */
describe('the market of the demo', () => {
  const now = DEMO_DAY * DAY + 18 * HOUR;
  const world = demoWorld(now);
  const all = detailsOf(world, now);
  /** Nine digits: no order of summing shows. */
  const sumOf = (values: readonly unknown[]) =>
    Number(values.reduce<number>((sum, value) => sum + Number(value ?? 0), 0).toPrecision(9));

  it.each([
    {
      ...{ type: 'oi_growth', cards: 991, repeats: 1670, moves: 1414.2344 },
      ...{ movesOfBtc: -338.0256, movesInAnHour: 450.0734, usd: 3_042_087_250_000 },
    },
    {
      ...{ type: 'price_spike', cards: 1365, repeats: 2082, moves: -2159.8935 },
      ...{ movesOfBtc: -631.9254, movesInAnHour: -363.8289, usd: 3_959_864_760_000 },
    },
    {
      ...{ type: 'volume_burst', cards: 904, repeats: 1475, moves: -417.8981 },
      ...{ movesOfBtc: -377.9609, movesInAnHour: -19.3695, usd: 2_733_868_010_000 },
    },
    {
      ...{ type: 'funding_extreme', cards: 540, repeats: 887, moves: -1132.9711 },
      ...{ movesOfBtc: -164.6434, movesInAnHour: -200.5986, usd: 1_703_685_450_000 },
    },
    {
      ...{ type: 'breakout', cards: 222, repeats: 323, moves: -102.8682 },
      ...{ movesOfBtc: -148.3296, movesInAnHour: 29.9811, usd: 740_658_001_000 },
    },
  ])('has these cards of $type', (expected) => {
    const cardsOfType = all.filter((card) => card.source_bot_type === expected.type);
    expect({
      type: expected.type,
      cards: cardsOfType.length,
      repeats: sumOf(cardsOfType.map((card) => card.repeat_count)),
      moves: sumOf(cardsOfType.map(({ outcome }) => outcome?.move_24h_pct)),
      movesOfBtc: sumOf(cardsOfType.map(({ outcome }) => outcome?.btc_move_24h_pct)),
      movesInAnHour: sumOf(cardsOfType.map(({ outcome }) => outcome?.move_1h_pct)),
      usd: sumOf(
        cardsOfType.map(({ fact_oi_usd: oi, fact_volume_usd: volume }) => sumOf([oi, volume])),
      ),
    }).toEqual(expected);
  });

  it('has these numbers at the trigger, in all', () => {
    const contexts = all.map((card) => card.entry_context);
    const keys = [...new Set(contexts.flatMap((context) => Object.keys(context)))].sort();
    const sums = keys.map((key) => [key, sumOf(contexts.map((context) => context[key]))]);
    expect(Object.fromEntries(sums)).toEqual({
      funding: 0.342101,
      market_rsi_1d: 181_399.2,
      oi_change_pct: 3897,
      oi_usd: 4_765_743_370_000,
      price: 8_422_140.4,
      price_change_24h_pct: -461,
      volume_24h_usd: 8_004_983_640_000,
    });
  });

  it('begins with this card, and has this snapshot', () => {
    expect(all.at(-1)).toEqual({
      id: 20_687_001,
      source_symbol: 'BNBUSDT',
      source_bot_type: 'funding_extreme',
      exchanges: ['binance'],
      changes: ['Funding -0.0676%'],
      created_at: '2026-08-22T00:08:59Z',
      last_seen_at: null,
      repeat_count: 0,
      url: 'https://screener.example/notifications?symbol=BNBUSDT&type=funding_extreme',
      url_scope: 'filtered_notification_history',
      facts_scope: 'latest_episode_update',
      fact_price_pct: -2.05,
      fact_oi_pct: null,
      fact_volume_pct: null,
      fact_window_min: null,
      fact_funding: -0.000676,
      fact_oi_usd: 455_226_833,
      fact_volume_usd: 599_857_741,
      outcome: {
        entry_at: '2026-08-22T00:08:59Z',
        entry_price: 954.30769,
        state_1h: 'available',
        move_1h_pct: -0.8918,
        btc_move_1h_pct: 0.0037,
        state_24h: 'available',
        move_24h_pct: 10.139,
        btc_move_24h_pct: 4.0305,
      },
      entry_context: {
        funding: -0.000676,
        market_rsi_1d: 62.7,
        oi_usd: 469_889_873,
        price: 954.30769,
        price_change_24h_pct: 3.97,
        volume_24h_usd: 908_938_633,
      },
      context_scope: 'entry_snapshot',
    });
    expect(world.snapshot(now)).toEqual({
      scope: 'platform',
      timeframe: 'day',
      sample: 320,
      sample_limited: false,
      oversold_count: 42,
      overbought_count: 53,
      computed_at: '2026-11-20T18:00:00Z',
      source_stale: false,
      generated_at: '2026-11-20T18:00:00Z',
      stale: false,
      source: 'https://screener.example/market',
    });
  });
});
