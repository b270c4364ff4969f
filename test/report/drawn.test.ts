/** Every picture of the report is read back, place by place, and is what `stats` says, or the history's lines. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupBy } from '../../src/base/collections.ts';
import { cardOf } from '../../src/sandbox/world.ts';
import { createHome } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { FIRST, report, world } from './histories.ts';

const DAY = 86_400_000;

interface Card {
  readonly created_at: string;
  readonly source_bot_type: string;
  readonly outcome?: Record<`${'' | 'btc_'}move_24h_pct`, number>;
}

/** As `stats --json` has it. */
// biome-ignore lint/suspicious/noExplicitAny: its fields are named where they are read.
type Group = any;

/** Days are drawn one by one, or weeks. */
const WORLDS = {
  days: { days: 40, perDay: 12, together: 1 },
  weeks: { days: 210, perDay: 10, together: 7 },
};

describe.each(Object.entries(WORLDS))('pictures by %s', (name, { days, perDay, together }) => {
  const home = createHome();
  afterAll(() => home.remove());
  const drawn = world(days, perDay).map((one, index) => (index % 7 === 3 ? cardOf(one) : one));
  const cards = drawn as unknown as Card[];
  let page: string;
  beforeAll(async () => {
    page = readFileSync(await report(home, name, drawn), 'utf8').replaceAll('<wbr>', '');
  });
  const section = (id: string) =>
    (page.split(`<section id="${id}"`)[1] ?? '').split('</section>')[0] ?? '';
  const periodOf = (at: number) => Math.floor((at - FIRST) / (together * DAY));
  // The axis says no year: a month before the first one is of the next year.
  const dateOf = (text = '') => {
    const at = Date.parse(`${text} 2026 UTC`);
    return at < FIRST ? Date.parse(`${text} 2027 UTC`) : at;
  };
  const byPeriod = (some: readonly Card[]) =>
    groupBy(some, (card) => periodOf(Date.parse(card.created_at)));
  const measured = cards.filter((card) => card.outcome !== undefined);

  it('cards and bought outcomes', () => {
    const picture = section('cards');
    const [x, y] = [axisOf(picture, 'x', dateOf), axisOf(picture, 'y')];
    for (const [look, some] of Object.entries({ bar: cards, 'bar bought': measured })) {
      const bars = marksOf(picture, 'rect').filter((one) => one.class === look);
      const counts = bars.map((one) => ({
        period: periodOf(x(place(one.x) + place(one.width) / 2)),
        count: y(place(one.y)) - y(place(one.y) + place(one.height)),
      }));
      const expected = [...byPeriod(some)].sort(([a], [b]) => a - b);
      expect(counts).toEqual(
        expected.map(([period, own]) => ({ period, count: expect.closeTo(own.length, 1) })),
      );
    }
  });

  it('each type on one axis', async () => {
    const [head = '', ...rows] = section('answer').split(/<li[ >]/);
    const x = axisOf(head, 'x');
    const ran = await runHere(
      ['stats', '--from', path.join(home.folder, name), '--by', 'type', '--json'],
      { home },
    );
    const groups: Group[] = JSON.parse(ran.stdout).items;
    expect(rows).toHaveLength(groups.length);
    for (const { group, horizons } of groups) {
      const row = rows.find((one) => one.includes(`<div class="name"><b>${group}</b>`)) ?? '';
      const figures = horizons['24h'];
      const { low, high } = figures.median_vs_others_interval_95;
      const word = figures.shown_verdict
        .replace('none', 'no difference')
        .replace(/_others$/, '')
        .replaceAll('_', ' ');
      expect(row).toContain(`<div class="verdict"><span>${word}`);
      const [dot] = marksOf(row, 'circle');
      const line = marksOf(row, 'line').find(
        (one) => one.class === 'iv' || one.class === 'iv weak',
      );
      const places = [dot?.cx, line?.x1, line?.x2].map((at) => x(place(at)));
      const value = /<div class="value">.*/.exec(row)?.[0] ?? '';
      const numbers = value.match(/[+−]?\d+\.\d\d/g)?.map(numberOf);
      const expected = [figures.median_vs_others_percentage_points, low, high];
      expect({ group, places, numbers }).toEqual({
        group,
        places: expected.map((one) => expect.closeTo(one, 2)),
        numbers: expected.map((one) => expect.closeTo(one, 1)),
      });
    }
    expect(rows[0]).toMatch(/price_breakout[\s\S]*>above</);
  });
});

/** The attributes of each element of that name. */
function marksOf(markup: string, element: string): Record<string, string>[] {
  return [...markup.matchAll(new RegExp(`<${element} [^>]*>`, 'g'))].map(([tag]) =>
    Object.fromEntries(
      [...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
  );
}

/** Percent of the picture's width, or pixels from above. */
const place = (text = ''): number => Number(text.replace('%', ''));

/** From a place to the value there, by the labels of an axis. */
function axisOf(markup: string, axis: 'x' | 'y', read = numberOf): (place: number) => number {
  const ticks = [
    ...markup.matchAll(
      new RegExp(`<text class="tick ${axis}" [^>]*?\\b${axis}="([^"]*)"[^>]*>(.*?)<`, 'g'),
    ),
  ];
  const [first, last] = [ticks[0], ticks.at(-1)].map((tick) => ({
    at: place(tick?.[1]),
    value: read(tick?.[2] ?? ''),
  }));
  if (first === undefined || last === undefined || first.at === last.at)
    throw new Error('The axis has no two labels.');
  return (at) =>
    first.value + ((at - first.at) * (last.value - first.value)) / (last.at - first.at);
}

function numberOf(text = ''): number {
  return Number(text.replace('−', '-').replace(/[+\u202f]/g, ''));
}
