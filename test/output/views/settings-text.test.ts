/** Settings of shapes that the API document does not show. */
import { describe, expect, it } from 'vitest';
import { screenersView } from '../../../src/output/views/screeners.ts';
import {
  likelySetting,
  settingsChange,
  settingsText,
} from '../../../src/output/views/settings-text.ts';
import type { TestContextOptions } from '../../support/context.ts';
import { outputTo, pagesOf } from '../written.ts';

/** Lines of the table of screeners on a terminal of 60 columns. */
async function linesAt60(conditions: Record<string, unknown>): Promise<string[]> {
  const options: TestContextOptions = { width: 60, env: { NO_COLOR: '1' } };
  const { context, output } = outputTo('table', options);
  await output.list(screenersView, pagesOf([[{ type: 'a', active: true, conditions }]]));
  return context.stdout.text.trimEnd().split('\n');
}

const withParts = {
  parts: [{ metric: 'price', comparison: 'abs >=', value: 1.6, window_min: 15 }],
  rate_limit: { notifications: 1, per_minutes: 15 },
};

it.each<{ value: number; text: string }>([
  { value: 1234.5, text: '1,234.5' },
  { value: 1e-7, text: '0.0000001' },
  { value: 1e-21, text: '1e-21' },
  { value: -0, text: '0' },
  { value: 1e60, text: '1e+60' },
])('a setting of $value is $text', ({ value, text }) => {
  expect(settingsText({ level: value })).toBe(`level ${text}`);
});

it.each<{ name: string; direction: 'at_least' | 'at_most'; set: number; cut: number }>([
  { name: 'price_change_min_pct', direction: 'at_most', set: 3, cut: 2 },
  { name: 'price_change_max_pct', direction: 'at_least', set: 10, cut: 12 },
])('a cut $direction is not offered as $name: it would loosen it', (row) => {
  const { name, direction, set, cut } = row;
  const screeners = [{ active: true, conditions: { [name]: set } }];
  const likely = likelySetting(screeners, { key: 'price_change_pct', direction, value: cut });
  expect(likely).toBeUndefined();
});

/** Each shape that is told as a person would, whatever its names are, and shapes that are near it and are told as they are. */
const SHAPES: readonly { what: string; conditions: Record<string, unknown>; text: string }[] = [
  {
    what: 'a comparison, its window, a limit with its unit, a list, and a rate limit',
    conditions: {
      trigger: { metric: 'price', comparison: 'abs >=', value: 3, window_min: 15 },
      turnover_usd_min: 5_000_000,
      exchanges: ['binance', 'bybit', 'okx'],
      rate_limit: { notifications: 1, per_minutes: 15 },
    },
    text: 'price abs >= 3 within 15 min; turnover at least 5,000,000 USD; exchanges binance, bybit and okx; at most 1 notification in 15 min',
  },
  {
    what: 'a comparison with a window that is not set',
    conditions: { trigger: { watches: 'funding', is: 'abs_gte', than: 0.0005, window_min: null } },
    text: 'funding abs >= 0.0005',
  },
  {
    what: 'a comparison on top',
    conditions: { a: 'oi', b: '<', c: 4, quiet: true },
    text: 'oi < 4; quiet yes',
  },
  {
    what: 'parts of a list',
    conditions: { parts: [{ a: 'oi', b: '>=', c: 4 }, { side: 'up' }] },
    text: 'parts 1: oi >= 4; parts 2 side up',
  },
  {
    what: 'what a comparison is for, unless it is the trigger',
    conditions: { exclude: { a: 'oi', b: '>=', c: 4 } },
    text: 'exclude: oi >= 4',
  },
  {
    what: 'units and sides in any order',
    conditions: { min_oi_pct: 4, price_change_pct: 3, volume: { max_usd: 5 } },
    text: 'oi at least 4 %; price change 3 %; volume at most 5 USD',
  },
  {
    what: 'rate limits with other units',
    conditions: { limit: { cards: 2, per_hours: 1 }, max_per_15_min: 1 },
    text: 'at most 2 cards in 1 hour; at most 1 per 15 min',
  },
  {
    what: 'as it is: a sign beside no text, or no number',
    conditions: { first: { b: '>=', c: 4 }, second: { a: 'oi', b: '>=' } },
    text: 'first: b >=, c 4; second: a oi, b >=',
  },
  {
    what: 'as it is: min that may be minutes or the least',
    conditions: { oi_min: 2.8, pct: 5 },
    text: 'oi min 2.8; pct 5',
  },
  {
    what: 'as it is: a limit of three values, or one that is not called so',
    conditions: { limit: { cards: 1, per: '1h', days: 2 }, pace: { cards: 1, per: '1h' } },
    text: 'limit: cards 1, per 1h, days 2; pace: cards 1, per 1h',
  },
  {
    what: 'a value that is not set, if nothing else is said',
    conditions: { window: null },
    text: 'window none',
  },
];

it.each(SHAPES)('settings tell $what', ({ conditions, text }) => {
  expect(settingsText(conditions)).toBe(text);
});

describe('settings', () => {
  it('number the parts of a list, also a single part', () => {
    expect(settingsText(withParts)).toBe(
      'parts 1: price abs >= 1.6 within 15 min; at most 1 notification in 15 min',
    );
  });

  it('say of a comparison which part of it differs', () => {
    const trigger = { metric: 'price', comparison: 'abs >=', value: 3, window_min: 15 };
    const withTrigger = (part: Record<string, unknown>) => [
      { active: true, conditions: { trigger: { ...trigger, ...part } } },
    ];
    const changeTo = (part: Record<string, unknown>) =>
      settingsChange(withTrigger({}), withTrigger(part));
    expect(changeTo({ value: 4 })).toBe('price abs >= 4 instead of 3');
    expect(changeTo({ window_min: 30 })).toBe('within 30 min instead of 15 min');
    expect(changeTo({ window_min: null })).toBe('trigger window min none instead of 15');
    expect(changeTo({ comparison: '>=' })).toBe('trigger comparison >= instead of abs >=');
  });

  it('say of a part which value differs', () => {
    const stricter = { ...withParts, parts: [{ ...withParts.parts[0], value: 2 }] };
    const more = { ...stricter, parts: [...stricter.parts, { metric: 'oi' }] };
    const screener = (conditions: Record<string, unknown>) => [{ active: true, conditions }];
    expect(settingsChange(screener(withParts), screener(stricter))).toBe(
      'parts 1 price abs >= 2 instead of 1.6',
    );
    expect(settingsChange(screener(withParts), screener(more))).toBe(
      'parts 1 price abs >= 2 instead of 1.6; parts 2 metric oi instead of none',
    );
  });

  it('tell values apart whose names are the same words', () => {
    const before = { price: { min: 3 }, price_min: 5 };
    const after = { price: { min: 4 }, price_min: 5 };
    const change = settingsChange(
      [{ active: true, conditions: before }],
      [{ active: true, conditions: after }],
    );
    expect(change).toBe('price min 4 instead of 3');
  });

  it.each<[Record<string, unknown>]>([
    [{ '': 1e60 }],
    [{ '': 'x'.repeat(70) }],
    [{ a: { '': 'x'.repeat(70) } }],
    [withParts],
  ])('fit a terminal of 60 columns: %j', async (conditions) => {
    const lines = await linesAt60(conditions);
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
  });

  it('differ in a condition that is called active, too', () => {
    const screener = (active: string) => [{ active: true, conditions: { active } }];
    expect(settingsChange(screener('day'), screener('night'))).toBe('active night instead of day');
  });

  it('differ in the parts that differ', () => {
    const one = (conditions: Record<string, unknown>, active = true) => ({ active, conditions });
    const before = one({ price: { min: 3, within: 15 }, quiet: 5 });
    expect(
      settingsChange([before], [one({ price: { min: 4, within: 15 }, side: 'up' }, false)]),
    ).toBe(
      'price min 4 instead of 3; side up instead of none; active no instead of yes; quiet none instead of 5',
    );
    expect(settingsChange([before], [before, one({ quiet: 1 })])).toBe(
      'screener 2 quiet 1 instead of none; screener 2 active yes instead of none',
    );
  });

  it.each([
    {
      key: 'oi_change_pct',
      cut: 3.9,
      conditions: { oi_min: 2.8, window_minutes: 60, max_per_15_min: 1 },
      likely: { name: 'oi min', now: '2.8' },
    },
    {
      key: 'priceChange',
      cut: 4,
      conditions: { when: [{ price: { atLeast: 3, within: '15m' } }] },
      likely: { name: 'when 1 price at least', now: '3' },
    },
    {
      key: 'rsi_14',
      cut: 60,
      conditions: { rsi_7: 50, rsi_14: 50 },
      likely: { name: 'rsi 14', now: '50' },
    },
  ])('of $key at $cut or more the likely one is $likely.name', ({ key, cut, ...expected }) => {
    const { conditions, likely } = expected;
    const setting = likelySetting([{ active: true, conditions }], {
      ...{ key, direction: 'at_least' },
      value: cut,
    });
    expect(setting).toEqual(likely);
  });

  it.each([
    { why: 'there are several', key: 'oi_change_pct', conditions: { oi_min: 2.8, oi_window: 60 } },
    {
      why: 'its name does not tell the metric',
      key: 'oi_change_pct',
      conditions: { parts: [{ metric: 'oi', value: 2.8 }] },
    },
    { why: 'it is of another metric', key: 'oi_change_pct', conditions: { price_change_pct: 3 } },
    { why: 'its first word is of a limit', key: 'max_price', conditions: { max_per_15_min: 1 } },
    { why: 'it is no number', key: 'oi', conditions: { oi: 'high' } },
    { why: 'the cut is not stricter', key: 'oi', conditions: { oi_window: 60 } },
  ])('none is likely if $why', ({ key, conditions }) => {
    const setting = likelySetting([{ active: true, conditions }], {
      ...{ key, direction: 'at_least' },
      value: 3.9,
    });
    expect(setting).toBeUndefined();
  });

  it.each([
    { direction: 'at_least', set: 2.8, cut: 2.9, isLikely: true },
    { direction: 'at_least', set: 2.8, cut: 2.8, isLikely: false },
    { direction: 'at_most', set: 2.8, cut: 2.7, isLikely: true },
    { direction: 'at_most', set: 2.8, cut: 2.8, isLikely: false },
    { direction: 'at_most', set: -2.8, cut: -3, isLikely: true },
    // On the other side of zero, or at it, a cut is on the other direction of moves.
    { direction: 'at_least', set: -2.8, cut: 3, isLikely: false },
    { direction: 'at_most', set: 2.8, cut: 0, isLikely: false },
    { direction: 'at_least', set: 0, cut: 3, isLikely: false },
  ] as const)('of a limit of $set a cut $direction $cut is likely: $isLikely', (row) => {
    const { direction, set, cut, isLikely } = row;
    const conditions = { oi_limit: set };
    const found = likelySetting([{ active: true, conditions }], {
      ...{ key: 'oi_change_pct', direction },
      value: cut,
    });
    expect(found).toEqual(isLikely ? { name: 'oi limit', now: String(set) } : undefined);
  });
});
