/** What people see of each resource. */
import { describe, expect, it } from 'vitest';
import { byHorizon, HORIZON_NAMES } from '../../../src/api/contract/horizons.ts';
import type { Access, MarketSnapshot, SignalDetail } from '../../../src/api/contract/resources.ts';
import { DOCUMENTED_ALLOWANCES } from '../../../src/api/limits.ts';
import { OPERATION_NAMES } from '../../../src/api/operations.ts';
import { withLimits } from '../../../src/credits/credit-ceiling.ts';
import { rateDaysText } from '../../../src/output/format.ts';
import type { View } from '../../../src/output/types.ts';
import { accessView, forecastSentence } from '../../../src/output/views/access.ts';
import {
  cardOutcomeView,
  cardView,
  historyCardView,
} from '../../../src/output/views/card-lists.ts';
import { detailView } from '../../../src/output/views/card-page.ts';
import { exportQuoteView } from '../../../src/output/views/export-summary.ts';
import { screenersView } from '../../../src/output/views/screeners.ts';
import { snapshotView } from '../../../src/output/views/snapshot.ts';
import { statsByTypeView, statsView } from '../../../src/output/views/stats.ts';
import type { TestContextOptions } from '../../support/context.ts';
import { card, detail, measuredDetail, stats } from '../../support/samples.ts';
import { outputTo, pagesOf } from '../written.ts';

/** The narrowest terminal with the columns of all horizons. */
const WIDE = 74 + 18 * HORIZON_NAMES.length;

/** What a terminal without colours shows. */
const at = (width: number, env = {}): TestContextOptions => ({
  width,
  env: { NO_COLOR: '1', ...env },
});

async function page<T extends object>(
  view: View<T>,
  value: T,
  options?: TestContextOptions,
): Promise<string> {
  const { context, output } = outputTo('table', options);
  await output.one(view, value);
  return context.stdout.text;
}

async function rows<T extends object>(
  view: View<T>,
  items: T[],
  options?: TestContextOptions,
  fields?: string[],
) {
  const { context, output } = outputTo('table', options, fields);
  await output.list(view, pagesOf([items]));
  return context.stdout.text.split('\n');
}

const snapshot: MarketSnapshot = {
  scope: 'platform',
  timeframe: 'day',
  sample: 400,
  sample_limited: false,
  oversold_count: 30,
  overbought_count: 100,
  computed_at: '2026-11-20T18:00:00Z',
  source_stale: false,
  generated_at: '2026-11-20T18:04:00Z',
  stale: false,
  source: 'https://app.example.com/market',
};

it.each<[Partial<MarketSnapshot>, RegExp]>([
  [{ stale: true }, /^STALE: the service marks this answer as stale\.$/m],
  [
    { source_stale: true },
    /^STALE SOURCE: the service marks the source of these figures as stale\.$/m,
  ],
  [{ computed_at: '2099-01-01T00:00:00Z' }, /Computed +2099-01-01 00:00 UTC \(in \d+ days\)$/m],
  [{ computed_at: null }, /Not computed \(computed_at is null\)/],
  [{ computed_at: '2026-11-18T00:00:00Z' }, /Computed +2026-11-18 00:00 UTC \(2 days ago\)$/m],
  [{ generated_at: '2026-11-19T00:00:00Z' }, /Computed +2026-11-20 18:00 UTC \(.*ago\)$/m],
  [{ sample_limited: true }, /The sample was limited[\s\S]*, fresh/],
])('a snapshot says plainly what is wrong: %j', async (given, said) => {
  const text = await page(snapshotView, { ...snapshot, ...given });
  expect(text).toMatch(said);
  expect(text).toMatch(/Oversold +\[██░{18}\] 30 of 400 \(7\.5%\)/);
  expect(text.includes(', fresh')).toBe(given.sample_limited === true);
});

it.each([
  [
    {},
    null,
    'about 31 (28 for outcomes, 3 for list and settings)',
    'about 119 of 150 today; this month: about 969',
  ],
  [
    { outcomes: 0, credits: 2 },
    10,
    "about 2, for list and settings. Today's share is spent: the rest is for the days until the reset; --all-credits spends about 31.",
    'about 148',
  ],
  [
    { credits: 30, outcomes: 27 },
    10,
    "about 30 (27 for outcomes, 3 for list and settings). That is today's share of the month; --all-credits spends about 31.",
    'about 120',
  ],
  [undefined, null, 'up to 140', 'at least 10 of 150 today; this month: at least 860'],
])(
  'a quote of an export says what it will do: %j',
  async (given, outcomes_a_day, credits, left) => {
    const counts = { due: 90, bought: 80, pending: 4, to_buy: 10, not_due: 30, gone: 0 };
    const expected = given && { credits: 31, outcomes: 28, with_all_credits: 31, ...given };
    const known = {
      first_run: given === undefined,
      counts,
      outlook: null,
      medians_due: 0,
      lost_cards: 0,
      refused_until: null,
      stops_at: null,
      more_from: null,
      buys_outcomes: true,
    };
    const bounds = {
      credits_at_least: 1,
      credits_at_most: 140,
      pacing_seconds: { least: 0, most: 0 },
    };
    const day = { credits_left: 1000, day: { limit: 150, spent: 0 } };
    const quote = {
      directory: 'here',
      ...known,
      outcomes_a_day,
      ...bounds,
      expected: expected ?? null,
      ...day,
    };
    const text = (await page(exportQuoteView, quote)).replaceAll(/\s+/g, ' ');
    expect(text).toContain(` Credits ${credits}`);
    expect(text).toContain(`Left after it ${left}`);
    expect(text.includes('4 bought without a figure (asked again later)')).toBe(
      given !== undefined,
    );
  },
);

it.each([
  {
    quote: { refused_until: '2026-11-20T19:00:00Z' },
    credits: 'nothing: the service refuses requests until 2026-11-20 19:00 UTC',
    left: '110 of 150 today; this month: 900',
  },
  {
    quote: { day: { limit: 150, spent: 150 }, stops_at: 'day' as const },
    credits: "nothing: today's credits are spent; run it after 00:00 UTC",
    left: '0 of 150 today; this month: 900',
  },
  {
    quote: { credits_left: 0, stops_at: 'month' as const },
    credits: "nothing: the month's credits are spent",
    left: '110 of 150 today; this month: 0',
  },
  {
    quote: { stops_at: 'keep' as const, more_from: '2026-12-01T00:00:00Z' },
    credits: 'nothing: --keep is reached; more from 2026-12-01 00:00 UTC',
    left: '110 of 150 today; this month: 900',
  },
  {
    quote: {
      day: { limit: 10, spent: 15 },
      stops_at: 'daily' as const,
      more_from: '2026-11-21T00:00:00Z',
    },
    credits: 'nothing: SCREENER_DAILY is reached; more from 2026-11-21 00:00 UTC',
    left: '0 of 10 today; this month: 900',
  },
  {
    quote: { stops_at: 'max_credits' as const },
    credits: 'nothing: --max-credits is reached',
    left: '110 of 150 today; this month: 900',
  },
  {
    quote: {
      credits_left: null,
      medians_due: 2,
      lost_cards: 0,
      expected: { credits: 45, outcomes: 32, with_all_credits: 45 },
    },
    credits: 'about 45 (32 for outcomes, 10 for the medians of 2 types, 3 for list and settings)',
    left: 'about 65 of 150 today; this month: `screener access` asks (free)',
    pacing: '1 minute of waiting',
  },
  {
    quote: { expected: null, credits_at_most: 140, credits_left: 100 },
    credits: 'up to 140',
    left: 'at least 0 of 150 today; this month: at least 0',
    pacing: '1 minute to 5 minutes of waiting',
  },
])(
  'a quote of an export says why it spends nothing, and how long it waits: $quote',
  async (row) => {
    const quote = {
      directory: 'here',
      first_run: false,
      outcomes_a_day: null,
      counts: { due: 90, bought: 90, pending: 0, to_buy: 0, not_due: 0, gone: 0 },
      outlook: null,
      medians_due: 0,
      lost_cards: 0,
      credits_at_least: 1,
      credits_at_most: 40,
      expected: { credits: 31, outcomes: 28, with_all_credits: 31 },
      pacing_seconds: { least: 60, most: 300 },
      credits_left: 900,
      refused_until: null,
      stops_at: null,
      more_from: null,
      buys_outcomes: true,
      day: { limit: 150, spent: 40 },
      ...row.quote,
    };
    const lines = (await page(exportQuoteView, quote)).trimEnd().split('\n');
    const said = Object.fromEntries(lines.map((line) => line.split(/ {2,}/)));
    expect(said).toEqual({
      Directory: 'here',
      'Still open': 'nothing',
      Credits: expect.stringContaining(row.credits),
      ...(row.pacing === undefined ? {} : { Pacing: row.pacing }),
      'Left after it': row.left,
    });
  },
);

it('a quote of an export says more is open if it expects more outcomes than it lists', async () => {
  const openOf = async (outcomes: number) => {
    const quote = {
      directory: 'here',
      first_run: false,
      outcomes_a_day: null,
      counts: { due: 90, bought: 76, pending: 4, to_buy: 10, not_due: 0, gone: 0 },
      outlook: null,
      medians_due: 0,
      lost_cards: 0,
      credits_at_least: 1,
      credits_at_most: 40,
      expected: { credits: outcomes + 3, outcomes, with_all_credits: outcomes + 3 },
      pacing_seconds: { least: 0, most: 0 },
      credits_left: 900,
      refused_until: null,
      stops_at: null,
      more_from: null,
      buys_outcomes: true,
      day: { limit: 150, spent: 40 },
    };
    const text = await page(exportQuoteView, quote);
    return /^Still open +(.*)$/m.exec(text)?.[1] ?? '';
  };
  const listed = await openOf(14);
  expect(listed).toContain('10');
  expect(await openOf(26)).toBe(`${listed}, about 12 more of cards not listed yet`);
});

it('a quote of an export says that a random sample is enough where not all can be bought', async () => {
  const openOf = async (all_bought_by: string | null) => {
    const quote = {
      directory: 'here',
      first_run: false,
      outcomes_a_day: 17,
      counts: { due: 18_000, bought: 991, pending: 0, to_buy: 17_009, not_due: 310, gone: 0 },
      outlook: {
        resets_at: '2026-12-01T00:00:00Z',
        bought_by_reset: 268,
        all_bought_by,
        due_a_day: 267,
        bought_a_day_then: 17,
        credits_a_day: 30,
      },
      medians_due: 0,
      lost_cards: 0,
      credits_at_least: 1,
      credits_at_most: 150,
      expected: { credits: 150, outcomes: 149, with_all_credits: 150 },
      pacing_seconds: { least: 0, most: 0 },
      credits_left: 1000,
      refused_until: null,
      stops_at: null,
      more_from: null,
      buys_outcomes: true,
      day: { limit: 150, spent: 0 },
    };
    const text = await page(exportQuoteView, quote);
    return /^Still open +(.*)$/m.exec(text)?.[1];
  };
  const open = '17009 outcomes to buy, 310 not due yet';
  expect({ some: await openOf(null), all: await openOf('2026-12-20T00:00:00Z') }).toEqual({
    some: `${open}. A random sample of them is enough.`,
    all: open,
  });
});

const access: Access = {
  beta: true,
  plan: 'PRO',
  expires_at: '2026-12-31T00:00:00Z',
  credits: { used: 250, limit: 1000, remaining: 750, resets_at: '2026-12-01T00:00:00Z' },
  operations: ['signals', 'stats'],
  ...DOCUMENTED_ALLOWANCES,
};

it('access shows the month as a bar, and adds what this machine knows', async () => {
  const spending = { requests: 8, charged: 7, uncertain: 1 };
  const ofDay = (daily: number, today = spending) => {
    return { dailyOfUser: daily, today: withLimits(today, { dailyLimitOfService: 150, daily }) };
  };
  const today = withLimits(spending, { dailyLimitOfService: 150 });
  const windows = [{ name: 'minute' as const, millis: 60_000, allowance: 15, used: 2 }];
  const elsewhere = { credits: 12, since: Date.UTC(2026, 10, 20, 12) };
  const paths = ['/market-snapshot', '/screeners', '/signals', '/signals/{id}', '/signal-stats'];
  const operations = Object.fromEntries(
    paths.map((path) => [path, { requests: 7, charged: 6, uncertain: 1 }]),
  );
  const day = {
    day: Math.floor(Date.UTC(2026, 10, 20) / 86_400_000),
    operations,
    elsewhere: 12,
    exports: 0,
  };
  const forecast = {
    perDay: 31,
    isGone: false,
    goneAt: undefined,
    keep: 0,
    affordable: 95,
    daysToReset: 11,
    leftAtReset: 0,
  };
  const periods = [
    { days: 1, credits: 150, spent: 8 },
    { days: 7, credits: 300, spent: 61 },
  ];
  const known = { today, periods, windows, elsewhere, forecast, monthLeft: 750 };
  const shown = (days: (typeof day)[], more: object = {}, options?: TestContextOptions) =>
    page(accessView({ ...known, days, ...more }), access, options);
  const text = await shown([day], {}, at(84));
  expect(text).toMatch(
    /^Credits +\[█{5}░{15}\] 250 of 1000 used, 750 left\nReset +1 Dec, 00:00 UTC \(in 11 days\)\nForecast +at the usual 31 a day the .*\nPlan +PRO, expires on 31 Dec, 00:00 UTC \(in 41 days\); the API.*\nOperations +signals, stats\n/,
  );
  expect(text).toMatch(
    / 8 of 150 used \(1 only possibly\), 142 left\nLast 7 days +61 of 300 credits\nLast minute +2 of 15 requests\n/,
  );
  expect(text.replace(/\s+/g, ' ')).toContain(
    '12 credits since 2026-11-20 12:00 UTC, by other programs or machines',
  );
  expect(text).toMatch(
    /^DAY \(UTC\) +CREDITS +ELSEWHERE +SNAPSHOT +SETTINGS +LIST +OUTCOMES +MEDIANS\n2026-11-20 +47 +12 +7 +7 +7 +7 +7$/m,
  );
  expect(
    await page(accessView({ ...known, days: [] }), { ...access, operations: [...OPERATION_NAMES] }),
  ).not.toContain('Operations');
  expect(await page(accessView({ ...known, days: [] }), { ...access, operations: [] })).toMatch(
    /^Operations +none$/m,
  );
  expect(await shown([], ofDay(5))).toContain(
    '8 used (1 only possibly), above the 5 (SCREENER_DAILY)\n',
  );
  expect(await shown([], ofDay(0, { requests: 0, charged: 0, uncertain: 0 }))).toContain(
    '[████████████████████] 0 of 0 used, 0 left (SCREENER_DAILY)\n',
  );
  expect(await shown([], { windows: [{ ...windows[0], used: 15 }] })).toContain(
    'Last minute  15 of 15 requests: the next one waits\n',
  );
  // The month's line says that less is left.
  expect(await shown([], { monthLeft: 141 })).toMatch(/ 8 of 150 used \(1 only possibly\)\n/);
  // More than the API allows limits nothing.
  expect(await shown([], ofDay(500))).not.toContain('SCREENER_DAILY');
  expect(await shown([], {}, { env: { LANG: 'C' } })).toContain('[#####---------------]');
  const own = {
    ...day,
    elsewhere: 0,
    operations: { '/signals': day.operations['/signals'] },
  } as typeof day;
  expect(await shown([own])).toMatch(/^DAY \(UTC\) +CREDITS +LIST$/m);
  const month = Array.from({ length: 30 }, (_, n) => ({ ...day, day: day.day - 29 + n }));
  expect(await shown(month), 'in a pipe').toMatch(
    /\nThe last 30 days: 1410 credits, 47 a day \(.*\nDAY .*\n2026-11-19 .*\n(?:2026-1.*\n){27}2026-10-22 [^\n]*\n30 days +1410 +360 [^\n]*\n$/,
  );
  const terminal = await shown(month, {}, at(84, { SCREENER_PAGER: '' }));
  expect(terminal).toMatch(
    /\nThe last 30 days: 1410 credits, 47 a day \(.*\nDAY .*\n(?:2026-.*\n){5}30 days +1410 +360 [^\n]*\nThe newest 5 of 29 days before today\.\n$/,
  );
  expect(terminal.split('\n').length, 'lines of the page').toBeLessThanOrEqual(24);
  const [oldest = day, ...newer] = month;
  const later = newer.map((newerDay) => ({ ...own, day: newerDay.day }));
  const oftenEmpty = await shown([oldest, ...later], {}, at(84, { SCREENER_PAGER: '' }));
  expect(oftenEmpty).toMatch(/^DAY \(UTC\) +CREDITS .*OUTCOMES +MEDIANS\n2026-11-19 +7 +7$/m);
});

it('the forecast of less than a credit a day names no day of 0 credits', () => {
  const goneAt = Date.UTC(2026, 10, 21);
  const forecast = {
    perDay: 0.43,
    isGone: false,
    goneAt,
    keep: 0,
    affordable: 0,
    daysToReset: 9,
    leftAtReset: 0,
  };
  expect(forecastSentence(forecast)).toBe('at less than 1 a day the credits are gone on 21 Nov');
  expect(forecastSentence(forecast, { credits_a_day: 20 })).toBe(
    'beside exports less than 1 a day is spent: the credits are gone on 21 Nov',
  );
  expect(forecastSentence({ ...forecast, perDay: 2, affordable: 1 })).toBe(
    'at the usual 2 a day the credits are gone on 21 Nov; 1 a day would last',
  );
});

it('the forecast tells no spending of exports that the credits left do not allow', () => {
  const forecast = { perDay: 2, isGone: false, goneAt: undefined, keep: 0, leftAtReset: 1 };
  const wordsOf = (affordable: number, daysToReset = 9) =>
    forecastSentence({ ...forecast, affordable, daysToReset }, { credits_a_day: 39 });
  const others = 'beside 2 of other commands and machines';
  expect({
    none: wordsOf(0),
    scarce: wordsOf(38),
    onLastDay: wordsOf(38, 0.7),
    enough: wordsOf(40),
    enoughForFewDays: forecastSentence(
      { ...forecast, perDay: 0, affordable: 40, daysToReset: 2.7, leftAtReset: 97 },
      { credits_a_day: 34 },
    ),
  }).toEqual({
    none: `exports use up what is left ${others} until the reset, as planned: less than 1 a day`,
    scarce: `exports use up what is left ${others} until the reset, as planned: about 38 a day`,
    onLastDay: `exports use up what is left ${others} until the reset, as planned`,
    enough: `exports use about 39 a day ${others}; the credits last until the reset`,
    enoughForFewDays: 'until the reset 2 more daily exports use about 68 of the 97 left',
  });
});

describe('signals', () => {
  it('fit their default columns into 80, and show everything in a pipe', async () => {
    const item = card({
      source_symbol: '1000SATSUSDT.P',
      source_bot_type: 'funding_extreme_1h',
      repeat_count: 0,
    });
    const [narrow = ''] = await rows(cardView, [item], at(80));
    expect(narrow.trim().split(/ {2,}/)).toEqual(
      expect.arrayContaining(['ID', 'TIME (UTC)', 'SYMBOL', 'TYPE', 'FIRED ON']),
    );
    const [header, row] = await rows(cardView, [item]);
    expect(header).toMatch(/AGE +SYMBOL +TYPE +FIRED ON$/);
    expect(row).toMatch(
      /48211 {2}2026-11-20 15:05 +3h {2}1000SATSUSDT\.P {2}funding_extreme_1h {2}funding \+0\.010%$/,
    );
  });

  it('show a move only where the state says that it was measured', async () => {
    for (const state of ['pending', 'missing', 'revised']) {
      const item = measuredDetail({}, () => ({ state, move: 3.2, btc: 1 }));
      const [, row] = await rows(cardOutcomeView, [item]);
      expect(row, state).toMatch(new RegExp(`${state} +– +${state} +–$`));
    }
  });

  it('align figures at the decimal point, coloured on a terminal only, and not where the user forbids it', async () => {
    const items = [3.2, -0.004, 120].map((move) =>
      measuredDetail({ changes: [] }, () => ({ state: 'available', move, btc: null })),
    );
    const plain = (await rows(cardOutcomeView, items, at(80))).slice(1, 4);
    expect(new Set(plain.map((line) => line.indexOf('.'))).size).toBe(1);
    const lines = [{ width: 100 }, {}, at(80), { env: { FORCE_COLOR: '1' } }].map((one) =>
      rows(cardOutcomeView, items, one),
    );
    const isColoured = (await Promise.all(lines)).map((some) =>
      some.join('').includes('\x1b[32m+3.20%\x1b[39m'),
    );
    expect(isColoured).toEqual([true, false, false, true]);
  });

  it('show the asked fields exactly, and say on stderr that there are none', async () => {
    const lines = await rows(cardView, [card()], {}, [
      'fact_funding',
      'created_at',
      'exchanges',
      'last_seen_at',
    ]);
    expect(lines).toEqual([
      'fact_funding  created_at           exchanges       last_seen_at',
      '      0.0001  2026-11-20 15:05:00  binance, bybit  –',
      '',
    ]);
    const { context, noted, output } = outputTo('table');
    await output.list(cardView, pagesOf([[]]));
    expect({ stdout: context.stdout.text, noted }).toEqual({ stdout: '', noted: ['No cards.'] });
  });

  it('that come over hours keep their columns below one header, until the terminal has another width', async () => {
    const { context, output } = outputTo('table', at(100));
    async function* batches() {
      const once = { source_bot_type: 'oi', repeat_count: 0 };
      yield [card({ ...once, id: 1, source_symbol: 'X' })];
      yield [
        card({
          ...once,
          id: 1234567890,
          source_symbol: '1000SATSUSDT',
          source_bot_type: 'funding_extreme',
        }),
      ];
      yield [
        card({ ...once, id: 2, source_symbol: 'A symbol of uncommon length', repeat_count: 1 }),
      ];
      Object.assign(context.stdout, { columns: 60 });
      yield [card({ id: 3 })];
    }
    await output.list(cardView, { batches: batches(), live: true });
    const lines = context.stdout.text.trimEnd().split('\n');
    expect(lines.map((line) => line.includes('SYMBOL'))).toEqual([
      true,
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(lines[4]).toBe('* repeated since; the figure is of its latest update');
    const type = lines[0]?.indexOf('TYPE') ?? 0;
    expect(lines.slice(1, 4).map((line) => line.slice(type).split(' ')[0])).toEqual([
      'oi',
      'funding_extreme',
      'oi',
    ]);
    expect(lines[3]).toContain('A symbol of…');
    for (const line of lines.slice(4)) expect(line.length, line).toBeLessThanOrEqual(60);
  });
});

const moves = { fact_price_pct: 0.4, fact_oi_pct: 4.123, fact_volume_pct: -15.9 };
const facts = { repeat_count: 0, ...moves, fact_funding: 0.00109 };
const changes = ['Price +0.4 %', 'Basis +9 %'];

it.each<[Partial<SignalDetail>, string]>([
  [{ changes }, 'Basis +9 %'],
  [{ changes: ['Basis +9 %', 'Price -9.5 %'] }, 'Price -9.5 %'],
  [{ source_bot_type: 'price_volume' }, 'price +0.40% 15m'],
  [{ source_bot_type: 'price_volume', fact_price_pct: null }, 'vol -15.9% 15m'],
  [{ source_bot_type: 'turnover', fact_window_min: null }, 'vol -15.9%'],
  [{ changes, source_bot_type: 'Open Interest' }, 'oi +4.12% 15m'],
  [{ source_bot_type: 'funding_extreme' }, 'funding +0.109%'],
  [{ source_bot_type: 'oi_growth', fact_oi_pct: null, changes: ['OI'] }, 'OI'],
  [{ changes: [] }, '–'],
  [{ source_bot_type: 'funding_extreme', repeat_count: 1 }, 'funding +0.109%*'],
])(
  'FIRED ON is the fact that the type names, else the largest change, marked if later: %j',
  async (given, text) => {
    const [header = '', row = ''] = await rows(historyCardView('screener signals export'), [
      detail({ ...facts, ...given }),
    ]);
    expect(row.slice(header.indexOf('FIRED ON')).replace(/ {2}.*/, '')).toBe(text);
  },
);

describe('outcomes', () => {
  it.each([
    [200, /AGE.* FIRED ON +24H +VS BTC .*1H +1H VS BTC$/],
    [WIDE, /TIME \(UTC\) +SYMBOL +TYPE +FIRED ON +24H +VS BTC .*1H +1H VS BTC$/],
    [90, /TIME \(UTC\) +SYMBOL +TYPE +FIRED ON +24H +VS BTC$/],
    [72, /ID +TIME \(UTC\) +SYMBOL +TYPE +24H +VS BTC$/],
    [64, /ID +TIME \(UTC\) +SYMBOL +TYPE +24H$/],
  ])('in %i columns AGE goes first, then 1 h, then what it fired on', async (width, expected) => {
    const source = { source_symbol: '1000SHIBUSDT', source_bot_type: 'funding_extreme' };
    const long = { id: 20779019, ...source, fact_funding: 0.00109 };
    const [header, row] = await rows(cardOutcomeView, [detail(long)], at(width));
    expect(header).toMatch(expected);
    expect(row?.includes('funding +0.109%*')).toBe(header?.includes('FIRED ON'));
  });

  it('are moves, the difference in percentage points, and words where there is none', async () => {
    const cards = [
      detail(),
      detail({ outcome: null }),
      detail({ outcome: null, created_at: '2026-11-18T15:05:00Z' }),
    ];
    const lines = await rows(cardOutcomeView, cards, at(WIDE));
    expect(lines[1]).toMatch(/ pending +– .*\+1\.50% +\+1\.00$/);
    const narrow = await rows(cardOutcomeView, cards, at(80));
    expect(narrow[1]).toMatch(/ \(\+1\.50%\) +–$/);
    // No sign is explained that is not there.
    const words = 'in brackets: pending, the move after 1 hour';
    expect(narrow).toContain(words);
    expect(await rows(cardOutcomeView, cards.slice(1), at(80))).not.toContain(words);
    expect(lines[2]).toMatch(/not due +– .*no data +–/);
    expect(lines[3]).toMatch(/no data +– .*no data +–/);
  });

  it('always show the field that a list is sorted by', async () => {
    const header = async (sorted: string, width: number, env = {}, fields?: string[]) =>
      (await rows({ ...cardOutcomeView, sorted }, [detail()], at(width, env), fields))[0];
    expect(await header('outcome.move_1h_pct', 80)).toMatch(/^ *ID +.* 1H( |$)/);
    expect(await header('-outcome.move_1h_pct', 64)).toMatch(/^ *ID +.* 1H( |$)/);
    expect(await header('outcome.entry_price', 80, { LANG: 'C' })).toMatch(
      /^ +ID +outcome\.entry_price /,
    );
    expect(await header('id', 60, {}, ['source_symbol', 'id'])).toMatch(/^source_symbol +id$/);
  });

  it('show times in the zone of SCREENER_TZ, named in the header', async () => {
    const items = [detail({ created_at: '2026-11-20T23:30:00Z' })];
    const shown = (SCREENER_TZ: string, fields?: string[]) =>
      rows(cardOutcomeView, items, { env: { SCREENER_TZ } }, fields);
    expect((await shown('Europe/Berlin')).join('\n')).toMatch(
      /TIME \(Europe\/Berlin\)[^\n]*\n.*2026-11-21 00:30/,
    );
    expect(await shown('Asia/Tokyo', ['created_at'])).toEqual([
      'created_at (Asia/Tokyo)',
      '2026-11-21 08:30:00',
      '',
    ]);
    expect((await shown(''))[0]).toContain('TIME (UTC)');
  });

  it('have no sign beyond ASCII in another locale', async () => {
    const lines = await rows(
      cardOutcomeView,
      [detail({ source_symbol: 'A'.repeat(90) })],
      at(80, { LANG: 'C' }),
    );
    expect(lines.join('\n')).toMatch(/^[\n\x20-\x7e]*$/);
    expect(lines[1]).toContain('A~ ');
  });
});

describe('signals show', () => {
  const OLD = '2026-11-01T00:00:00Z';

  it('fits a screen of 80 x 24, facts beside the entry context', async () => {
    const text = await page(detailView, detail(), at(80));
    expect(text).toMatch(/^At the trigger +Latest update, 2026-11-20 \d\d:\d\d UTC$/m);
    expect(text).toMatch(/^rsi_14 +31\.25 +Fired on +price$/m);
    expect(text).toMatch(/Open interest +-0\.50% {2}\(52\.1M USD\)/);
    expect(text).toMatch(/Funding +\+0\.0100% {2}\(0\.0001\)$/m);
    expect(text).toMatch(
      /^Card 48211: BTCUSDT, pump_dump\nAFTER .*\n1h +\+1\.50% +\+0\.50% +\+1\.00 pp\n[\s\S]*24h +pending +– +–\nEntry .*\nOutcome due 2026-11-21 15:05 UTC \(in 21 hours\)$/m,
    );
    expect(text).toContain(
      "Filtered notification history (not this card's page)\nhttps://app.example.com/",
    );
    expect(text.split('\n').length, 'lines of the page').toBeLessThanOrEqual(22);
    expect(await page(detailView, detail(), at(50))).toMatch(/^At the trigger\nrsi_14 +31\.25$/m);
  });

  it.each([
    [
      card() as SignalDetail,
      /^Card .*\nAFTER .*\n1h +not bought .*\n[\s\S]*24h +not due .*\nOutcome due .* \(in 21 hours\)\n(?![\s\S]*trigger)/,
    ],
    [
      card({ created_at: OLD }) as SignalDetail,
      /^24h +not bought .*\n`screener signals export` buys the outcome\.\n/m,
    ],
    [
      detail({
        outcome: null,
        entry_context: { oi_usd: 120306061, volume_24h: 1e9 },
        created_at: OLD,
      }),
      /^24h +no data .*\n[\s\S]*trigger\noi_usd +120\.3M\nvolume_24h +1000000000\n/m,
    ],
    [detail({ entry_context: {} }), /trigger\nnone recorded by the service/],
  ])('says what there is not: %#', async (value, said) => {
    expect(await page(detailView, value)).toMatch(said);
  });

  it.each([
    {
      card: 'a new card',
      value: card() as SignalDetail,
      move: 'not due',
      isDueSaid: true,
      isOffered: false,
    },
    {
      card: 'a bought new card',
      value: detail(),
      move: 'pending',
      isDueSaid: true,
      isOffered: false,
    },
    {
      card: 'a card that is due now',
      // 24 h before the time of the context.
      value: card({ created_at: '2026-11-19T18:05:00Z' }) as SignalDetail,
      move: 'not bought',
      isDueSaid: false,
      isOffered: true,
    },
    {
      card: 'an old card',
      value: card({ created_at: OLD }) as SignalDetail,
      move: 'not bought',
      isDueSaid: false,
      isOffered: true,
    },
    {
      card: 'a bought old card',
      value: detail({ created_at: OLD }),
      move: 'pending',
      isDueSaid: false,
      isOffered: false,
    },
  ])('says of $card when its outcome is due, or what buys it', async (row) => {
    const text = await page(detailView, row.value);
    expect({
      move: /^24h +(\S+(?: \S+)*)/m.exec(text)?.[1],
      isDueSaid: text.includes('\nOutcome due '),
      isOffered: text.includes(' buys the outcome.\n'),
    }).toEqual({ move: row.move, isDueSaid: row.isDueSaid, isOffered: row.isOffered });
  });

  it('leaves out the noise of binary fractions, and nothing else', async () => {
    const noisy = 0.1 + 0.2;
    const card = detail({
      entry_context: { spread: noisy, oi_change_pct: noisy, price: 97_123.450_000_1 },
      fact_funding: 3 * 0.0001,
    });
    const { outcome } = card;
    if (outcome === null) throw new Error('The sample has an outcome.');
    const text = await page(detailView, { ...card, outcome: { ...outcome, entry_price: noisy } });
    expect(text).toMatch(/^Entry at 0\.3, /m);
    expect(text).toMatch(/^spread +0\.3( |$)/m);
    expect(text).toMatch(/^oi_change_pct +\+0\.3%( |$)/m);
    expect(text).toMatch(/^price +97123\.4500001( |$)/m);
    expect(text).toMatch(/Funding +\+0\.0300% {2}\(0\.0003\)/);
  });

  it('writes several cards one below the other', async () => {
    const text = (await rows(detailView, [detail(), detail({ id: 7 })])).join('\n');
    expect(text).toMatch(
      /^Card 48211: BTCUSDT, pump_dump\n[\s\S]*\n\n\nCard 7: BTCUSDT, pump_dump\n/,
    );
  });
});

it('stats show both horizons side by side', async () => {
  const text = await page(statsView, stats());
  expect(text).toMatch(
    / {2,}24 HOURS .*1 HOUR\nMedian vs BTC +– .*-0\.31 pp\nMedian move +– .*\+0\.42%\n/,
  );
  expect(text).not.toMatch(/STALE|limited/);
  expect(await page(statsView, stats({ stale: true, sample_limited: true }))).toMatch(
    /STALE[\s\S]*was limited/,
  );
});

it('stats of several types stand by their median, best first, below a title', async () => {
  const measured = { sample: 120, pending: 4, missing: 3, btc_sample: 118, quartile: [0.1, 2] };
  const typeWith = (screener_type: string, median: number | null) =>
    stats({
      screener_type,
      horizons: byHorizon(() => ({
        ...measured,
        median_move_pct: median,
        median_vs_btc_percentage_points: median,
      })),
    });
  const items = [typeWith('none', null), typeWith('low', -1), typeWith('high', 2)];
  const words = (lines: readonly string[]) => lines.map((line) => line.split(' ')[0]);
  const whole = await rows(statsByTypeView, items);
  const picked = await rows(statsByTypeView, items, {}, ['screener_type']);
  expect({ title: whole[0], whole: words(whole.slice(2)), picked: words(picked) }).toEqual({
    title: statsByTypeView.title,
    whole: ['TYPE', 'high', 'low', 'none', ''],
    picked: ['screener_type', 'high', 'low', 'none', ''],
  });
});

describe('screeners', () => {
  const settings = async (conditions: Record<string, unknown>, options?: TestContextOptions) =>
    (await rows(screenersView, [{ type: 'a', active: true, conditions }], options))
      .slice(1, -1)
      .join('\n');
  it.each<[Record<string, unknown>, string]>([
    [
      { price_change_pct: 3, windowMinutes: 15, max_per_15_min: 1 },
      'price change 3 %; within 15 min; at most 1 per 15 min',
    ],
    [
      { min_volume_usd: 5_000_000, on: true, by: null },
      'volume at least 5,000,000 USD; on yes; by none',
    ],
    [
      { parts: [{ metric: 'oi', op: 'gte' }], limit: { cards: 1, per: '1h' } },
      'parts 1: metric oi, op >=; at most 1 card in 1h',
    ],
    [
      { any: [{ oi: { lt: 3 } }, { price_gte: 2 }], also: 1 },
      'any 1 oi < 3; any 2 price >= 2; also 1',
    ],
    [
      { exchanges: ['binance', 'okx'], only: [], note: 'x\ny' },
      'exchanges binance and okx; only none; note x\\ny',
    ],
    [
      {
        price: { either: { up: 3, down: 2 }, sides: ['long', 'short'], test: 'abs_gte' },
        parts: [{ a: 1, b: {} }, [5]],
      },
      'price: either up 3, either down 2, sides long and short, test abs >=; parts 1: a 1, b none; parts 2 5',
    ],
    [{}, 'none'],
  ])('of any shape are its own words and values: %j', async (conditions, words) => {
    expect(await settings(conditions)).toBe(`a     ${words}`);
  });

  it('are below the rows where they do not fit, without a header for the names', async () => {
    const conditions = { parts: [{ value: null }], name: 'x'.repeat(60) };
    expect(await rows(screenersView, [{ type: 'a', active: true, conditions }], at(60))).toEqual([
      'a',
      '  parts 1 value none; name',
      `  ${'x'.repeat(58)}`,
      '  xx',
      '',
    ]);
  });
});

const DAY = 86_400_000;
const AT = Date.parse('2026-11-20T12:00:00Z');

it.each<{ days: number; isOld: boolean; words: string }>([
  { days: 27, isOld: false, words: 'since 24 Oct' },
  { days: 28, isOld: false, words: 'in the last 28 days' },
  { days: 27, isOld: true, words: 'from 24 Oct to 20 Nov' },
  { days: 40, isOld: true, words: 'from 23 Oct to 20 Nov' },
])(
  'cards a day are of no day before the first card, nor after exports stopped: $words',
  ({ days, isOld, words }) => {
    expect(rateDaysText({ begins: AT - days * DAY, until: AT, isOld })).toBe(words);
  },
);
