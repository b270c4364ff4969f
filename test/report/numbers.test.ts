/** The numbers at the trigger that the report names: with a cut, a test that passes, and what the cut keeps. */
import { describe, expect, it } from 'vitest';
import type { Difference } from '../../src/outcomes/differences.ts';
import type { Cut, NumberQuestion } from '../../src/outcomes/tune-types.ts';
import { type NumbersInput, numbersSection, testSentences } from '../../src/report/numbers.ts';
import { judged } from '../support/standing.ts';

const WHICH = { type: 'pump', key: 'oi', absolute: false, horizon: '24h' } as const;

const question = (more: Partial<NumberQuestion> = {}): NumberQuestion =>
  ({
    ...WHICH,
    correlation: -0.3,
    p: 0.0123,
    p_holm: 0.03,
    verdict: 'lower',
    ...more,
  }) as NumberQuestion;

const cut = (more: Partial<Cut> = {}): Cut =>
  ({
    ...WHICH,
    direction: 'at_most',
    value: 30,
    quantile: 0.3,
    is_advice: true,
    cards_per_day: 2,
    kept_vs_btc_lowered: 1.2,
    gain_lowered: 1.1,
    verdict_since: null,
    since_then: null,
    ...more,
  }) as Cut;

/** The larger the number, the smaller the difference; two fifths of them below 0. */
const differences = Array.from({ length: 100 }, (_, i) => {
  const card = { type: 'pump', context: { oi: i } };
  return { card, value: 4 - i / 16 } as unknown as Difference;
});

function inputOf(
  questions: readonly NumberQuestion[],
  cuts: readonly Cut[],
  drawn: readonly Difference[] = differences,
): NumbersInput {
  const settingFor = () => 'Probably oi min, now 5: set it to 30 or less.';
  const tuning = { questions, cuts };
  return { tuning, differences: drawn, standings: [], settingFor, suggestions: [] };
}

function sectionOf(...parts: Parameters<typeof inputOf>): string | undefined {
  return numbersSection(inputOf(...parts))?.text;
}

it('there is no advice, and the page says why, for a type that is dropped anyway', () => {
  const standings = [judged('pump', 'below', { verdictVsBtc: 'below' })];
  const text = numbersSection({ ...inputOf([question()], [cut()]), standings })?.text ?? '';
  expect(text).toMatch(/<dt>Advice<\/dt><dd>none: [^<]+<\/dd>/);
});

describe('the numbers that a page names', () => {
  it('are three at most', () => {
    const keys = ['oi', 'price', 'volume', 'funding'];
    const known = differences.map(({ card, value }, i) => {
      const context = Object.fromEntries(keys.map((key) => [key, i]));
      return { card: { ...card, context }, value } as unknown as Difference;
    });
    const text = sectionOf(
      keys.map((key) => question({ key })),
      keys.map((key) => cut({ key })),
      known,
    );
    expect(text?.match(/<figure/g)).toHaveLength(3);
  });

  it('are those with a cut, and with a test that passes on the page', () => {
    expect({
      withoutCut: sectionOf([question()], []),
      withoutAdvice: sectionOf([question()], [cut({ is_advice: false })]),
      failing: sectionOf([question({ p: 0.051 })], [cut()]),
      untested: sectionOf([question({ p: null })], [cut()]),
      unclear: sectionOf([question({ verdict: 'unclear' })], [cut()]),
    }).toEqual({
      withoutCut: undefined,
      withoutAdvice: undefined,
      failing: undefined,
      untested: undefined,
      unclear: undefined,
    });
    expect(sectionOf([question({ p: 0.05 })], [cut()])).toContain(
      '>pump: cards with oi at 30 or less did better</h2>',
    );
  });

  it('have their p in the small print of the page, and no zeros for a small one', () => {
    const testsOf = (p: number) => testSentences(inputOf([question({ p })], [cut()]));
    expect({
      usual: testsOf(0.012),
      tiny: testsOf(0.0001),
      small: testsOf(0.001),
      failing: testsOf(0.051),
    }).toEqual({
      usual: ['pump and its oi: rank correlation −0.30 (p 0.012).'],
      tiny: ['pump and its oi: rank correlation −0.30 (p below 0.001).'],
      small: ['pump and its oi: rank correlation −0.30 (p 0.001).'],
      failing: [],
    });
    expect(sectionOf([question()], [cut()])).not.toContain('rank correlation');
  });

  it('have an advice that the top of the page does not give', () => {
    const input = inputOf([question()], [cut()]);
    const textWith = (setting: string, value = 30) => {
      const suggestions = [{ cut: cut({ value }), setting, command: '' }];
      return numbersSection({ ...input, suggestions })?.text ?? '';
    };
    const saysOf = (text: string) => ({
      advice: text.includes('Act only on cards with oi at 30 or less: expect'),
      isAbove: text.includes('as at the top of the page. The bars look better'),
      setting: text.includes('Probably oi min, now 5'),
    });
    expect({
      none: saysOf(numbersSection(input)?.text ?? ''),
      same: saysOf(textWith('probably oi min, now 5')),
      withoutSetting: saysOf(textWith('')),
      other: saysOf(textWith('probably oi min, now 5', 20)),
    }).toEqual({
      none: { advice: true, isAbove: false, setting: true },
      same: { advice: false, isAbove: true, setting: false },
      withoutSetting: { advice: false, isAbove: true, setting: true },
      other: { advice: true, isAbove: false, setting: true },
    });
  });

  it('have a shade over what the cut keeps, and words in its middle', () => {
    const low = sectionOf([question()], [cut()]);
    expect(low).toMatch(/<rect class="kept" x="0%" width="30%"/);
    expect(low).toMatch(/<text class="words" x="15%" y="-4" [^>]*>30 or less</);
    const high = sectionOf(
      [question({ verdict: 'higher' })],
      [cut({ direction: 'at_least', value: 70, quantile: 0.7 })],
    );
    expect(high).toMatch(/<rect class="kept" x="70%" width="30%"/);
    expect(high).toMatch(/<text class="words" x="85%" y="-4" [^>]*>70 or more</);
  });

  it('have five bars of as many cards, each with its median in the middle', () => {
    const section = sectionOf([question()], [cut()]) ?? '';
    const bars = [...section.matchAll(/<rect class="bar own" x="([\d.]+)%" width="([\d.]+)%"/g)];
    expect(bars.map(([, x, width]) => ({ x: Number(x), width: Number(width) }))).toEqual(
      [0, 20, 40, 60, 80].map((x) => ({ x, width: 20 })),
    );
    const medians = [...section.matchAll(/x="([\d.]+)%" y="[\d.]+" [^>]*>([+−][\d.]+)</g)];
    expect(medians.map(([, x, text]) => ({ x: Number(x), text }))).toEqual([
      { x: 10, text: '+3.41' },
      { x: 30, text: '+2.16' },
      { x: 50, text: '+0.91' },
      { x: 70, text: '−0.34' },
      { x: 90, text: '−1.59' },
    ]);
    const ticks = [...section.matchAll(/<text class="tick x" x="([\d.]+)%"[^>]*>([^<]*)</g)];
    expect(ticks.map(([, x, text]) => ({ x: Number(x), text }))).toEqual([
      { x: 20, text: '20' },
      { x: 40, text: '40' },
      { x: 60, text: '60' },
      { x: 80, text: '80' },
    ]);
    expect(section.match(/<title>[^<]*20 outcomes<\/title>/g)).toHaveLength(5);
  });

  it('have an axis that leaves room for the words above the highest bar', () => {
    const heights = [0, 1, 2, 3, 3.6].flatMap((value) => Array.from({ length: 4 }, () => value));
    const rising = heights.map((value, i) => ({ ...differences[i], value }) as Difference);
    const section = sectionOf([question()], [cut()], rising) ?? '';
    const ticks = [...section.matchAll(/<text class="tick y"[^>]*>([^<]*)</g)];
    expect(ticks.map(([, text]) => text)).toEqual(['0', '+1', '+2', '+3', '+4', '+5']);
  });

  it('are drawn from five cards on', () => {
    const barsOf = (count: number) =>
      sectionOf([question()], [cut()], differences.slice(0, count))?.match(/class="bar own" x/g)
        ?.length;
    expect({ four: barsOf(4), five: barsOf(5) }).toEqual({ four: undefined, five: 5 });
  });
});
