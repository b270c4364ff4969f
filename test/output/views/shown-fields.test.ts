/** Each field of what the service sends is shown to people, or there is a reason: a new field and a new operation need a line. */
import { expect, it } from 'vitest';
import { byHorizon } from '../../../src/api/contract/horizons.ts';
import type {
  Access,
  Horizon,
  MarketSnapshot,
  ScreenerItem,
  Screeners,
  SignalCard,
  SignalDetail,
  SignalPage,
  SignalStats,
} from '../../../src/api/contract/resources.ts';
import type { OPERATIONS, OperationName } from '../../../src/api/operations.ts';
import { withLimits } from '../../../src/credits/credit-ceiling.ts';
import type { View } from '../../../src/output/types.ts';
import { accessView } from '../../../src/output/views/access.ts';
import { cardView } from '../../../src/output/views/card-lists.ts';
import { detailView } from '../../../src/output/views/card-page.ts';
import { screenersView } from '../../../src/output/views/screeners.ts';
import { snapshotView } from '../../../src/output/views/snapshot.ts';
import { statsView } from '../../../src/output/views/stats.ts';
import * as samples from '../../support/samples.ts';
import { outputTo, pagesOf } from '../written.ts';

/** A schema of an object. */
interface ObjectSchema {
  readonly entries: object;
}

/** Another value of a field, or why people do not see the field. */
type Change = { readonly to: unknown } | { readonly why: string };

/**
 * One line for each field. The fields are those of the schema: an object of the API may have others, so that `keyof` of one
 * is any text.
 */
type Changes<Schema extends ObjectSchema> = Readonly<Record<keyof Schema['entries'], Change>>;

interface Shown<Schema extends ObjectSchema> {
  readonly sample: object;
  /** What people see of a value. */
  readonly draw: (value: object) => Promise<string>;
  readonly changes: Changes<Schema>;
}

/** Wide enough for every column. */
const WIDE = { width: 200, env: { NO_COLOR: '1' } };

/** Draws a page. */
function page<T extends object>(view: View<T>) {
  return async (value: object): Promise<string> => {
    const { context, output } = outputTo('table', WIDE);
    await output.one(view, value as T);
    return context.stdout.text;
  };
}

/** Draws a list of one item. */
function line<T extends object>(view: View<T>) {
  return (item: object): Promise<string> => list(view)({ items: [item] });
}

/** Draws a resource that has a list. */
function list<T extends object>(view: View<T>) {
  return async (resource: object): Promise<string> => {
    const { items } = resource as { readonly items: T[] };
    const { context, output } = outputTo('table', WIDE);
    await output.list(view, pagesOf([items]));
    return context.stdout.text;
  };
}

const SAME = { why: 'the document knows one value of it' };
const FOR_PROGRAMS = { why: 'an address, for programs' };
const ON_ITS_PAGE = { why: 'the page of the card shows it' };

/** The settings of a screener. */
const SCREENER = { type: 'pump', active: true, conditions: { price_change_pct: 3 } };

const KNOWN_OF_ACCOUNT = {
  today: withLimits({ requests: 0, charged: 0, uncertain: 0 }, { dailyLimitOfService: 150 }),
  periods: [],
  windows: [],
  days: [],
  command: 'screener access',
  elsewhere: undefined,
  forecast: undefined,
  monthLeft: undefined,
};

const NONE_MEASURED: Horizon = {
  sample: 0,
  pending: 9,
  missing: 0,
  median_move_pct: null,
  btc_sample: 0,
  median_vs_btc_percentage_points: null,
};

const OF_OPERATIONS: {
  readonly [Name in OperationName]: Shown<(typeof OPERATIONS)[Name]['schema']>;
} = {
  access: {
    sample: samples.access(),
    draw: page<Access>(accessView(KNOWN_OF_ACCOUNT)),
    changes: {
      beta: { to: false },
      plan: { to: 'TRIAL' },
      expires_at: { to: '2027-02-28T00:00:00Z' },
      credits: { to: samples.access(251).credits },
      operations: { to: ['signals'] },
      per_minute: { why: 'the ledger says what is used of it' },
    },
  },
  snapshot: {
    sample: samples.snapshot(),
    draw: page<MarketSnapshot>(snapshotView),
    changes: {
      scope: { to: 'exchange' },
      timeframe: { to: 'week' },
      sample: { to: 500 },
      sample_limited: { to: true },
      oversold_count: { to: 32 },
      overbought_count: { to: 101 },
      computed_at: { to: '2026-11-20T17:00:00Z' },
      source_stale: { to: true },
      generated_at: { why: 'the age is that of the figures' },
      stale: { to: true },
      source: FOR_PROGRAMS,
    },
  },
  screeners: {
    sample: { scope: 'current_settings', items: [SCREENER] } satisfies Screeners,
    draw: list(screenersView),
    changes: {
      scope: SAME,
      items: { to: [{ ...SCREENER, type: 'dump' }] },
    },
  },
  signals: {
    sample: samples.page([samples.nthCard(1)]),
    draw: list<SignalPage['items'][number]>(cardView),
    changes: {
      scope: SAME,
      items: { to: [samples.nthCard(2)] },
      next_cursor: { why: 'the program follows it' },
      since: { why: 'the user chose it, or the list has no beginning' },
      until: { why: 'the user chose it, or it is now' },
    },
  },
  signal: {
    sample: samples.detail({ fact_volume_pct: 1 }),
    draw: page<SignalDetail>(detailView),
    changes: {
      id: { to: 7 },
      source_symbol: { to: 'ETHUSDT' },
      source_bot_type: { to: 'breakout' },
      exchanges: { to: ['kraken'] },
      changes: { to: ['volume'] },
      created_at: { to: '2026-11-20T15:06:00Z' },
      last_seen_at: { to: '2026-11-20T15:59:00Z' },
      repeat_count: { to: 7 },
      url: { to: 'https://app.example.com/else' },
      url_scope: { why: 'the title says it' },
      facts_scope: { why: 'the title says it' },
      context_scope: { why: 'the title says it' },
      fact_price_pct: { to: -7 },
      fact_oi_pct: { to: -7 },
      fact_volume_pct: { to: -7 },
      fact_window_min: { to: 7 },
      fact_funding: { to: -0.0007 },
      fact_oi_usd: { to: 7 },
      fact_volume_usd: { to: 7 },
      outcome: { to: null },
      entry_context: { to: { funding: 7 } },
    },
  },
  stats: {
    sample: samples.stats(),
    draw: page<SignalStats>(statsView),
    changes: {
      scope: SAME,
      window_days: { to: 31 },
      sampled_rows: { to: 7 },
      sample_limited: { to: true },
      screener_type: { to: 'dump' },
      horizons: { to: byHorizon(() => NONE_MEASURED) },
      generated_at: { to: '2026-11-19T15:06:00Z' },
      stale: { to: true },
    },
  },
};

/** What stands in lists. */
const OF_ITEMS = {
  ScreenerItem: {
    sample: SCREENER,
    draw: line(screenersView),
    changes: {
      type: { to: 'dump' },
      active: { to: false },
      conditions: { to: { price_change_pct: 4 } },
    },
  } satisfies Shown<typeof ScreenerItem>,
  SignalCard: {
    sample: samples.card({ source_bot_type: 'price' }),
    draw: line(cardView),
    changes: {
      id: { to: 7 },
      source_symbol: { to: 'ETHUSDT' },
      source_bot_type: { to: 'breakout' },
      created_at: { to: '2026-11-20T15:06:00Z' },
      repeat_count: { to: 0 },
      fact_price_pct: { to: -7 },
      fact_window_min: { to: 7 },
      changes: { why: 'it is shown if the type names no fact' },
      fact_oi_pct: { why: 'it is shown if the type names it' },
      fact_volume_pct: { why: 'it is shown if the type names it' },
      fact_funding: { why: 'it is shown if the type names it' },
      fact_oi_usd: ON_ITS_PAGE,
      fact_volume_usd: ON_ITS_PAGE,
      exchanges: ON_ITS_PAGE,
      last_seen_at: ON_ITS_PAGE,
      url: FOR_PROGRAMS,
      url_scope: SAME,
      facts_scope: SAME,
    },
  } satisfies Shown<typeof SignalCard>,
};

const CASES = Object.entries({ ...OF_OPERATIONS, ...OF_ITEMS }).flatMap(
  ([name, { sample, draw, changes }]) =>
    Object.entries<Change>(changes).map(([field, change]) => ({
      name,
      field,
      sample,
      draw,
      change,
    })),
);

it.each(CASES)('$name: $field is shown, or there is a reason', async (each) => {
  const { name, field, sample, draw, change } = each;
  const isToBeShown = 'to' in change;
  const other = isToBeShown ? change.to : anotherOf((sample as samples.Json)[field]);
  const isShown = (await draw({ ...sample, [field]: other })) !== (await draw(sample));
  expect({ name, field, isShown }).toEqual({ name, field, isShown: isToBeShown });
});

/** Another value of the same kind. */
function anotherOf(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return ['another'];
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  return isTime || value === null ? '2026-11-20T15:59:00Z' : 'another';
}
