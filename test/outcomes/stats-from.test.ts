import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run as runStats } from '../../src/commands/stats-from.ts';
import type { StoredCard } from '../../src/history/layout.ts';
import { halfBinomialCdf, medianIntervalRanks, wilson } from '../../src/outcomes/order.ts';
import type { HorizonReport } from '../../src/outcomes/report.ts';
import { bare, cardOf, exportInto, invocationOf, Service, temporaryDirectories } from '../history/support.ts';

const directory = temporaryDirectories();

interface Options {
  since?: number;
  until?: number;
  type?: string;
  by?: 'type' | 'symbol' | 'day';
  format?: 'json' | 'table';
}

async function stats(dir: string, { format = 'json', ...options }: Options = {}) {
  const invocation = invocationOf({ format });
  await runStats(invocation, { directory: dir, ...options });
  return { result: invocation.said.results[0] as never as Report, said: invocation.said };
}

interface Report {
  rows: number;
  horizons: Record<'1h' | '24h', HorizonReport>;
  items: { group: string; rows: number; horizons: Record<'1h' | '24h', HorizonReport> }[];
}

function write(dir: string, details: readonly object[]): string {
  mkdirSync(dir, { recursive: true });
  const months = new Map<string, string[]>();
  for (const one of details as StoredCard[]) {
    const month = new Date(one.created_at).toISOString().slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), JSON.stringify(one)]);
  }
  for (const [month, lines] of months) writeFileSync(join(dir, `signals-${month}.ndjson`), `${lines.join('\n')}\n`);
  return dir;
}

const states = ['pending', 'missing', 'available', 'new_state'];
const percent = fc.option(
  fc.integer({ min: -50_000, max: 50_000 }).map((n) => n / 1000),
  { freq: 6 },
);
const outcome = fc.record({
  entry_at: fc.constant('2026-11-01T00:00:00Z'),
  entry_price: fc.constant(1),
  state_1h: fc.constantFrom(...states, 'available', 'available'),
  move_1h_pct: percent,
  btc_move_1h_pct: percent,
  state_24h: fc.constantFrom(...states, 'available', 'available'),
  move_24h_pct: percent,
  btc_move_24h_pct: percent,
});
const histories = fc.array(
  fc.record({
    outcome: fc.option(outcome, { freq: 8 }),
    hours: fc.integer({ min: 1, max: 400 }),
    bought: fc.boolean(),
    symbol: fc.constantFrom('AUSDT', 'BUSDT', 'CUSDT'),
  }),
  { maxLength: 60 },
);

/** Straight from the definitions, with none of the program's own code. */
function byDefinition(cards: Record<string, unknown>[], h: '1h' | '24h') {
  const outcomes = cards.map((one) => one.outcome as Record<string, number | string | null> | null | undefined);
  const measured = cards.filter((one) => {
    const o = one.outcome as Record<string, unknown> | null | undefined;
    return o && o[`state_${h}`] === 'available' && o[`move_${h}_pct`] !== null;
  });
  const figures = (one: Record<string, unknown>) => one.outcome as Record<string, number | null>;
  const moves = measured.map((one) => figures(one)[`move_${h}_pct`] as number);
  const paired = measured.filter((one) => figures(one)[`btc_move_${h}_pct`] !== null);
  const differences = paired.map(
    (one) => (figures(one)[`move_${h}_pct`] as number) - (figures(one)[`btc_move_${h}_pct`] as number),
  );
  const without = outcomes.filter((o) => !o).length;
  const pending = outcomes.filter((o) => o?.[`state_${h}`] === 'pending').length;
  const beats = differences.filter((d) => d > 0).length;
  return {
    sample: moves.length,
    pending,
    missing: cards.length - without - pending - moves.length,
    without_outcome: without,
    distinct_symbols: new Set(measured.map((one) => one.source_symbol)).size,
    distinct_days: new Set(measured.map((one) => String(one.created_at).slice(0, 10))).size,
    median: interpolated(moves, 0.5),
    quartiles: moves.length === 0 ? null : [interpolated(moves, 0.25), interpolated(moves, 0.75)],
    interval: intervalOf(moves),
    btc_sample: paired.length,
    median_vs_btc: interpolated(differences, 0.5),
    share: paired.length === 0 ? null : beats / paired.length,
    wilson: paired.length === 0 ? null : wilsonByRoots(beats, paired.length),
  };
}

function interpolated(values: number[], p: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const h = (sorted.length - 1) * p;
  const below = sorted[Math.floor(h)] as number;
  const above = sorted[Math.ceil(h)] as number;
  return below + (h - Math.floor(h)) * (above - below);
}

/** The widest cut on both sides that leaves at most 2.5 % out, by exact binomial coefficients. */
function exactRank(n: number): number | null {
  let coefficient = 1n;
  let sum = 0n;
  let rank: number | null = null;
  for (let i = 0; i <= n; i += 1) {
    sum += coefficient;
    if (sum * 1000n > 25n * 2n ** BigInt(n)) break;
    rank = i;
    coefficient = (coefficient * BigInt(n - i)) / BigInt(i + 1);
  }
  return rank;
}

function intervalOf(values: number[]): [number, number] | null {
  const rank = exactRank(values.length);
  if (rank === null) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return [sorted[rank] as number, sorted[sorted.length - 1 - rank] as number];
}

/** Wilson's interval holds every p with |share - p| <= z * sqrt(p (1 - p) / n): the roots of a quadratic. */
function wilsonByRoots(k: number, n: number): [number, number] {
  const z = 1.959963984540054;
  const a = 1 + z ** 2 / n;
  const b = -2 * (k / n) - z ** 2 / n;
  const c = (k / n) ** 2;
  const root = Math.sqrt(Math.max(0, b * b - 4 * a * c));
  return [(-b - root) / (2 * a), (-b + root) / (2 * a)];
}

function near(actual: number | null, expected: number | null): void {
  if (expected === null) expect(actual).toBeNull();
  else expect(actual).toBeCloseTo(expected, 9);
}

function compare(report: HorizonReport, cards: Record<string, unknown>[], h: '1h' | '24h'): void {
  const expected = byDefinition(cards, h);
  for (const name of [
    'sample',
    'pending',
    'missing',
    'without_outcome',
    'distinct_symbols',
    'distinct_days',
  ] as const) {
    expect([name, report[name]]).toEqual([name, expected[name]]);
  }
  near(report.median_move_pct, expected.median);
  near(report.quartiles_move_pct?.low ?? null, expected.quartiles?.[0] ?? null);
  near(report.quartiles_move_pct?.high ?? null, expected.quartiles?.[1] ?? null);
  near(report.median_move_pct_interval_95?.low ?? null, expected.interval?.[0] ?? null);
  near(report.median_move_pct_interval_95?.high ?? null, expected.interval?.[1] ?? null);
  expect(report.btc_sample).toBe(expected.btc_sample);
  near(report.median_vs_btc_percentage_points, expected.median_vs_btc);
  near(report.share_beating_btc, expected.share);
  near(report.share_beating_btc_interval_95?.low ?? null, expected.wilson?.[0] ?? null);
  near(report.share_beating_btc_interval_95?.high ?? null, expected.wilson?.[1] ?? null);
}

describe('stats --from', () => {
  it('gives what the definitions say, grouped and not, over random histories', async () => {
    let run = 0;
    const root = directory();
    await fc.assert(
      fc.asyncProperty(histories, async (rows) => {
        const cards = rows.map(({ outcome, hours, bought, symbol }, i) => {
          const one = cardOf(i + 1, hours, { outcome: outcome as never, source_symbol: symbol });
          return (bought || outcome !== null ? one : bare(one)) as unknown as Record<string, unknown>;
        });
        run += 1;
        if (cards.length === 0) return;
        const dir = write(`${root}-${run}`, cards);
        const { result } = await stats(dir);
        expect(result.rows).toBe(cards.length);
        compare(result.horizons['1h'], cards, '1h');
        compare(result.horizons['24h'], cards, '24h');
        const keyOf = {
          symbol: (one: Record<string, unknown>) => String(one.source_symbol),
          type: (one: Record<string, unknown>) => String(one.source_bot_type),
          day: (one: Record<string, unknown>) => String(one.created_at).slice(0, 10),
        };
        for (const by of ['symbol', 'type', 'day'] as const) {
          const { items } = (await stats(dir, { by })).result;
          expect(items.map(({ group }) => group)).toEqual([...new Set(cards.map(keyOf[by]))].sort());
          for (const item of items) {
            const mine = cards.filter((one) => keyOf[by](one) === item.group);
            expect(item.rows).toBe(mine.length);
            compare(item.horizons['1h'], mine, '1h');
            compare(item.horizons['24h'], mine, '24h');
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it("agrees with the API's own statistics on a complete history", async () => {
    const details = Array.from({ length: 120 }, (_, i) =>
      cardOf(120 - i, 25 + i * 2, i % 11 === 0 ? { outcome: null } : {}),
    ).map((one, i) => {
      if (one.outcome === null) return one;
      if (i % 7 === 1) return { ...one, outcome: { ...one.outcome, state_24h: 'missing', move_24h_pct: null } };
      if (i % 9 === 2) return { ...one, outcome: { ...one.outcome, state_24h: 'pending', move_24h_pct: null } };
      return i % 5 === 3 ? { ...one, outcome: { ...one.outcome, btc_move_1h_pct: null } } : one;
    });
    const service = new Service({ details });
    const dir = directory();
    await exportInto(dir, service);
    for (const type of [undefined, 'pump', 'oi_surge']) {
      const api = await service.connect().client.call('stats', { screener_type: type });
      const { result } = await stats(dir, type === undefined ? {} : { type });
      for (const horizon of ['1h', '24h'] as const) {
        const theirs = api.horizons[horizon];
        const ours = result.horizons[horizon];
        for (const name of ['sample', 'pending', 'missing', 'btc_sample'] as const)
          expect(ours[name]).toBe(theirs[name]);
        expect(ours.median_move_pct).toBeCloseTo(theirs.median_move_pct as number, 4);
        expect(ours.median_vs_btc_percentage_points).toBeCloseTo(theirs.median_vs_btc_percentage_points as number, 4);
      }
    }
  });

  it('takes only what was asked for, both ends included', async () => {
    const cards = Array.from({ length: 10 }, (_, i) => cardOf(i + 1, 24 * (10 - i)));
    const dir = write(directory(), cards);
    const since = Date.parse(cards[2]?.created_at ?? '');
    const until = Date.parse(cards[7]?.created_at ?? '');
    expect((await stats(dir, { since, until })).result.rows).toBe(6);
    expect((await stats(dir, { since, until, type: 'pump' })).result.rows).toBe(3);
    await expect(stats(dir, { since: until, until: since })).rejects.toMatchObject({ code: 'usage' });
  });

  it('is not yet measurable where nothing has settled, and gives no interval below 6', async () => {
    const pending = cardOf(1, 30);
    const one = { ...pending, outcome: { ...pending.outcome, state_24h: 'pending', move_24h_pct: null } };
    const dir = write(directory(), [one, ...Array.from({ length: 4 }, (_, i) => bare(cardOf(i + 2, 20)))]);
    const { result } = await stats(dir);
    expect(result.horizons['24h']).toMatchObject({
      sample: 0,
      pending: 1,
      without_outcome: 4,
      median_move_pct: null,
      median_move_pct_interval_95: null,
      quartiles_move_pct: null,
      share_beating_btc: null,
    });
    const five = write(
      directory(),
      Array.from({ length: 5 }, (_, i) => cardOf(i + 1, 30)),
    );
    expect((await stats(five)).result.horizons['1h'].median_move_pct_interval_95).toBeNull();
    const six = write(
      directory(),
      Array.from({ length: 6 }, (_, i) => cardOf(i + 1, 30)),
    );
    const moves = Array.from({ length: 6 }, (_, i) => cardOf(i + 1, 30).outcome?.move_1h_pct as number);
    expect((await stats(six)).result.horizons['1h'].median_move_pct_interval_95).toEqual({
      low: Math.min(...moves),
      high: Math.max(...moves),
    });
  });

  it('counts what a killed run left in the journal, each card once', async () => {
    const dir = write(directory(), [bare(cardOf(1, 30)), cardOf(2, 30)]);
    const entries = [
      { kind: 'detail', detail: cardOf(1, 30), asked: { times: 1, at: '2026-11-20T00:00:00Z' } },
      { kind: 'page', items: [bare(cardOf(3, 30))], coverage: { covered: null, walk: null, newest: null } },
    ];
    writeFileSync(join(dir, '.journal.ndjson'), `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n{"kin`);
    const { result } = await stats(dir);
    expect(result.rows).toBe(3);
    expect(result.horizons['1h']).toMatchObject({ sample: 2, without_outcome: 1 });
  });

  it('warns of damaged lines and counts the rest', async () => {
    const dir = write(directory(), [cardOf(1, 30), cardOf(2, 30)]);
    const path = join(dir, 'signals-2026-11.ndjson');
    const whole = JSON.stringify(cardOf(3, 30));
    writeFileSync(path, `${whole.slice(0, 200)}\n\n[1]\nnull\n{"id":1}\n${whole}\n${whole.slice(0, -1)}`);
    const { result, said } = await stats(dir);
    expect(result.rows).toBe(1);
    expect(said.warnings).toEqual([expect.stringContaining('5 lines are no cards')]);
  });

  it('refuses what is no export directory', async () => {
    const dir = directory();
    await expect(stats(dir)).rejects.toMatchObject({ code: 'usage' });
    mkdirSync(dir);
    await expect(stats(dir)).rejects.toMatchObject({ code: 'usage' });
    writeFileSync(join(dir, 'x'), '');
    await expect(stats(join(dir, 'x'))).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('formulas', () => {
  it('ranks of the interval are those of the exact binomial distribution', () => {
    for (let n = 0; n <= 600; n += 1) expect([n, medianIntervalRanks(n)?.low ?? null]).toEqual([n, exactRank(n)]);
    // Known tables: n = 10 -> 2nd and 9th, n = 100 -> 40th and 61st value.
    expect(medianIntervalRanks(10)).toEqual({ low: 1, high: 8 });
    expect(medianIntervalRanks(100)).toEqual({ low: 39, high: 60 });
    for (const n of [5_000, 1_000_000]) {
      const { low } = medianIntervalRanks(n) ?? { low: 0 };
      expect(halfBinomialCdf(n, low)).toBeLessThanOrEqual(0.025);
      expect(halfBinomialCdf(n, low + 1)).toBeGreaterThan(0.025);
      expect(Math.abs(low - (n / 2 - 0.98 * Math.sqrt(n)))).toBeLessThan(2);
    }
  });

  it('Wilson stays within 0 and 1 and holds the share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const k = Math.round(n * share);
        const { low, high } = wilson(k, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(k / n);
        expect(high).toBeGreaterThanOrEqual(k / n);
      }),
    );
  });
});
