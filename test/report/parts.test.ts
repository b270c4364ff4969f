/** The bounds of the report's parts: how few outcomes have a picture, how many panels and bars there are, what goes on. */
import { describe, expect, it } from 'vitest';
import type { SettingsChange } from '../../src/history/store/settings-periods.ts';
import type { Difference } from '../../src/outcomes/differences.ts';
import type { Row } from '../../src/outcomes/row.ts';
import type { Standing } from '../../src/outcomes/standing.ts';
import { type ForestRow, forest } from '../../src/report/forest.ts';
import { html } from '../../src/report/markup.ts';
import { perDaySection, periodsOf } from '../../src/report/per-day.ts';
import { spreadSection } from '../../src/report/spread.ts';

const DAY = 86_400_000;

describe('the spread of moves', () => {
  const differencesOf = (type: string, count: number) =>
    Array.from(
      { length: count },
      (_, i) => ({ card: { type }, value: i - count / 2 + 0.25 }) as unknown as Difference,
    );
  const standingOf = (group: string, word: Standing['word']) => ({ group, word }) as Standing;

  it('has a panel for each type with six outcomes or more, and for eight types at most', () => {
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
      nine: panelsOf(Array.from({ length: 9 }, () => 6)),
    }).toEqual({ five: 0, six: 2, nine: 8 });
  });

  it('has a heading of the best type alone, from thirty outcomes on', () => {
    const headingOf = (word: Standing['word'], count: number) =>
      /<h2[^>]*>(.*)<\/h2>/.exec(
        spreadSection(differencesOf('pump', count), [standingOf('pump', word)])?.text ?? '',
      )?.[1];
    expect({
      enough: headingOf('above', 30),
      few: headingOf('above', 29),
      unclear: headingOf('unclear', 30),
    }).toEqual({
      enough: '50\u00a0% of 30 bought pump cards fell behind BTC',
      few: 'How much single cards differ',
      unclear: 'How much single cards differ',
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
  const rowAt = (day: number) => ({ at: day * DAY, isBought: false }) as Row;
  const changeAt = (day: number) =>
    ({ at: day * DAY, types: ['pump'] }) as unknown as SettingsChange;
  const noteOf = (days: readonly number[], changes: readonly SettingsChange[] = []) => {
    const periods = periodsOf((days[0] ?? 0) * DAY, (days.at(-1) ?? 0) * DAY);
    const section = perDaySection(days.map(rowAt), periods, changes).text;
    return /was bought<\/b>\.(.*?)</.exec(section)?.[1];
  };

  it('tell of days without a card, and of changes of settings, only where there are some', () => {
    expect({
      every: noteOf([5, 6, 7]),
      silent: noteOf([5, 6, 8, 10]),
      changed: noteOf([5, 6, 7], [changeAt(6)]),
    }).toEqual({
      every: '',
      silent: ' On 2 days there was no card.',
      changed: ' A dashed line marks a change of settings.',
    });
  });
});

describe('an axis of intervals', () => {
  const rowOf = (name: string, low: number, high: number): ForestRow => ({
    name,
    word: 'unclear',
    verdict: 'unclear',
    median: (low + high) / 2,
    interval: { low, high },
    sureInterval: null,
    isWeak: false,
    about: html``,
  });
  const words = {
    label: 'Types',
    sureLevel: '99.7 %',
    rule: 'The rule.',
    sides: ['below', 'above'],
  } as const;
  const usual = [rowOf('a', -1, 1), rowOf('b', -1, 1), rowOf('c', -1, 1)];

  it('shows where a line goes on, and says what that means', () => {
    const textOf = (...rows: ForestRow[]) => forest([...usual, ...rows], words).text;
    const marks = (text: string) => ({
      left: text.includes('>◂<'),
      right: text.includes('>▸<'),
      isSaid: text.includes('◂ ▸: the line goes on beyond the picture.'),
    });
    expect({
      usual: marks(textOf()),
      left: marks(textOf(rowOf('d', -9, 1))),
      right: marks(textOf(rowOf('d', -1, 9))),
    }).toEqual({
      usual: { left: false, right: false, isSaid: false },
      left: { left: true, right: false, isSaid: true },
      right: { left: false, right: true, isSaid: true },
    });
  });

  it('has no picture and no rule without an interval', () => {
    const bare = forest([{ ...rowOf('a', 0, 0), interval: null, median: null }], words).text;
    expect(bare).toMatch(/^<div class="forest bare">/);
    expect(bare).not.toMatch(/The rule|<circle|class="iv/);
  });

  it('says that a line is weak', () => {
    const weak = forest([{ ...rowOf('a', -1, 1), isWeak: true }], words).text;
    expect(weak).toContain('class="iv weak"');
    expect(weak).toContain('Dotted: fewer than twelve blocks of days.');
    expect(forest(usual, words).text).not.toContain('Dotted');
  });
});
