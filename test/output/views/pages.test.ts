import { describe, expect, it } from 'vitest';
import type { Access, MarketSnapshot, SignalDetail } from '../../../src/api/contract/resources.ts';
import { DOCUMENTED } from '../../../src/api/limits.ts';
import type { View } from '../../../src/output/types.ts';
import { accessView } from '../../../src/output/views/access.ts';
import { cardOutcomeView, cardView, historyCardView } from '../../../src/output/views/card-lists.ts';
import { detailView } from '../../../src/output/views/card-page.ts';
import { screenersView } from '../../../src/output/views/screeners.ts';
import { snapshotView } from '../../../src/output/views/snapshot.ts';
import { statsView } from '../../../src/output/views/stats.ts';
import type { TestContextOptions } from '../../support/context.ts';
import { card, detail, stats } from '../../support/samples.ts';
import { outputTo, pagesOf } from '../written.ts';

async function page<T extends object>(view: View<T>, value: T, options?: TestContextOptions): Promise<string> {
  const { context, output } = outputTo('table', options);
  await output.one(view, value);
  return context.stdout.text;
}

async function rows<T extends object>(view: View<T>, items: T[], options?: TestContextOptions, fields?: string[]) {
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

describe('snapshot', () => {
  it.each<[Partial<MarketSnapshot>, RegExp]>([
    [{ stale: true }, /^STALE: the service marks this answer as stale\.$/m],
    [{ source_stale: true }, /^STALE SOURCE: the service marks the source of these figures as stale\.$/m],
    [{ computed_at: null }, /Not computed \(computed_at is null\)/],
    [{ sample_limited: true }, /The sample was limited[\s\S]*, not stale/],
  ])('says plainly what is wrong: %j', async (given, said) => {
    const text = await page(snapshotView, { ...snapshot, ...given });
    expect(text).toMatch(said);
    expect(text).toMatch(/Oversold +\[██░{18}\] 30 of 400 \(7\.5%\)/);
    if (given.sample_limited !== true) expect(text).not.toContain('not stale');
    if (given.computed_at !== null) expect(text.match(/5 minutes ago/g)).toHaveLength(1);
  });

  it('takes an empty sample', async () =>
    expect(await page(snapshotView, { ...snapshot, sample: 0 })).toContain('30 of 0'));
});

const access: Access = {
  beta: true,
  plan: 'PRO',
  expires_at: '2026-12-31T00:00:00Z',
  credits: { used: 250, limit: 1000, remaining: 750, resets_at: '2026-12-01T00:00:00Z' },
  operations: ['signals', 'stats'],
  ...DOCUMENTED,
};

const nothing = { today: { charged: 0, uncertain: 0 }, windows: [], days: [] };

describe('access', () => {
  it('shows the month as a bar', async () => {
    const text = await page(accessView(nothing), access);
    expect(text).toMatch(/Credits +\[█{5}░{15}\] 250 of 1000 used, 750 left/);
    expect(text).toContain('2026-12-01 00:00 UTC (in 10 days)');
  });

  it('adds what this machine knows', async () => {
    const today = { charged: 7, uncertain: 1 };
    const windows = [{ name: 'minute', millis: 60_000, allowance: 15, used: 2 }];
    const elsewhere = { credits: 12, since: Date.UTC(2026, 10, 20, 12) };
    const paths = ['/market-snapshot', '/screeners', '/signals', '/signals/{id}', '/signal-stats'];
    const each = { requests: 7, charged: 6, uncertain: 1 };
    const operations = {
      '/access': { ...each, charged: 0, uncertain: 0 },
      ...Object.fromEntries(paths.map((path) => [path, each])),
    };
    const days = [{ day: Math.floor(Date.UTC(2026, 10, 20) / 86_400_000), operations, elsewhere: 12, firstExport: 0 }];
    const text = await page(accessView({ today, windows, elsewhere, days }), access, {
      width: 84,
      env: { NO_COLOR: '1' },
    });
    expect(text).toContain('7 of 150 credits, and 1 possibly charged\n');
    expect(text).toMatch(/Last minute +2 of 15 requests/);
    expect(text.replace(/\s+/g, ' ')).toContain('12 credits since 2026-11-20 12:00 UTC, by MCP or another machine');
    expect(text).toMatch(/^DAY \(UTC\) +CREDITS +ELSEWHERE +SNAPSHOT +SCREENERS +SIGNALS +DETAILS +STATS$/m);
    expect(text).toMatch(/^2026-11-20 +47 +12 +7 +7 +7 +7 +7$/m);
  });

  it('draws with ASCII where blocks cannot be shown', async () => {
    expect(await page(accessView(nothing), access, { env: { LANG: 'C' } })).toContain('[#####---------------]');
  });
});

describe('signals', () => {
  it('fits its default columns into 80, and shows everything in a pipe', async () => {
    const item = card({ source_symbol: '1000SATSUSDT.P', source_bot_type: 'funding_extreme_1h' });
    const [narrow = ''] = await rows(cardView, [item], { width: 80, env: { NO_COLOR: '1' } });
    expect(narrow.split(/ {2,}/).map((word) => word.trim())).toEqual(
      expect.arrayContaining(['ID', 'TIME (UTC)', 'SYMBOL', 'TYPE', 'FIRED ON']),
    );
    const [header = '', row = ''] = await rows(cardView, [item]);
    expect(header).toMatch(/WINDOW +FUNDING +OI USD +VOL USD +REPEATS +EXCHANGES/);
    expect(row).toMatch(
      /48211 {2}2026-11-20 15:05 +3h {2}1000SATSUSDT\.P {2}funding_extreme_1h {2}funding \+0\.010% +\+3\.21% +-0\.50% +– +15m +0\.0100%/,
    );
  });

  it('aligns the figures of a column at the decimal point; what rounds to zero has neither sign nor colour', async () => {
    const facts = (price: number, volume: number) => card({ fact_price_pct: price, fact_volume_pct: volume });
    const lines = await rows(cardView, [facts(3.2, 1234.56), facts(-0.004, 9.9), facts(120, -79)], {
      width: 100,
      env: { FORCE_COLOR: '1' },
    });
    const plain = lines.slice(1, 4).map((line) => line.replace(/\x1b\[\d+m/g, ''));
    expect(new Set(plain.map((line) => line.indexOf('.'))).size).toBe(1);
    expect(new Set(plain.map((line) => line.lastIndexOf('.'))).size).toBe(1);
    expect(lines[2]).toMatch(/ 0\.00% {2}/);
  });

  it('is coloured on a terminal only, and not where the user forbids it', async () => {
    expect((await rows(cardView, [card()], { width: 80 })).join('')).toContain('\x1b[32m+3.21%\x1b[39m');
    expect((await rows(cardView, [card()])).join('')).not.toContain('\x1b');
    expect((await rows(cardView, [card()], { env: { FORCE_COLOR: '1' } })).join('')).toContain('\x1b[32m');
  });

  it('shows the asked fields exactly', async () => {
    const [header, row] = await rows(cardView, [card()], {}, [
      'fact_funding',
      'created_at',
      'exchanges',
      'last_seen_at',
    ]);
    expect(header).toBe('fact_funding  created_at           exchanges       last_seen_at');
    expect(row).toBe('      0.0001  2026-11-20 15:05:00  binance, bybit  –');
  });

  it('says that there are none on stderr', async () => {
    const { context, noted, output } = outputTo('table');
    await output.list(cardView, pagesOf([[]]));
    expect([context.stdout.text, noted]).toEqual(['', ['No cards.']]);
  });

  it('keeps the columns of a list that comes over hours where they are, below one header', async () => {
    const { context, output } = outputTo('table', { width: 80, env: { NO_COLOR: '1' } });
    const pages = [
      [card({ id: 1, source_symbol: 'X', source_bot_type: 'oi', fact_price_pct: 1 })],
      [
        card({
          id: 1234567890,
          source_symbol: '1000SATSUSDT',
          source_bot_type: 'funding_extreme',
          fact_price_pct: -33.33,
        }),
      ],
      [card({ id: 2, source_symbol: 'A symbol of uncommon length', source_bot_type: 'oi' })],
    ];
    await output.list(cardView, { ...pagesOf(pages), live: true });
    const lines = context.stdout.text.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    const at = lines[0]?.indexOf('TYPE') ?? 0;
    expect(lines.slice(1).map((line) => line.slice(at).split(' ')[0])).toEqual(['oi', 'funding_extreme', 'oi']);
    expect(lines[3]).toContain('A symbol of…');
  });

  it('fits such a list anew, below a new header, once the terminal has another width', async () => {
    const { context, output } = outputTo('table', { width: 100, env: { NO_COLOR: '1' } });
    async function* batches() {
      yield [card({ id: 1 })];
      Object.assign(context.stdout, { columns: 60 });
      yield [card({ id: 2 })];
    }
    await output.list(cardView, { batches: batches(), live: true });
    const lines = context.stdout.text.trimEnd().split('\n');
    expect(lines.map((line) => line.includes('SYMBOL'))).toEqual([true, false, true, false]);
    expect(lines.map((line) => line.length <= 60)).toEqual([false, false, true, true]);
  });
});

describe('FIRED ON', () => {
  const settings = (type: string, conditions: object) => ({ type, active: true, conditions: { ...conditions } });
  const firedOn = async (given: Partial<SignalDetail>, ...known: ReturnType<typeof settings>[]) => {
    const [header = '', row = ''] = await rows(historyCardView(known), [detail(given)]);
    const from = header.indexOf('FIRED ON');
    return row
      .slice(from)
      .replace(/ {2}.*/, '')
      .trim();
  };
  const facts = { fact_price_pct: 0.4, fact_oi_pct: 4.123, fact_volume_pct: -15.9, fact_funding: 0.00109 };

  it.each([
    [{ parts: [{ metric: 'open_interest', value: 3 }] }, 'oi +4.12% 15m'],
    [{ price_pct: null, funding_abs: 0.001 }, 'funding +0.109%'],
    [{ parts: ['volume'] }, 'vol -15.9% 15m'],
    [{ liquidated_usd: 5 }, 'Basis +9 %'],
    [{ price_pct: 3 }, 'price +0.40% 15m'],
  ])('is the fact that the settings name, else the largest change: %j', async (conditions, expected) => {
    const own = settings('pump_dump', conditions);
    const card = { ...facts, changes: ['Price +0.4 %', 'Basis +9 %'] };
    expect(await firedOn(card, settings('other', { metric: 'price' }), own)).toBe(expected);
  });

  it('is the fact that the type names where no settings are known, and what there is where none was supplied', async () => {
    expect(await firedOn({ ...facts, source_bot_type: 'funding_extreme' })).toBe('funding +0.109%');
    expect(await firedOn({ ...facts, source_bot_type: 'oi_growth', fact_oi_pct: null, changes: ['OI'] })).toBe('OI');
    expect(await firedOn({ ...facts, changes: [] })).toBe('–');
  });
});

describe('outcomes', () => {
  it.each([
    [200, /AGE.* 1H .*FIRED ON.*PRICE/],
    [104, /TYPE +1H +1H VS BTC +24H +VS BTC +FIRED ON$/],
    [70, /SYMBOL +TYPE +24H +VS BTC +FIRED ON$/],
    [60, /SYMBOL +TYPE +24H +VS BTC$/],
  ])('in %i columns AGE goes first, then 1 h', async (width, expected) => {
    expect((await rows(cardOutcomeView, [detail()], { width, env: { NO_COLOR: '1' } }))[0]).toMatch(expected);
  });

  it('shows moves, the difference in percentage points, and words where there is none', async () => {
    const lines = await rows(cardOutcomeView, [detail(), detail({ outcome: null })], {
      width: 100,
      env: { NO_COLOR: '1' },
    });
    expect(lines[1]).toMatch(/\+1\.50% +\+1\.00 pp +pending +–/);
    expect(lines[2]).toMatch(/none +– +none +–/);
    expect(lines.slice(3)).toEqual(['']);
  });

  it('always shows the field that a list is sorted by, and marks it', async () => {
    const header = async (sorted: string, width: number, env = {}, fields?: string[]) =>
      (await rows({ ...cardOutcomeView, sorted }, [detail()], { width, env: { NO_COLOR: '1', ...env } }, fields))[0];
    expect(await header('fact_oi_usd', 200)).toMatch(/ OI USD ↓ /);
    expect(await header('-fact_oi_usd', 60)).toMatch(/^ *ID +.*OI USD ↑( |$)/);
    expect(await header('outcome.entry_price', 60, { LANG: 'C' })).toMatch(/^ +ID +outcome\.entry_price v /);
    expect(await header('id', 60, {}, ['source_symbol', 'id'])).toMatch(/^source_symbol +id ↓$/);
  });

  it('shows times in the zone of SCREENER_TZ, named in the header', async () => {
    const items = [detail({ created_at: '2026-11-20T23:30:00Z' })];
    const shown = (SCREENER_TZ: string, fields?: string[]) =>
      rows(cardOutcomeView, items, { env: { SCREENER_TZ } }, fields);
    const lines = await shown('Europe/Berlin');
    expect(lines[0]).toContain('TIME (Europe/Berlin)');
    expect(lines[1]).toContain('2026-11-21 00:30');
    expect(await shown('Asia/Tokyo', ['created_at'])).toEqual(['created_at (Asia/Tokyo)', '2026-11-21 08:30:00', '']);
    expect((await shown(''))[0]).toContain('TIME (UTC)');
  });

  it('has no sign beyond ASCII in another locale', async () => {
    const env = { NO_COLOR: '1', LANG: 'C' };
    const lines = await rows(cardOutcomeView, [detail({ source_symbol: 'A'.repeat(90) })], { width: 80, env });
    expect(lines.join('\n')).toMatch(/^[\n\x20-\x7e]*$/);
    expect(lines[1]).toContain('A~ ');
  });
});

describe('signals show', () => {
  it('fits a screen of 80 x 24, facts beside the entry context', async () => {
    const text = await page(detailView, detail(), { width: 80, env: { NO_COLOR: '1' } });
    expect(text).toMatch(/^Facts \(latest update of the episode\) +Entry context \(entry snapshot\)$/m);
    expect(text).toMatch(/^Price +\S+ +rsi_14 +31\.25$/m);
    expect(text).toMatch(/Open interest +-0\.50% {2}\(52\.1M USD\)/);
    expect(text).toMatch(/Funding +0\.0100% {2}\(0\.0001\)/);
    expect(text).toMatch(
      /^Card 48211: BTCUSDT, pump_dump\nAFTER .*\n1h +\+1\.50% +\+0\.50% +\+1\.00 pp\n24h +pending +– +–\n/,
    );
    expect(text).toContain("Filtered notification history (not this card's page)\nhttps://app.example.com/");
    expect(text.split('\n').length).toBeLessThanOrEqual(22);
    const narrow = await page(detailView, detail(), { width: 50, env: { NO_COLOR: '1' } });
    expect(narrow).toMatch(/^Entry context \(entry snapshot\)\nrsi_14 +31\.25$/m);
  });

  it('says so where a history has not bought the outcome', async () => {
    const text = await page(detailView, card() as SignalDetail);
    expect(text).toMatch(/^Card .*\nNot bought: `signals export` buys it when it is due\.\n/);
    expect(text).not.toContain('Entry context');
  });

  it('says so where there is no outcome and no context', async () => {
    const text = await page(detailView, detail({ outcome: null, entry_context: {} }));
    expect(text).toMatch(/^Card .*\nNo outcome is recorded\.\n/);
    expect(text).toContain('(entry snapshot)\nempty');
  });

  it('writes several cards one below the other', async () => {
    const text = (await rows(detailView, [detail(), detail({ id: 7 })])).join('\n');
    expect(text).toMatch(/^Card 48211: BTCUSDT, pump_dump\n[\s\S]*\n\n\nCard 7: BTCUSDT, pump_dump\n/);
  });
});

describe('stats', () => {
  it('shows both horizons side by side', async () => {
    const text = await page(statsView, stats());
    expect(text).toMatch(/ {2,}24 HOURS +1 HOUR\n/);
    expect(text).toMatch(/Median move +– +\+0\.42%\n/);
    expect(text).toMatch(/Median vs BTC +– +-0\.31 pp/);
    expect(text).not.toMatch(/STALE|limited/);
    expect(await page(statsView, stats({ stale: true, sample_limited: true }))).toMatch(/STALE[\s\S]*was limited/);
  });
});

describe('screeners', () => {
  it('summarises the conditions', async () => {
    const conditions = { price: { min: 3 }, exchanges: ['binance'], note: 'x\ny' };
    const lines = await rows(screenersView, [
      { type: 'pump_dump', active: true, conditions },
      { type: 'oi', active: false, conditions: {} },
    ]);
    expect(lines[1]).toBe('pump_dump  price: min 3 | exchanges: binance | note x\\ny');
    expect(lines[2]).toBe('oi (off)   none');
    expect(lines.slice(3)).toEqual(['']);
  });

  it.each([
    ['oi', 'gte', 2.8, 60, 'oi up 2.8 % or more in 60 min'],
    ['price', 'abs_gte', 1.6, 15, 'price up or down 1.6 % or more in 15 min'],
    ['funding', 'abs_gte', 0.0006, null, 'funding 0.0006 or more either way'],
    ['liquidated_usd', 'gte', 500000, 5, 'liquidated_usd 500000 or more in 5 min'],
  ])('says a known shape as a person would: %s %s %d', async (metric, comparison, value, window_min, words) => {
    const conditions = {
      parts: [{ metric, comparison, value, window_min }],
      rate_limit: { notifications: 1, per_minutes: 15 },
    };
    const [, row] = await rows(screenersView, [{ type: 'a', active: true, conditions }]);
    expect(row).toBe(`a     ${words}; 1 card in 15 min`);
  });

  it.each([
    [{ parts: [{ metric: 'oi', comparison: 'crosses', value: 3, window_min: 5 }] }, 'parts: metric oi, comparison cr'],
    [{ parts: [{ metric: 'oi', comparison: 'gte', value: 3, window_min: 5, on: 'close' }] }, 'parts: metric oi, comp'],
    [{ rate_limit: { notifications: 1, per_hours: 15 } }, 'rate_limit: notifications 1, per_hours 15'],
    [{ parts: [] as object[], mode: 'any' }, 'parts: none | mode any'],
  ])('tells any other shape as it is: %j', async (conditions, words) => {
    const [, row] = await rows(screenersView, [{ type: 'a', active: true, conditions }]);
    expect(row?.slice(6)).toMatch(new RegExp(`^${words.replace('|', '\\|')}`));
  });

  it('are below the rows where they do not fit', async () => {
    const parts = (value: number) => [
      { metric: 'price_pct', comparison: 'gte', value, deep: { inner: { more: { most: [1] } } } },
      { metric: 'oi_pct', value: null },
    ];
    const limit = { per_minutes: 15, only: [] };
    const lines = await rows(
      screenersView,
      [
        { type: 'a', active: true, conditions: { parts: parts(3), limit, name: 'x'.repeat(60) } },
        { type: 'b', active: false, conditions: { parts: parts(4), limit } },
      ],
      { width: 60, env: { NO_COLOR: '1' } },
    );
    expect(lines).toEqual([
      'TYPE',
      'a',
      '  parts: metric price_pct, comparison gte, value 3, deep',
      '  (inner {"more":{"most":[1]}}); metric oi_pct, value – |',
      '  limit: per_minutes 15, only none | name',
      `  ${'x'.repeat(58)}`,
      '  xx',
      'b (off)',
      '  parts: metric price_pct, comparison gte, value 4, deep',
      '  (inner {"more":{"most":[1]}}); metric oi_pct, value – |',
      '  limit: per_minutes 15, only none',
      '',
    ]);
  });
});
