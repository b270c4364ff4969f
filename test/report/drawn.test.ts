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
  readonly [place: string]: unknown;
}

type Plot = Readonly<Record<'x' | 'y', readonly Tick[]>> & { readonly marks: readonly Mark[] };
type Row = Readonly<Record<'name' | 'value' | 'verdict', string>> & { readonly marks: readonly Mark[] };
type Forest = { readonly name: string; readonly x: readonly Tick[]; readonly rows: readonly Row[] };
type Table = readonly (readonly Readonly<Record<'text' | 'look', string>>[])[];

type Interval = { readonly low: number; readonly high: number } | null;
type Figures = Readonly<
  Record<`median_vs_${'btc' | 'others'}_percentage_points`, number> &
    Record<`median_vs_${'btc' | 'others'}_interval_95`, Interval>
> & { readonly shown_verdict: string | null };
type Group = { readonly group: string; readonly horizons: Readonly<Record<'24h', Figures>> };

interface Card {
  readonly id: number;
  readonly created_at: string;
  readonly source_symbol: string;
  readonly source_bot_type: string;
  readonly outcome?: Record<`${'' | 'btc_'}move_${'1h' | '24h'}_pct`, number>;
}

interface World {
  /** Cards with an outcome. */
  readonly cards: readonly Card[];
  readonly measured: readonly (Card & Required<Pick<Card, 'outcome'>>)[];
  readonly by: Record<'type' | 'symbol', readonly Group[]>;
  /** By type. */
  readonly symbols: Readonly<Record<string, readonly Group[]>>;
  readonly plots: Record<'cards' | 'days', readonly Plot[]>;
  /** What stands above each picture of the days. */
  readonly captions: readonly string[];
  readonly forests: readonly Forest[];
  readonly heat: Table;
}

/** Days are drawn one by one, or weeks. */
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
      for (const [look, cards] of [
        ['bar', drawn.cards],
        ['bar bought', drawn.measured],
      ] as const) {
        const counts = new Map<number, number>();
        for (const { created_at } of cards) {
          const period = periodOf(Date.parse(created_at));
          counts.set(period, (counts.get(period) ?? 0) + 1);
        }
        expect(bars.filter((bar) => bar.look === look).map(({ period, count }) => ({ period, count }))).toEqual(
          [...counts].sort(([a], [b]) => a - b).map(([period, count]) => ({ period, count: expect.closeTo(count, 1) })),
        );
      }
    });

    const differenceOf = ({ outcome }: World['measured'][number]) => outcome.move_24h_pct - outcome.btc_move_24h_pct;
    const ofCaption = (caption = '') => {
      const [type = ''] = caption.split(' ');
      return drawn.measured.filter((card) => card.source_bot_type === type);
    };

    it('medians of each type and their course', () => {
      expect(drawn.plots.days).toHaveLength(3);
      for (const [index, plot] of drawn.plots.days.entries()) {
        const [x, y] = [axisOf(plot.x, dateOf), axisOf(plot.y)];
        const periods: number[][] = [];
        for (const card of ofCaption(drawn.captions[index])) {
          const period = periodOf(timeOf(card));
          periods[period] = [...(periods[period] ?? []), differenceOf(card)];
        }
        const dots = marksOf(plot, 'pt').map((dot) => ({ period: periodOf(x(dot.x)), median: y(dot.y) }));
        expect(dots.length).toBeGreaterThan(0.9 * Object.keys(periods).length);
        expect(dots).toEqual(
          dots.map(({ period }) => ({ period, median: expect.closeTo(quantile(periods[period] ?? [], 0.5), 1) })),
        );
        const points = plot.marks.find(({ kind }) => kind === 'path')?.points as { x: number; y: number }[];
        const drawnAt = points.map((point) => ({ period: periodOf(x(point.x)), median: y(point.y) }));
        expect(drawnAt).toEqual(
          Object.keys(periods)
            .map(Number)
            .map((period) => {
              const around = periods.slice(Math.max(0, period - 3), period + 4).flat();
              return { period, median: expect.closeTo(quantile(around, 0.5), 0) };
            }),
        );
      }
    });

    it('symbols within types', () => {
      const [head = [], ...rows] = drawn.heat;
      expect(rows.length).toBeGreaterThan(2);
      for (const [symbol, ...cells] of rows) {
        for (const [index, { text, look }] of cells.entries()) {
          const group = drawn.symbols[head[index + 1]?.text ?? '']?.find((one) => one.group === symbol?.text);
          const figures = group?.horizons['24h'];
          const [median, range] = [figures?.median_vs_btc_percentage_points ?? 0, figures?.median_vs_btc_interval_95];
          expect(numberOf(text)).toBeCloseTo(median, 2);
          const isKnown = range !== undefined && range !== null && (range.low > 0 || range.high < 0);
          expect(look).toBe(`h${median < 0 ? '-' : ''}${isKnown ? 3 : 1}`);
        }
      }
    });

    it('types and symbols, each list on its own axis', () => {
      const expected: [string, readonly Group[]][] = [
        ['Screener types after 24 h', drawn.by.type],
        ['Symbols after 24 h', drawn.by.symbol],
      ];
      expect(drawn.forests.map(({ name }) => name)).toEqual(expected.map(([name]) => name));
      for (const [index, [, groups]] of expected.entries()) {
        const { rows, x: ticks } = drawn.forests[index] ?? { rows: [], x: [] };
        const x = axisOf(ticks);
        expect(rows).toHaveLength(groups.length);
        for (const { group, horizons } of groups) {
          const row = rows.find((one) => one.name === group);
          const figures = horizons['24h'];
          const interval = figures.median_vs_others_interval_95;
          const word = figures.shown_verdict?.replace('none', 'no difference').replace('_others', '') ?? '';
          expect(row?.verdict.trim().startsWith(word.replaceAll('_', ' ')), row?.verdict).toBe(true);
          const dot = row?.marks.find(({ kind }) => kind === 'circle')?.x as number;
          const line = row?.marks.find(({ look }) => look === 'iv' || look === 'iv weak');
          expect([group, x(dot), x(line?.x1 as number), x(line?.x2 as number)]).toEqual([
            group,
            expect.closeTo(figures.median_vs_others_percentage_points, 2),
            expect.closeTo(interval?.low ?? Number.NaN, 2),
            expect.closeTo(interval?.high ?? Number.NaN, 2),
          ]);
          const numbers = row?.value.match(/[+−]?\d+\.\d\d/g)?.map((text) => numberOf(text));
          expect(numbers).toEqual(
            [figures.median_vs_others_percentage_points, interval?.low, interval?.high].map((value) =>
              expect.closeTo(value ?? Number.NaN, 1),
            ),
          );
        }
      }
      expect(drawn.forests[0]?.rows.find((row) => row.name === 'price_breakout')?.verdict).toContain('above since');
    });
  });
});

function withoutOutcome(one: object): object {
  const { outcome: _, entry_context: __, context_scope: ___, ...bare } = one as Record<string, unknown>;
  return bare;
}

async function readWorld(home: Home, browser: Browser, name: string, cards: readonly Card[]): Promise<World> {
  const file = await report(home, name, cards);
  const statsBy = async (by: string, ...more: string[]): Promise<Group[]> => {
    const ran = await runHere(['stats', '--from', path.join(home.folder, name), '--by', by, ...more, '--json'], {
      home,
    });
    return JSON.parse(ran.stdout).items;
  };
  const by = { type: await statsBy('type'), symbol: await statsBy('symbol') };
  const symbols: Record<string, Group[]> = {};
  for (const { group } of by.type) symbols[group] = await statsBy('symbol', '--type', group);
  return look(browser, file, { width: 900 }, async ({ page }) => {
    const plotsOf = (section: string) => page.evaluate<Plot[]>(`readPlots('${section}')`);
    return {
      cards,
      measured: cards.filter((card): card is World['measured'][number] => card.outcome !== undefined),
      by,
      symbols,
      plots: { cards: await plotsOf('cards'), days: await plotsOf('days') },
      captions: await page.evaluate<string[]>(
        `[...document.querySelectorAll('#days figcaption')].map((one) => one.textContent)`,
      ),
      forests: await page.evaluate<Forest[]>('readForests()'),
      heat: (await page.evaluate<Table[]>("readTables('symbols-types')"))[0] ?? [],
    };
  });
}

type Rect = { look: string } & Record<'left' | 'right' | 'top' | 'bottom', number>;

/** Marks whose look begins or ends so; the caller knows their kind. */
function marksOf(plot: Plot | undefined, look: string) {
  const marks = plot?.marks.filter((mark) => mark.look.startsWith(look) || mark.look.endsWith(look)) ?? [];
  return marks as unknown as (Rect & Record<'x' | 'y', number>)[];
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

/** Of type 7. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  return low + ((sorted[Math.ceil(place)] ?? Number.NaN) - low) * (place % 1);
}
