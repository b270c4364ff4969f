/** Every picture of the report is read back, place by place, and is what `stats` says, or the history's lines. */
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHome, type Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { lacksBrowser, look, openBrowser } from './browser.ts';
import { FIRST, report, world } from './histories.ts';

const DAY = 86_400_000;

interface Tick {
  readonly text: string;
  readonly at: number;
}

/** Places in pixels, from the left and from above. */
interface Mark {
  readonly kind: 'rect' | 'circle' | 'line' | 'path';
  readonly look: string;
  readonly title: string;
  readonly [place: string]: unknown;
}

interface Plot {
  readonly width: number;
  readonly x: readonly Tick[];
  readonly y: readonly Tick[];
  readonly marks: readonly Mark[];
}

interface Forest {
  readonly x: readonly Tick[];
  readonly rows: readonly {
    readonly part: string;
    readonly name: string;
    readonly sample: string;
    readonly verdict: string;
    readonly marks: readonly Mark[];
  }[];
}

type Table = readonly (readonly { readonly text: string; readonly look: string }[])[];

interface Figures {
  readonly btc_sample: number;
  readonly median_move_pct: number;
  readonly median_vs_btc_percentage_points: number;
  readonly median_vs_btc_interval_95: { readonly low: number; readonly high: number } | null;
  readonly verdict: string;
}

interface Group {
  readonly group: string;
  readonly rows: number;
  readonly bought: number;
  readonly horizons: Record<'1h' | '24h', Figures>;
}

interface Card {
  readonly id: number;
  readonly created_at: string;
  readonly source_symbol: string;
  readonly source_bot_type: string;
  readonly outcome?: Record<`${'' | 'btc_'}move_${'1h' | '24h'}_pct`, number>;
}

interface World {
  /** Cards with an outcome. */
  readonly measured: readonly (Card & Required<Pick<Card, 'outcome'>>)[];
  readonly by: Record<'type' | 'symbol' | 'day' | 'hour' | 'weekday', readonly Group[]>;
  readonly plots: Record<'cards' | 'spread' | 'days' | 'btc' | 'clock', readonly Plot[]>;
  readonly forest: Forest;
  readonly tables: Record<'symbols-types' | 'largest', readonly Table[]>;
}

/** Days are drawn one by one, and outcomes as dots; or weeks, and squares of many outcomes. */
const WORLDS = { days: { days: 40, perDay: 12, together: 1 }, weeks: { days: 210, perDay: 10, together: 7 } };

describe.skipIf(lacksBrowser())('the pictures', () => {
  let home: Home;
  let browser: Browser;
  beforeAll(async () => {
    home = createHome();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    home.remove();
  });

  describe.each(Object.entries(WORLDS))('by %s', (name, { days, perDay, together }) => {
    let drawn: World;
    beforeAll(async () => {
      const cards = world(days, perDay).map((one, index) => (index % 7 === 3 ? withoutOutcome(one) : one)) as Card[];
      drawn = await readWorld(home, browser, name, cards);
    });

    const timeOf = ({ created_at }: Card) => Date.parse(created_at);
    const periodOf = (at: number) => Math.floor((at - FIRST) / (together * DAY));
    // The axis says no year: a month before the first one is of the next year.
    const dateOf = (text: string) => {
      const at = Date.parse(`${text} 2026 UTC`);
      return at < FIRST ? Date.parse(`${text} 2027 UTC`) : at;
    };

    it('cards and bought outcomes', () => {
      const [plot] = drawn.plots.cards;
      const [x, y] = [axisOf(plot?.x, dateOf), axisOf(plot?.y)];
      const bars = marksOf(plot, 'bar').map(({ left, right, top, bottom, look }) => ({
        period: periodOf(x((left + right) / 2)),
        count: y(top) - y(bottom),
        look,
      }));
      for (const [look, field] of [
        ['bar', 'rows'],
        ['bar bought', 'bought'],
      ] as const) {
        const counts = new Map<number, number>();
        for (const one of drawn.by.day) {
          const period = periodOf(Date.parse(one.group));
          counts.set(period, (counts.get(period) ?? 0) + one[field]);
        }
        expect(bars.filter((bar) => bar.look === look).map(({ period, count }) => ({ period, count }))).toEqual(
          [...counts].sort(([a], [b]) => a - b).map(([period, count]) => ({ period, count: expect.closeTo(count, 1) })),
        );
      }
    });

    it('histograms', () => {
      expect(drawn.plots.spread).toHaveLength(2);
      for (const [index, horizon] of (['1h', '24h'] as const).entries()) {
        const plot = drawn.plots.spread[index];
        const [x, y] = [axisOf(plot?.x), axisOf(plot?.y)];
        const moves = drawn.measured.map(({ outcome }) => outcome[`move_${horizon}_pct`]);
        const bars = marksOf(plot, 'bar move').map(({ left, right, top, bottom }) => {
          // A bin's ends are round; a bar leaves a hair's breadth to its neighbours.
          const step = roundStep(x(right) - x(left));
          const [low = 0, high = 0] = [x(left), x(right)].map((edge) =>
            Number((Math.round(edge / step) * step).toFixed(6)),
          );
          return { low, high, count: y(top) - y(bottom) };
        });
        const highest = bars.at(-1)?.high;
        expect(bars).toEqual(
          bars.map(({ low, high }) => ({
            low,
            high,
            count: expect.closeTo(
              moves.filter((move) => move >= low && (move < high || (move === high && high === highest))).length,
              1,
            ),
          })),
        );
        const within = bars.reduce((sum, { count }) => sum + count, 0);
        expect(within).toBeGreaterThan(0.95 * moves.length);
        expect(x(lineOf(plot, 'median').x1)).toBeCloseTo(quantile(moves, 0.5), 2);
      }
    });

    it('medians and their course', () => {
      const [plot] = drawn.plots.days;
      const [x, y] = [axisOf(plot?.x, dateOf), axisOf(plot?.y)];
      const periods: number[][] = [];
      for (const card of drawn.measured) {
        const period = periodOf(timeOf(card));
        periods[period] = [...(periods[period] ?? []), card.outcome.move_24h_pct];
      }
      const dots = marksOf(plot, 'pt').map((dot) => ({ period: periodOf(x(dot.x)), median: y(dot.y) }));
      expect(dots).toEqual(
        periods.map((moves, period) => ({ period, median: expect.closeTo(quantile(moves, 0.5), 2) })),
      );
      if (together === 1) {
        expect(dots.map(({ median }) => median)).toEqual(
          drawn.by.day.map(({ horizons }) => expect.closeTo(horizons['24h'].median_move_pct, 2)),
        );
      }
      const points = plot?.marks.find(({ kind }) => kind === 'path')?.points as { x: number; y: number }[];
      expect(points.map((point) => ({ period: periodOf(x(point.x)), median: y(point.y) }))).toEqual(
        periods.map((_, period) => ({
          period,
          median: expect.closeTo(quantile(periods.slice(Math.max(0, period - 3), period + 4).flat(), 0.5), 1),
        })),
      );
    });

    it("moves against BTC's", () => {
      const [plot] = drawn.plots.btc;
      const [x, y] = [axisOf(plot?.x), axisOf(plot?.y)];
      const same = lineOf(plot, 'same');
      expect([x(same.x1), x(same.x2)]).toEqual([expect.closeTo(y(same.y1), 1), expect.closeTo(y(same.y2), 1)]);
      if (together === 1) {
        const dots = marksOf(plot, 'faint');
        expect(dots.length).toBeGreaterThan(0.95 * drawn.measured.length);
        for (const dot of dots) {
          const card = drawn.measured.find(({ id }) => dot.title.includes(`, card ${id}: `));
          expect([x(dot.x), y(dot.y)]).toEqual([
            expect.closeTo(card?.outcome.btc_move_24h_pct ?? Number.NaN, 2),
            expect.closeTo(card?.outcome.move_24h_pct ?? Number.NaN, 2),
          ]);
        }
        return;
      }
      const squares = plot?.marks.filter(({ kind }) => kind === 'rect') as unknown as Rect[];
      const most = Math.max(...squares.map(({ title }) => Number.parseInt(title, 10)));
      let wrong = 0;
      for (const { left, right, top, bottom, title, look } of squares) {
        const said = Number.parseInt(title, 10);
        const inside = drawn.measured.filter(
          ({ outcome: { move_24h_pct: move, btc_move_24h_pct: btc } }) =>
            btc >= x(left) && btc < x(right) && move <= y(top) && move > y(bottom),
        );
        wrong += Math.abs(said - inside.length);
        expect(look).toBe(`d${Math.ceil(Math.sqrt(said / most) * 5)}`);
      }
      // A few lie on an edge, and the browser's places are rounded.
      expect(wrong).toBeLessThan(0.01 * drawn.measured.length);
      const all = squares.reduce((sum, { title }) => sum + Number.parseInt(title, 10), 0);
      expect(all).toBeGreaterThan(0.95 * drawn.measured.length);
    });

    it('symbols and types', () => {
      const [table = []] = drawn.tables['symbols-types'];
      const [head = [], ...rows] = table;
      const types = head.slice(1).map(({ text }) => text);
      const medians = rows.map(([symbol]) =>
        types.map((type) => {
          const own = drawn.measured.filter(
            (card) => card.source_symbol === symbol?.text && card.source_bot_type === type,
          );
          return quantile(
            own.map(({ outcome }) => outcome.move_24h_pct),
            0.5,
          );
        }),
      );
      const most = Math.max(...medians.flat().map(Math.abs));
      expect(medians.flat()).toHaveLength(12);
      expect(rows.map((row) => row.slice(1).map(({ text, look }) => [numberOf(text), look]))).toEqual(
        medians.map((ofSymbol) =>
          ofSymbol.map((median) => [expect.closeTo(median, 2), `h${Math.round((3 * median) / most)}`]),
        ),
      );
    });

    it('hours and weekdays', () => {
      for (const [index, by, names] of [
        [0, 'hour', Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))],
        [1, 'weekday', ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']],
      ] as const) {
        const plot = drawn.plots.clock[index];
        const y = axisOf(plot?.y);
        const nameAt = (place: number) => names[Math.floor((place / (plot?.width ?? 1)) * names.length)];
        expect(plot?.x.map(({ text, at }) => [text, nameAt(at)])).toEqual(
          names.filter((_, i) => by === 'weekday' || i % 3 === 0).map((one) => [one, one]),
        );
        const groups = drawn.by[by].map(({ group, horizons }) => ({ group, ...horizons['24h'] }));
        expect(marksOf(plot, 'k0').map((dot) => [nameAt(dot.x), y(dot.y)])).toEqual(
          groups.map((one) => [one.group, expect.closeTo(one.median_vs_btc_percentage_points, 2)]),
        );
        expect(marksOf(plot, 'iv s0').map((line) => [nameAt(line.x1), y(line.y2), y(line.y1)])).toEqual(
          groups.flatMap(({ group, median_vs_btc_interval_95: interval }) =>
            interval === null ? [] : [[group, expect.closeTo(interval.low, 2), expect.closeTo(interval.high, 2)]],
          ),
        );
      }
    });

    it('types and symbols', () => {
      const { rows, x: ticks } = drawn.forest;
      const x = axisOf(ticks);
      const expected = [
        ...drawn.by.type.map((group) => ['By type, after 24 h', group.group, group.horizons['24h']] as const),
        ...drawn.by.type.map((group) => ['By type, after 1 h', group.group, group.horizons['1h']] as const),
        ...drawn.by.symbol.map((group) => ['By symbol, after 24 h', group.group, group.horizons['24h']] as const),
      ];
      expect(rows).toHaveLength(expected.length);
      for (const [part, group, figures] of expected) {
        const row = rows.find((one) => one.part === part && one.name === group);
        const interval = figures.median_vs_btc_interval_95;
        expect(row).toMatchObject({
          sample: figures.btc_sample.toLocaleString('en').replace(',', '\u202f'),
          verdict: figures.verdict.replace('none', 'no difference').replace('btc', 'BTC').replaceAll('_', ' '),
        });
        const dot = row?.marks.find(({ kind }) => kind === 'circle')?.x as number;
        const line = row?.marks.find(({ look }) => look.startsWith('iv'));
        expect([part, group, x(dot), x(line?.x1 as number), x(line?.x2 as number)]).toEqual([
          part,
          group,
          expect.closeTo(figures.median_vs_btc_percentage_points, 2),
          expect.closeTo(interval?.low ?? Number.NaN, 2),
          expect.closeTo(interval?.high ?? Number.NaN, 2),
        ]);
      }
      expect(rows.find((row) => row.name === 'price_breakout')?.verdict).toBe('above BTC');
    });

    it('largest moves', () => {
      const sorted = [...drawn.measured].sort((a, b) => b.outcome.move_24h_pct - a.outcome.move_24h_pct);
      const [up, down] = drawn.tables.largest.map((table) => table.slice(1).map((row) => row.map(({ text }) => text)));
      for (const [shown, cards] of [
        [up, sorted.slice(0, 8)],
        [down, sorted.slice(-8).reverse()],
      ] as const) {
        expect(
          shown?.map(([symbol, move, btc, type, at, id]) => [symbol, numberOf(move), numberOf(btc), type, at, id]),
        ).toEqual(
          cards.map((card) => [
            card.source_symbol,
            expect.closeTo(card.outcome.move_24h_pct, 2),
            expect.closeTo(card.outcome.btc_move_24h_pct, 2),
            card.source_bot_type,
            card.created_at.slice(0, 16).replace('T', ' '),
            String(card.id),
          ]),
        );
      }
    });
  });
});

function withoutOutcome(one: object): object {
  const { outcome: _, entry_context: __, context_scope: ___, ...bare } = one as Record<string, unknown>;
  return bare;
}

async function readWorld(home: Home, browser: Browser, name: string, cards: readonly Card[]): Promise<World> {
  const file = await report(home, name, cards);
  const statsBy = async (by: string): Promise<Group[]> => {
    const ran = await runHere(['stats', '--from', path.join(home.folder, name), '--by', by, '--json'], { home });
    return JSON.parse(ran.stdout).items;
  };
  const by = {
    type: await statsBy('type'),
    symbol: await statsBy('symbol'),
    day: await statsBy('day'),
    hour: await statsBy('hour'),
    weekday: await statsBy('weekday'),
  };
  return look(browser, file, { width: 900 }, async ({ page }) => {
    const plotsOf = (section: string) => page.evaluate<Plot[]>(`readPlots('${section}')`);
    const tablesOf = (section: string) => page.evaluate<Table[]>(`readTables('${section}')`);
    return {
      measured: cards.filter((card): card is World['measured'][number] => card.outcome !== undefined),
      by,
      plots: {
        cards: await plotsOf('cards'),
        spread: await plotsOf('spread'),
        days: await plotsOf('days'),
        btc: await plotsOf('btc'),
        clock: await plotsOf('clock'),
      },
      forest: await page.evaluate<Forest>('readForest()'),
      tables: { 'symbols-types': await tablesOf('symbols-types'), largest: await tablesOf('largest') },
    };
  });
}

type Rect = { look: string; title: string } & Record<'left' | 'right' | 'top' | 'bottom', number>;

/** Marks whose look begins or ends so; the caller knows their kind. */
function marksOf(plot: Plot | undefined, look: string) {
  const marks = plot?.marks.filter((mark) => mark.look.startsWith(look) || mark.look.endsWith(look)) ?? [];
  return marks as unknown as (Rect & Record<'x' | 'y' | 'x1' | 'x2' | 'y1' | 'y2', number>)[];
}

function lineOf(plot: Plot | undefined, look: string): Record<'x1' | 'x2' | 'y1' | 'y2', number> {
  const [line] = marksOf(plot, look);
  if (line === undefined) throw new Error(`There is no line ${look}.`);
  return line;
}

/** From a place to the value there, by the labels of an axis. */
function axisOf(ticks: readonly Tick[] = [], numberIn: (text: string) => number = numberOf): (place: number) => number {
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined || first === last) throw new Error('The axis has no two labels.');
  const [low, high] = [numberIn(first.text), numberIn(last.text)];
  return (place) => low + ((place - first.at) * (high - low)) / (last.at - first.at);
}

function numberOf(text = ''): number {
  return Number(text.replace('−', '-').replace(/[+\u202f]/g, ''));
}

/** The next of 1, 2 and 5 and their tenfolds. */
function roundStep(width: number): number {
  const ten = 10 ** Math.floor(Math.log10(width));
  return ten * ([1, 2, 5].find((step) => step >= width / ten) ?? 10);
}

/** Of type 7. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  return low + ((sorted[Math.ceil(place)] ?? Number.NaN) - low) * (place % 1);
}
