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
  const section = (id: string) => pictureOf(page, id);
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
      const bars = marksOf(picture, 'rect').filter((mark) => mark.class === look);
      const counts = bars.map((bar) => ({
        period: periodOf(x(place(bar.x) + place(bar.width) / 2)),
        count: y(place(bar.y)) - y(place(bar.y) + place(bar.height)),
      }));
      const expected = [...byPeriod(some)].sort(([a], [b]) => a - b);
      expect(counts, look).toEqual(
        expected.map(([period, own]) => ({ period, count: expect.closeTo(own.length, 1) })),
      );
    }
  });

  it('how much the cards of each type differ', () => {
    const picture = section('spread');
    const panels = picture.split('<figure').slice(1);
    const shown = panels.map((panel) => {
      const x = axisOf(panel, 'x');
      const y = axisOf(panel, 'y', (text = '') => Number.parseFloat(text));
      const bars = marksOf(panel, 'rect');
      const counts = [...panel.matchAll(/ pp: (\d+) outcomes?</g)].map((one) => Number(one[1]));
      const [, type = ''] = /<b>(.*?)<\/b>/.exec(panel) ?? [];
      const [, bought, low, high] =
        /> (\d+) bought, the middle half: (\S+) to (\S+?) pp</.exec(panel) ?? [];
      const [, median] = />median ([^<]*)</.exec(panel) ?? [];
      const line = marksOf(panel, 'line').find((mark) => mark.class === 'median');
      // What lies beyond the ends is drawn in no bar.
      const drawn = counts.reduce((sum, count) => sum + count, 0);
      const shares = bars.map((bar) => y(place(bar.y)) - y(place(bar.y) + place(bar.height)));
      return {
        ...{ type, bought: Number(bought), drawn },
        ...{ low: numberOf(low), high: numberOf(high), median: numberOf(median) },
        medianAt: x(place(line?.x1)),
        shares: shares.map((share) => Number(share.toFixed(0))),
        expectedShares: counts.map((count) => Math.round((100 * count) / Number(bought))),
      };
    });

    const [, outside = 0] = /Outside the picture: (\d+) outcomes?\./.exec(picture) ?? [];
    const valuesOf = (type: string) =>
      measured
        .filter((card) => card.source_bot_type === type)
        .map(({ outcome }) => (outcome?.move_24h_pct ?? 0) - (outcome?.btc_move_24h_pct ?? 0))
        .sort((a, b) => a - b);
    expect(shown).toHaveLength(3);
    for (const { type, drawn: _drawn, ...panel } of shown) {
      const values = valuesOf(type);
      const median = expect.closeTo(medianOf(values), 1);
      expect({ type, ...panel }).toEqual({
        ...{ type, bought: values.length, median, medianAt: median },
        low: expect.closeTo(values[Math.floor(values.length / 4)] ?? NaN, 0),
        high: expect.closeTo(values[Math.floor((3 * values.length) / 4)] ?? NaN, 0),
        shares: panel.expectedShares,
        expectedShares: panel.expectedShares,
      });
    }
    expect(picture.includes('Outside the picture')).toBe(Number(outside) > 0);
    const all = shown.reduce((sum, { bought }) => sum + bought, 0);
    const drawn = shown.reduce((sum, panel) => sum + panel.drawn, 0);
    expect({ drawn, outside: Number(outside) }).toEqual({ drawn, outside: all - drawn });
  });

  it('each type on one axis, against the other cards and against BTC', async () => {
    const [head = '', ...rows] = section('answer').split(/<li[ >]/);
    const x = axisOf(head, 'x');
    const ran = await runHere(
      ['stats', '--from', path.join(home.folder, name), '--by', 'type', '--json'],
      { home },
    );
    const groups: Group[] = JSON.parse(ran.stdout).items;
    expect(rows).toHaveLength(groups.length);
    const sides = marksOf(head, 'text').filter((mark) => mark.dx === '-8' || mark.dx === '8');
    expect(sides.map((one) => one['text-anchor'])).toEqual(
      sides.map((one) => (one.dx === '8' ? 'start' : 'end')),
    );
    expect(sides.length, 'how many sides there are').toBeGreaterThan(0);
    for (const { group, horizons } of groups) {
      const row = rows.find((row) => row.includes(`<div class="name"><b>${group}</b>`)) ?? '';
      const figures = horizons['24h'];
      const word = figures.shown_verdict
        .replace('none', 'no difference')
        .replace(/_others$/, '')
        .replaceAll('_', ' ');
      expect(row, group).toContain(`<div class="verdict"><span>${word}`);
      const [, ...columns] = row.split('<svg class="draw ');
      const drawn = columns.map((column) => {
        const [dot] = marksOf(column, 'circle');
        const lines = marksOf(column, 'line');
        const thick = lines.find((mark) => mark.class === 'iv');
        const thin = lines.find((mark) => mark.class === 'iv thin');
        const places = [dot?.cx, thick?.x1, thick?.x2, thin?.x1, thin?.x2];
        const value = /<div class="value .*/.exec(column)?.[0] ?? '';
        const numbers = value.match(/[+−]?\d+\.\d\d/g)?.map(numberOf);
        return { places: places.map((at) => x(place(at))), numbers };
      });
      const expected = (['others', 'btc'] as const).map((whom) => {
        const median = figures[`median_vs_${whom}_percentage_points`];
        const { low, high } = figures[`median_vs_${whom}_interval_95`];
        const { low: lowest, high: highest } = figures[`median_vs_${whom}_interval_997`];
        return {
          places: [median, low, high, lowest, highest].map((one) => expect.closeTo(one, 2)),
          numbers: [median, low, high].map((one) => expect.closeTo(one, 1)),
        };
      });
      expect({ group, drawn }).toEqual({ group, drawn: expected });
    }
    expect(rows[0]).toMatch(/price_breakout[\s\S]*>above</);
  });
});

describe('the demo', () => {
  const home = createHome();
  afterAll(() => home.remove());
  let page: string;
  beforeAll(async () => {
    const ran = await runHere(['--demo', 'report', '-'], { home });
    page = ran.stdout.replaceAll('<wbr>', '');
  });
  const section = (id: string) => pictureOf(page, id);
  const jsonOf = async (...words: string[]) => {
    const ran = await runHere(['--demo', 'stats', '--local', ...words, '--json'], { home });
    return JSON.parse(ran.stdout);
  };

  it('a change of settings: its interval, both sides, and the types beside it', async () => {
    const { changes } = await jsonOf('--type', 'price_spike', '--by', 'settings');
    const [head = '', row = ''] = section('changes').split(/<li[ >]/);
    const [{ controls, horizons }] = changes;
    const change = horizons['24h'];
    const x = axisOf(head, 'x');
    const [dot] = marksOf(row, 'circle');
    const lineOf = (look: string) => marksOf(row, 'line').find((line) => line.class === look);
    const drawn = [dot?.cx, lineOf('iv')?.x1, lineOf('iv')?.x2].map((at) => x(place(at)));
    const { low, high } = change.difference_interval_99;
    const expected = [change.difference_percentage_points, low, high];
    expect(drawn).toEqual(expected.map((value) => expect.closeTo(value, 2)));
    const [band] = marksOf(row, 'rect');
    const ends = [place(band?.x), place(band?.x) + place(band?.width)].map(x);
    expect(ends).toEqual([expect.closeTo(-0.1, 2), expect.closeTo(0.1, 2)]);
    expect(row).toContain(`<dt>Compared with</dt><dd>${controls.join(', ')}</dd>`);
    const sideOf = (side: string) =>
      new RegExp(`<dt>${side}</dt><dd>(\\S+) pp vs \\d types?, `).exec(row)?.[1];
    expect({ before: numberOf(sideOf('Before')), after: numberOf(sideOf('After')) }).toEqual({
      before: expect.closeTo(change.before_percentage_points, 1),
      after: expect.closeTo(change.after_percentage_points, 1),
    });
    expect(row).toContain('<dt>Now</dt><dd>Keep the new settings.</dd>');
    expect(head).toContain('>better →<');
  });

  it('the last 30 days of each type that is above or below beside the time before', async () => {
    const groups: Group[] = (await jsonOf('--by', 'type')).items;
    const [head = '', ...parts] = section('lately').split('<h3>');
    const x = axisOf(head, 'x');
    const drawn = parts.map((part) => {
      const [type = '', ...rows] = part.split(/<\/h3>|<li[ >]/);
      const rowsOfType = rows.slice(1).map((row) => {
        const [, name] = /<div class="name"><b>(.*?)<\/b>/.exec(row) ?? [];
        const [dot] = marksOf(row, 'circle');
        const line = marksOf(row, 'line').find((mark) => mark.class === 'iv');
        return { name, places: [dot?.cx, line?.x1, line?.x2].map((at) => x(place(at))) };
      });
      return { type, rows: rowsOfType };
    });
    const expected = groups.flatMap(({ group, horizons }) => {
      const { last_30_days: last, before, ...figures } = horizons['24h'];
      if (!/^(above|below)_others$/.test(figures.shown_verdict)) return [];
      const rowOf = (name: string, median: number, interval: Group) => ({
        name,
        places: [median, interval.low, interval.high].map((value) => expect.closeTo(value, 2)),
      });
      const rows = [
        // The service was last asked on that day: its last 30 days end then.
        rowOf('30 days to 12 Nov', last.percentage_points, last.interval_95),
        rowOf('before them', before.percentage_points, before.interval_95),
        // The JSON has no figure of these cards.
        {
          name: expect.stringMatching(/^newer cards, since \d+ \w+$/),
          places: [expect.any(Number), expect.any(Number), expect.any(Number)],
        },
      ];
      return [{ type: group, rows }];
    });
    expect(drawn.toSorted((a, b) => a.type.localeCompare(b.type))).toEqual(
      expected.toSorted((a, b) => a.type.localeCompare(b.type)),
    );
    expect(drawn, 'types that are above or below').toHaveLength(2);
  });

  it('a heading names a number only if its p, on the page, passes', () => {
    const numbers = section('numbers');
    const [, heading = ''] = /<h2[^>]*>(.*)<\/h2>/.exec(numbers) ?? [];
    expect(heading).toBe('oi_growth: cards with oi_change_pct at 3.9 or more did better');
    const methods = section('methods');
    const chances = [...methods.matchAll(/\(p (below )?([\d.]+)\)/g)].map(([, , p]) => Number(p));
    expect(chances.length, 'how many chances there are').toBeGreaterThan(0);
    for (const p of chances) expect(p, 'the p that is drawn').toBeLessThanOrEqual(0.05);
  });
});

it('outcomes far away are counted, not drawn', async () => {
  const home = createHome();
  // One in a hundred: the picture reaches to the 2 % and 98 % quantiles.
  const cards = world(40, 12).map((card, i) => {
    const { outcome } = card;
    if (outcome === null || i % 100 !== 50) return card;
    return { ...card, outcome: { ...outcome, move_24h_pct: i % 200 === 50 ? 500 : -500 } };
  });
  const page = readFileSync(await report(home, 'far', cards), 'utf8');
  home.remove();
  const picture = pictureOf(page, 'spread');
  expect(picture).toContain('Outside the picture: 5 outcomes.');
  expect(picture).not.toMatch(/[+−]500/);
});

it('the fifths of a number, each as high as its median, before what the stricter setting keeps', async () => {
  const home = createHome();
  const ran = await runHere(['--demo', 'report', '-'], { home });
  const listed = await runHere(['--demo', 'signals', 'ls', '--local', '--json'], { home });
  home.remove();
  const picture = pictureOf(ran.stdout, 'numbers');
  const y = axisOf(picture, 'y');
  const rectangles = marksOf(picture, 'rect');
  const bars = rectangles.filter((rectangle) => rectangle.class === 'bar own');
  const titles = [...picture.matchAll(/<title>(\S+) to (\S+): (\S+) pp, (\d+) outcomes<\/title>/g)];
  const written = [...picture.matchAll(/<text class="words"[^>]*>([+−]\d[^<]*)<\/text>/g)];
  const places = marksOf(picture, 'text').filter(
    (mark) => mark.class === 'words' && mark.y !== '-4',
  );
  const fifths = titles.map(([, low, high, median, outcomes], i) => {
    const { x, width, y: top, height } = bars[i] ?? {};
    // One of its ends lies at zero.
    const drawn = y(place(top)) + y(place(top) + place(height));
    const label = place(places[i]?.y);
    return {
      ...{ low: Number(low), high: Number(high), outcomes: Number(outcomes) },
      ...{ median: numberOf(median), drawn },
      ...{ written: numberOf(written[i]?.[1]), from: place(x), to: place(x) + place(width) },
      // The figure stands beyond the bar, where it covers nothing.
      beyond: numberOf(median) < 0 ? label - place(top) - place(height) : place(top) - label,
    };
  });

  const cards: Group[] = JSON.parse(listed.stdout).items;
  const pairs = cards
    .filter((card) => card.source_bot_type === 'oi_growth' && card.source_symbol !== 'BTCUSDT')
    .filter((card) => card.outcome?.state_24h === 'available')
    .filter(({ outcome }) => outcome.btc_move_24h_pct !== null)
    .map(({ outcome, entry_context: context }) => ({
      number: context.oi_change_pct,
      value: outcome.move_24h_pct - outcome.btc_move_24h_pct,
    }))
    .filter(({ number }) => number !== undefined)
    .sort((a, b) => a.number - b.number);
  const expected = Array.from({ length: 5 }, (_, i) => {
    const ofFifth = pairs.slice(
      Math.round((i * pairs.length) / 5),
      Math.round(((i + 1) * pairs.length) / 5),
    );
    const median = medianOf(ofFifth.map(({ value }) => value));
    return {
      low: threeDigits(ofFifth[0]?.number),
      high: threeDigits(ofFifth.at(-1)?.number),
      outcomes: ofFifth.length,
      median: expect.closeTo(median, 1),
      drawn: expect.closeTo(median, 1),
      written: expect.closeTo(median, 1),
      from: i * 20,
      to: expect.closeTo((i + 1) * 20, 6),
      beyond: expect.closeTo(median < 0 ? 14 : 5, 1),
    };
  });
  expect(pairs.length, 'pairs of number and outcome').toBeGreaterThan(50);
  expect(fifths).toEqual(expected);
  const kept = rectangles.filter((rectangle) => rectangle.class === 'kept');
  expect(kept).toEqual([expect.objectContaining({ y: '0', height: '120' })]);
  // The advice keeps the large numbers, so it reaches to the right edge.
  expect(place(kept[0]?.x) + place(kept[0]?.width)).toBeCloseTo(100, 6);
});

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function threeDigits(value = Number.NaN): number {
  return Number(value.toPrecision(3));
}

/** The attributes of each element of that name. */
/** A section of a page without its legend, whose samples are no marks of the picture. */
function pictureOf(page: string, id: string): string {
  const section = (page.split(`<section id="${id}"`)[1] ?? '').split('</section>')[0] ?? '';
  return section.replace(/<div class="key">.*?<\/div>/s, '');
}

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
