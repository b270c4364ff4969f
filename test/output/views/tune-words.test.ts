/** A stricter setting to try: what it keeps, and whether the cards that came later confirm it. */
import { describe, expect, it } from 'vitest';
import type { AdviceCheck, Cut } from '../../../src/outcomes/tune-types.ts';
import type { TwoSides } from '../../../src/outcomes/two-sides.ts';
import { checkedWords, worthTrying } from '../../../src/output/views/tune-words.ts';
import { judged } from '../../support/standing.ts';

const AT_ZERO = {
  type: 'spike',
  key: 'change',
  absolute: false,
  direction: 'at_least',
  value: 0,
} as const;

const SIDES: TwoSides = {
  type: 'spike',
  key: 'change',
  above: { cards: 90, vsOthers: 1.36, interval: null },
  below: { cards: 90, vsOthers: -1.47, interval: null },
};

interface Shown {
  readonly check?: AdviceCheck;
  readonly more?: string;
  readonly word?: 'small' | 'above' | 'below';
  readonly direction?: 'at_least' | 'at_most';
}

function linesOf({ check = 'open', more = '', word = 'small', direction = 'at_least' }: Shown) {
  return worthTrying([{ ...AT_ZERO, direction }], [judged('spike', word)], {
    moreOf: () => more,
    sidesOf: () => SIDES,
    checkOf: () => check,
  }).map(({ label, text }) => `${label}: ${text}`);
}

describe('worth trying', () => {
  it.each<{ case: string; shown: Shown; line: string }>([
    {
      case: 'a side of a number, not confirmed',
      shown: {},
      line: 'only cards with change 0 or more (+1.36 vs others; below 0: -1.47), not confirmed yet',
    },
    {
      case: 'the other side, confirmed so far',
      shown: { direction: 'at_most', check: 'holds' },
      line: 'only cards with change 0 or less (-1.47 vs others; above 0: +1.36)',
    },
    {
      case: 'a type that is above, whose sides explain nothing',
      shown: { word: 'above', check: 'opposite', more: '`screener tune spike`' },
      line: 'only cards with change 0 or more, newer cards disagree so far; `screener tune spike`',
    },
  ])('says of $case what to keep', ({ shown, line }) => {
    expect(linesOf(shown)).toEqual([`Worth trying: spike: ${line}`]);
  });

  it('names no type that is below', () => {
    expect(linesOf({ word: 'below' })).toEqual([]);
  });
});

describe('whether newer cards confirm an advice', () => {
  const cutOf = (since: string | null, then: Cut['since_then']) =>
    ({ ...AT_ZERO, verdict_since: since, since_then: then }) as Cut;
  const thenOf = (difference: number, low: number, high: number): Cut['since_then'] => ({
    cards: 54,
    difference_percentage_points: difference,
    interval_95: { low, high },
  });
  const CHOSEN = '2026-10-04T06:00:00Z';

  it.each<{ case: string; cut: Cut; words: string }>([
    {
      case: 'a look of its own',
      cut: cutOf(null, null),
      words: 'Not confirmed yet: it was found on these same cards.',
    },
    {
      case: 'too few newer cards',
      cut: cutOf(CHOSEN, { ...thenOf(1, 0, 0), interval_95: null } as Cut['since_then']),
      words: 'Not confirmed yet: too few newer cards (since 4 Oct).',
    },
    {
      case: 'an interval that holds 0',
      cut: cutOf(CHOSEN, thenOf(2.8, -0.04, 5.63)),
      words: 'Not confirmed yet by 54 newer cards (since 4 Oct).',
    },
    {
      case: 'an interval above 0',
      cut: cutOf(CHOSEN, thenOf(3.34, 2.01, 4.66)),
      words:
        'So far 54 newer cards (since 4 Oct) agree: those it keeps did better than those it drops.',
    },
    {
      case: 'the other way round',
      cut: cutOf(CHOSEN, thenOf(-1, -3, 1)),
      words:
        'So far 54 newer cards (since 4 Oct) disagree: those it keeps did worse than those it drops.',
    },
  ])('is told of $case', ({ cut, words }) => {
    expect(checkedWords(cut)).toBe(words);
  });

  it('is not told without an advice', () => {
    expect(checkedWords(undefined)).toBe('');
  });
});
