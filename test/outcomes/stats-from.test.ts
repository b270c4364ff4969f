import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run as runStats } from '../../src/commands/stats-local.ts';
import type { GroupFigures, HorizonFigures } from '../../src/outcomes/figure-table.ts';
import type { GroupBy } from '../../src/outcomes/types.ts';
import { bare, cardOf, directory, invocationOf, Service } from '../history/support.ts';
import { writeCards } from './support.ts';

interface Options {
  since?: number;
  until?: number;
  type?: string;
  by?: GroupBy;
  sort?: string;
  minSample?: number;
  format?: 'json' | 'table';
}

async function stats(dir: string, { format = 'json', ...options }: Options = {}) {
  const invocation = invocationOf({ format });
  await runStats(invocation, { directory: dir, ...options });
  return { result: invocation.said.results[0] as never as Report, said: invocation.said };
}

interface Report extends Omit<GroupFigures, 'group'> {
  items: GroupFigures[];
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
  const other = outcomes.filter((o) => o?.[`state_${h}`] === 'new_state').length;
  const ties = differences.filter((d) => d === 0).length;
  const beats = differences.filter((d) => d > 0).length;
  return {
    sample: moves.length,
    pending,
    missing: cards.length - without - pending - other - moves.length,
    other_states: other,
    without_outcome: without,
    distinct_symbols: new Set(measured.map((one) => one.source_symbol)).size,
    distinct_days: new Set(measured.map((one) => String(one.created_at).slice(0, 10))).size,
    median: interpolated(moves, 0.5),
    quartiles: moves.length === 0 ? null : [interpolated(moves, 0.25), interpolated(moves, 0.75)],
    btc_sample: paired.length,
    median_vs_btc: interpolated(differences, 0.5),
    ties_with_btc: ties,
    share: paired.length === ties ? null : beats / (paired.length - ties),
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

function near(actual: number | null, expected: number | null): void {
  if (expected === null) expect(actual).toBeNull();
  // Printed with 6 digits.
  else expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(6e-6 * Math.abs(expected));
}

function compare(report: HorizonFigures, cards: Record<string, unknown>[], h: '1h' | '24h'): void {
  const expected = byDefinition(cards, h);
  for (const name of [
    'sample',
    'pending',
    'missing',
    'other_states',
    'without_outcome',
    'distinct_symbols',
    'distinct_days',
    'ties_with_btc',
  ] as const) {
    expect([name, report[name]]).toEqual([name, expected[name]]);
  }
  near(report.median_move_pct, expected.median);
  near(report.quartiles_move_pct?.low ?? null, expected.quartiles?.[0] ?? null);
  near(report.quartiles_move_pct?.high ?? null, expected.quartiles?.[1] ?? null);
  expect(report.btc_sample).toBe(expected.btc_sample);
  near(report.median_vs_btc_percentage_points, expected.median_vs_btc);
  near(report.share_above_btc, expected.share);
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
        const dir = writeCards(`${root}-${run}`, cards);
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
          const { items } = (await stats(dir, { by, sort: '-group' })).result;
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
    writeCards(dir, details);
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
    const dir = writeCards(directory(), cards);
    const since = Date.parse(cards[2]?.created_at ?? '');
    const until = Date.parse(cards[7]?.created_at ?? '');
    expect((await stats(dir, { since, until })).result.rows).toBe(6);
    expect((await stats(dir, { since, until, type: 'pump' })).result.rows).toBe(3);
  });

  it('is not yet measurable where nothing has settled', async () => {
    const pending = cardOf(1, 30);
    const one = { ...pending, outcome: { ...pending.outcome, state_24h: 'pending', move_24h_pct: null } };
    const dir = writeCards(directory(), [one, ...Array.from({ length: 4 }, (_, i) => bare(cardOf(i + 2, 20)))]);
    const { result } = await stats(dir);
    expect(result).toMatchObject({ rows: 5, bought: 1, due: 1, bought_share: 1 });
    expect(result.horizons['24h']).toMatchObject({
      sample: 0,
      pending: 1,
      without_outcome: 4,
      effective_sample: null,
      median_move_pct: null,
      median_move_pct_interval_95: null,
      quartiles_move_pct: null,
      share_above_btc: null,
      verdict: null,
    });
  });

  it('says what share of the due was bought, by group', async () => {
    const cards = Array.from({ length: 40 }, (_, i) => cardOf(i + 1, 20 + i));
    const dir = writeCards(
      directory(),
      cards.map((one) => (one.id % 4 === 1 ? one : bare(one))),
    );
    // Cards 6 to 40 are 25 hours old; of them 9, 13 … 37 were bought, all of one type.
    expect((await stats(dir)).result).toMatchObject({ rows: 40, bought: 10, due: 35, bought_share: 0.228571 });
    const { items } = (await stats(dir, { by: 'type', sort: '-group' })).result;
    expect(items.map(({ group, bought, bought_share }) => [group, bought, bought_share])).toEqual([
      ['oi_surge', 10, expect.closeTo(8 / 17)],
      ['pump', 0, 0],
    ]);
  });

  it('leaves out small groups, and does not count them among the comparisons', async () => {
    const cards = Array.from({ length: 150 }, (_, i) =>
      cardOf(i + 1, 30 + i * 3, { source_bot_type: i % 10 === 0 ? 'rare' : 'often' }),
    );
    const dir = writeCards(directory(), cards);
    const all = (await stats(dir, { by: 'type' })).result as unknown as Record<string, unknown>;
    const some = (await stats(dir, { by: 'type', minSample: 100 })).result as unknown as Record<string, unknown>;
    expect([all.comparisons, all.groups_left_out]).toEqual([2, 0]);
    expect([some.comparisons, some.groups_left_out]).toEqual([1, 1]);
  });

  it('counts what a killed run left in the journal, each card once', async () => {
    const dir = writeCards(directory(), [bare(cardOf(1, 30)), cardOf(2, 30)]);
    const entries = [
      { kind: 'detail', detail: cardOf(1, 30), asked: { times: 1, at: '2026-11-20T00:00:00Z' } },
      { kind: 'page', items: [bare(cardOf(3, 30))], coverage: { covered: null, walk: null } },
    ];
    writeFileSync(join(dir, '.journal.ndjson'), `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n{"kin`);
    const { result } = await stats(dir);
    expect(result.rows).toBe(3);
    expect(result.horizons['1h']).toMatchObject({ sample: 2, without_outcome: 1 });
  });

  it('warns of damaged lines and counts the rest', async () => {
    const dir = writeCards(directory(), [cardOf(1, 30), cardOf(2, 30)]);
    const path = join(dir, 'signals-2026-11.ndjson');
    const whole = JSON.stringify(cardOf(3, 30));
    writeFileSync(path, `${whole.slice(0, 200)}\n\n[1]\nnull\n{"id":1}\n${whole}\n${whole.slice(0, -1)}`);
    const { result, said } = await stats(dir);
    expect(result.rows).toBe(1);
    expect(said.warnings).toEqual([expect.stringContaining('5 lines are no cards')]);
  });

  it('names a type that the history has no card of, and what it probably meant', async () => {
    const dir = writeCards(directory(), [cardOf(1, 30)]);
    const known = cardOf(1, 30).source_bot_type;
    const { said } = await stats(dir, { type: `${known}x` });
    expect(said.notes).toEqual([expect.stringContaining(`Did you mean ${known}?`)]);
  });

  it('refuses what is no export directory', async () => {
    const dir = directory();
    await expect(stats(`${dir} 2`)).rejects.toMatchObject({ hint: expect.stringContaining(`export '${dir} 2'`) });
    await expect(stats(dir)).rejects.toMatchObject({ code: 'no_history', exitCode: 1 });
    mkdirSync(dir);
    await expect(stats(dir)).rejects.toMatchObject({ code: 'no_history', exitCode: 1 });
    writeFileSync(join(dir, 'x'), '');
    await expect(stats(join(dir, 'x'))).rejects.toMatchObject({ code: 'no_history', exitCode: 1 });
  });
});
