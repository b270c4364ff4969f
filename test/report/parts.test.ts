/** The bounds of the report's parts: how few outcomes have a picture, how many panels and bars there are, what goes on. */
import { describe, expect, it } from 'vitest';
import type { LookWithChanges } from '../../src/history/store/settings-periods.ts';
import type { Difference } from '../../src/outcomes/differences.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import type { Standing } from '../../src/outcomes/standing.ts';
import {
  type ForestMark,
  type ForestRow,
  type ForestWords,
  forest,
} from '../../src/report/forest.ts';
import { perDaySection, periodsOf } from '../../src/report/per-day.ts';
import { spreadSection } from '../../src/report/spread.ts';
import { STYLE } from '../../src/report/style.ts';

const DAY = 86_400_000;

describe('the spread of moves', () => {
  const differencesOf = (type: string, count: number) =>
    Array.from(
      { length: count },
      (_, i) => ({ card: { type }, value: i - count / 2 + 0.25 }) as unknown as Difference,
    );
  const standingOf = (group: string, verdict: Standing['verdict'], source = 'bought') =>
    ({ group, verdict, base: { source } }) as Standing;

  it("says that its medians are not the service's, where these stand in the first picture", () => {
    const sentence = 'These medians are of the outcomes you bought';
    const isSaidBeside = (source: string) => {
      const section = spreadSection(differencesOf('pump', 6), [
        standingOf('pump', 'small', source),
      ]);
      return section?.text.includes(sentence);
    };
    expect({ service: isSaidBeside('service'), bought: isSaidBeside('bought') }).toEqual({
      service: true,
      bought: false,
    });
  });

  it('has a panel for each type with six outcomes or more, and for six types at most', () => {
    const panelsOf = (counts: readonly number[]) => {
      const types = counts.map((count, i) => ({ type: `t${i}`, count }));
      const section = spreadSection(
        types.flatMap(({ type, count }) => differencesOf(type, count)),
        types.map(({ type }) => standingOf(type, 'unclear')),
      );
      return section?.text.match(/<figure/g)?.length ?? 0;
    };
    expect({
      five: panelsOf([5]),
      six: panelsOf([6, 5, 6]),
      seven: panelsOf(Array.from({ length: 7 }, () => 6)),
    }).toEqual({ five: 0, six: 2, seven: 6 });
  });

  it('draws a type to drop before those without a verdict, and counts those that it leaves out', () => {
    const names = Array.from({ length: 8 }, (_, i) => `t${i}`);
    const standings = [
      ...names.map((name) => standingOf(name, 'unclear')),
      standingOf('rare', 'unclear'),
      standingOf('dump', 'below'),
    ];
    const outcomes = [...names, 'dump'].flatMap((name) => differencesOf(name, 6));
    const text = spreadSection([...outcomes, ...differencesOf('rare', 5)], standings)?.text ?? '';
    const panels = [...text.matchAll(/<figcaption><b>(\w+)<\/b>/g)].map(([, name]) => name);
    expect({
      panels,
      surplus: text.includes('3 more types are not shown.'),
      few: text.includes('1 type with fewer than 6 bought outcomes is not shown.'),
    }).toEqual({ panels: [...names.slice(0, 5), 'dump'], surplus: true, few: true });
    const allShown = spreadSection(differencesOf('dump', 6), [standingOf('dump', 'below')]);
    expect(allShown?.text).not.toContain('not shown');
  });

  it('has the colour of the verdict on what it draws, which is vs BTC', () => {
    const dump = { ...standingOf('dump', 'below'), verdictVsBtc: 'small', comparedWith: 'others' };
    const flop = {
      ...standingOf('flop', 'unclear'),
      verdictVsBtc: 'below',
      comparedWith: 'others',
    };
    const outcomes = [...differencesOf('dump', 40), ...differencesOf('flop', 40)];
    const text = spreadSection(outcomes, [dump, flop] as Standing[])?.text ?? '';
    const panels = [...text.matchAll(/<figure([^>]*)>[\s\S]*?<b>(\w+)<\/b>/g)];
    expect(panels.map(([, look = '', type]) => ({ type, look: look.trim() }))).toEqual([
      { type: 'dump', look: '' },
      { type: 'flop', look: 'class="below"' },
    ]);
  });

  it('counts as outside the picture what its panels leave out', () => {
    const extreme = (type: string) => ({ card: { type }, value: 9999 }) as unknown as Difference;
    const standings = [standingOf('pump', 'unclear'), standingOf('rare', 'unclear')];
    const noteWith = (type: string) => {
      const outcomes = [...differencesOf('pump', 200), ...differencesOf('rare', 3), extreme(type)];
      return /Outside the picture: (\d+)/.exec(spreadSection(outcomes, standings)?.text ?? '')?.[1];
    };
    const ofDrawn = Number(noteWith('pump'));
    // Of rare there is no panel.
    expect(Number(noteWith('rare') ?? 0)).toBe(ofDrawn - 1);
  });

  it('says how many cards of the best type fell behind BTC, from thirty outcomes on', () => {
    const shareBehind = (verdict: Standing['verdict'], count: number) =>
      /even of (.*)\.</.exec(
        spreadSection(differencesOf('pump', count), [standingOf('pump', verdict)])?.text ?? '',
      )?.[1];
    expect({
      enough: shareBehind('above', 30),
      few: shareBehind('above', 29),
      unclear: shareBehind('unclear', 30),
    }).toEqual({
      enough: 'pump, 50\u00a0% of the cards fell behind BTC',
      few: undefined,
      unclear: undefined,
    });
  });
});

it('days are drawn one by one up to 190, then weeks, then several', () => {
  const unitOf = (days: number) => {
    const { unit, starts } = periodsOf(DAY, days * DAY);
    return { unit, bars: starts.length };
  };
  expect([190, 191, 1330, 1331].map(unitOf)).toEqual([
    { unit: 'day', bars: 190 },
    { unit: 'week', bars: 28 },
    { unit: 'week', bars: 190 },
    { unit: '14 days', bars: 96 },
  ]);
});

describe('cards per day', () => {
  const rowAt = (day: number) => ({ at: day * DAY, isBought: false }) as HistoryCard;
  const changeAt = (day: number) =>
    ({ at: day * DAY, types: ['pump'] }) as unknown as LookWithChanges;
  const noteOf = (days: readonly number[], changes: readonly LookWithChanges[] = []) => {
    const periods = periodsOf((days[0] ?? 0) * DAY, (days.at(-1) ?? 0) * DAY);
    const section = perDaySection(days.map(rowAt), periods, changes).text;
    return {
      says: /<p class="says">(.*?)<\/p>/.exec(section)?.[1],
      hasChanges: section.includes('> settings changed<'),
    };
  };

  it('tell of days without a card, and of changes of settings, only where there are some', () => {
    expect({
      every: noteOf([5, 6, 7]),
      silent: noteOf([5, 6, 8, 10]),
      changed: noteOf([5, 6, 7], [changeAt(6)]),
    }).toEqual({
      every: { says: 'Cards per day (UTC).', hasChanges: false },
      silent: { says: 'Cards per day (UTC). On 2 days there was no card.', hasChanges: false },
      changed: { says: 'Cards per day (UTC).', hasChanges: true },
    });
  });
});

describe('an axis of intervals', () => {
  const markOf = (low: number, high: number): ForestMark => ({
    verdict: 'unclear',
    median: (low + high) / 2,
    interval: { low, high },
    sureInterval: { low, high },
    says: '',
  });
  const historyCardOf = (name: string, ...marks: ForestRow['marks']): ForestRow => ({
    ...{
      name,
      verdict: 'unclear',
      belowName: 'unclear',
      remark: '',
      marks,
      size: false,
      details: false,
    },
  });
  const words: ForestWords = {
    label: 'Types',
    columns: [{ title: 'vs BTC', sides: ['below', 'above'] }],
    point: 'median',
    level: '95 %',
    size: '',
    sureLevel: '99.7 %',
    decides: 'The rule.',
    hasLegendAbove: false,
  };
  const usual = ['a', 'b', 'c'].map((name) => historyCardOf(name, markOf(-1, 1)));
  const textOf = (...rows: ForestRow[]) => forest([{ heading: '', rows }], words).text;
  const besideUsual = (mark: ForestMark) => textOf(...usual, historyCardOf('d', mark));

  it('shows where a line goes on, and says what that means', () => {
    const marks = (text: string) => ({
      left: text.includes('>◂<'),
      right: text.includes('>▸<'),
      isSaid: text.includes('◂ ▸ the line goes on'),
    });
    expect({
      usual: marks(textOf(...usual)),
      left: marks(besideUsual(markOf(-9, 1))),
      right: marks(besideUsual(markOf(-1, 9))),
      unbounded: marks(besideUsual({ ...markOf(-1, 1), sureInterval: 'unbounded' })),
      noInterval: marks(besideUsual({ ...markOf(0, 0), interval: null, sureInterval: undefined })),
    }).toEqual({
      usual: { left: false, right: false, isSaid: false },
      left: { left: true, right: false, isSaid: true },
      right: { left: false, right: true, isSaid: true },
      unbounded: { left: true, right: true, isSaid: true },
      noInterval: { left: false, right: false, isSaid: false },
    });
  });

  it('shows the band as it is drawn, and says so where it is as narrow as the line at 0', () => {
    const bandOf = (text: string) => {
      const [, mark = '', said] =
        /<svg[^>]*>((?:(?!<svg).)*)<\/svg> (within [^<]*)</.exec(text) ?? [];
      return { said, isOnLine: mark.includes('class="band"') && mark.includes('class="zero"') };
    };
    const far = ['a', 'b', 'c'].map((name) => historyCardOf(name, markOf(-9, 9)));
    expect({ usual: bandOf(textOf(...usual)), far: bandOf(textOf(...far)) }).toEqual({
      usual: { said: 'within 0.1 pp of 0', isOnLine: true },
      far: { said: 'within 0.1 pp of 0: here hardly wider than the line at 0', isOnLine: true },
    });
  });

  it('has a band that is seen beside the page and beside the line at 0, light and dark', () => {
    const lightness = (color: string) => {
      const [red = 0, green = 0, blue = 0] = (color.match(/\w\w/g) ?? []).map(
        (part) => (Number.parseInt(part, 16) / 255) ** 2.2,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const colors = (name: string) =>
      [...STYLE.matchAll(new RegExp(`--${name}:#(\\w{6})`, 'g'))].map(([, color = '']) => color);
    const [bands, pages, lines] = [colors('band'), colors('page'), colors('zero')];
    const ratio = (one = '', other = '') => {
      const [small = 1, large = 1] = [lightness(one), lightness(other)].sort((a, b) => a - b);
      return large / small;
    };
    const seen = bands.map((band, i) => ratio(band, pages[i]) > 1.8 && ratio(band, lines[i]) > 1.8);
    expect(STYLE).toContain('.band{fill:var(--band)');
    expect(seen).toEqual([true, true]);
  });

  it('has no picture, no legend and no figure in bold without an interval', () => {
    const bare = textOf(historyCardOf('a', { ...markOf(0, 0), interval: null }));
    expect(bare).toMatch(/^<div class="frame forest bare">/);
    expect(bare).not.toMatch(/The rule|class="key"|class="scale|<svg|<circle|class="iv|<b>0/);
    expect(bare).toContain('0.00 pp');
  });

  it('draws nothing of a comparison with too few days, and does not widen for it', () => {
    const few = { ...markOf(-9, 9), verdict: 'too_few_days' } as const;
    const [, rowOfFew = ''] = besideUsual(few).split(/<li[^>]*>\n<div class="name"><b>d</);
    expect(rowOfFew).toContain('class="zero"');
    expect(rowOfFew).not.toMatch(/<circle|class="iv/);
    // Its figures stand beside it, as in lists.
    expect(rowOfFew).toContain('0.00 pp');
    const headOf = (text: string) => text.slice(0, text.indexOf('<ul'));
    expect(headOf(besideUsual(few))).toBe(headOf(textOf(...usual)));
  });

  it('says what its marks mean before it draws them, and nothing of marks that it has not', () => {
    const legendOf = (text: string) =>
      [
        ...(/<div class="key">.*?<\/div>/s.exec(text)?.[0] ?? '').matchAll(
          /<\/svg> (.*?)<\/span>/g,
        ),
      ].map(([, meaning]) => meaning?.replaceAll('\u00a0', ' '));
    const always = ['median', '95 % sure: the true value lies here'];
    const rule = ['99.7 % sure', 'within 0.1 pp of 0'];
    const withoutRule = { ...words, sureLevel: undefined };
    expect({
      usual: legendOf(textOf(...usual)),
      withoutRule: legendOf(forest([{ heading: '', rows: usual }], withoutRule).text),
    }).toEqual({
      usual: [...always, ...rule],
      withoutRule: [...always, 'within 0.1 pp of 0'],
    });
    // Where a picture above has said all of it, there is no empty frame.
    const saidAbove = { ...withoutRule, decides: '', hasLegendAbove: true };
    expect(forest([{ heading: '', rows: usual }], saidAbove).text).not.toContain('class="key"');
    expect(textOf(...usual)).toMatch(/class="key"[\s\S]*The rule\.[\s\S]*class="scale"[\s\S]*<li/);
  });

  it('is one for both columns, each with its name beside its figures', () => {
    const both: ForestWords = {
      ...words,
      columns: [{ title: 'vs other cards', sides: ['below', 'above'] }, ...words.columns],
    };
    const rows = [
      historyCardOf('a', markOf(-1, 1), markOf(-1, 3)),
      historyCardOf('b', undefined, markOf(-1, 3)),
    ];
    const [head = '', ...drawn] = forest([{ heading: '', rows }], both).text.split(/<li[ >]/);
    const axes = head.split('class="scale-').slice(1);
    const ticks = axes.map((axis) => axis.match(/class="tick x".*?<\/text>/g));
    expect(ticks[0]).toEqual(ticks[1]);
    expect(drawn.map((row) => row.match(/<circle/g)?.length)).toEqual([2, 1]);
    expect(drawn[0]).toMatch(/value-1"><b>0\.00 pp<\/b> <span class="whom">vs other cards/);
    expect(drawn[0]).toMatch(/value-2"><b>\+1\.00 pp<\/b> <span class="whom">vs BTC/);
  });
});
