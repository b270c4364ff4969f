/** What `tune` says of types and numbers without a finding. */
import { expect, it } from 'vitest';
import type { Question } from '../../../src/outcomes/tune-types.ts';
import {
  resultsByNumber,
  resultsByType,
  weakNote,
} from '../../../src/output/views/tune-results.ts';

const TESTED: Question = {
  type: 'a',
  key: 'x',
  absolute: false,
  horizon: '24h',
  cards: 100,
  days: 40,
  symbols: 20,
  correlation: 0.01,
  correlation_interval_95: { low: -0.1, high: 0.1 },
  p: 0.9,
  p_holm: 1,
  verdict: 'unclear',
  too_little: null,
  verdict_since: null,
  would_show: 0.2,
  focus_brings_by: null,
};
/** Equal for all cards of a day: no outcome will ever make it a number that can be tested. */
const SAME_ALL_DAY: Question = {
  ...TESTED,
  key: 'y',
  p: null,
  p_holm: null,
  correlation: null,
  verdict: 'constant_within_days',
  would_show: null,
};
/** Tested, but only an implausible link would show. */
const OPEN: Question = { ...TESTED, key: 'z', would_show: 0.8 };

/** Not tested. */
const TOO_LITTLE: Question = { ...SAME_ALL_DAY, verdict: 'too_little' };

interface Case {
  readonly case: string;
  readonly questions: readonly Question[];
  readonly result: string;
}

it.each([
  { case: 'all tested', questions: [TESTED], result: 'nothing found in 1 number' },
  {
    case: 'all that can be tested',
    questions: [TESTED, SAME_ALL_DAY],
    result: 'nothing found in 1 number',
  },
  {
    case: 'more to come',
    questions: [TESTED, OPEN, SAME_ALL_DAY],
    result: 'nothing found in 1 of 2 numbers; the other one needs more outcomes',
  },
  {
    case: 'several to come',
    questions: [TESTED, OPEN, { ...OPEN, key: 'w' }],
    result: 'nothing found in 1 of 3 numbers; the others need more outcomes',
  },
  {
    case: 'none that would show, with the figure of what would',
    questions: [OPEN, { ...OPEN, key: 'w', would_show: null, cards: 90 }],
    result: 'too few outcomes: 100 bought (0.80)',
  },
  {
    case: 'nothing that would show at all',
    questions: [{ ...OPEN, would_show: null }],
    result: 'too few outcomes: 100 bought',
  },
  {
    case: 'too few cards',
    questions: [{ ...TOO_LITTLE, cards: 29, too_little: 'few_cards' }],
    result: 'too few outcomes: 29 of 60 bought',
  },
  {
    case: 'too few days',
    questions: [{ ...TOO_LITTLE, days: 18, too_little: 'few_days' }],
    result: 'too few days with outcomes: 18 of 24',
  },
  {
    case: 'days enough on which hardly any cards differ',
    questions: [{ ...TOO_LITTLE, too_little: 'few_days' }],
    result: 'cannot be tested: hardly a day has two cards that differ',
  },
  {
    case: 'the same all day',
    questions: [SAME_ALL_DAY],
    result: 'cannot be tested: hardly a day has two cards that differ',
  },
] satisfies Case[])(
  'a type says how far its numbers are tested: $case',
  ({ questions, result }) => {
    expect(resultsByType(questions, () => undefined, [])).toEqual([['a', result]]);
  },
);

it('says of one type which numbers lack what, once each', () => {
  const size = { ...OPEN, key: 'x', absolute: true, would_show: 0.6 };
  const late = { ...TOO_LITTLE, key: 'v', days: 18, too_little: 'few_days' } as const;
  expect(resultsByNumber([TESTED, OPEN, size, late, SAME_ALL_DAY])).toEqual([
    ['Too few days with outcomes', '18 of 24: v'],
    ['Nothing found', 'x'],
    ['Too few outcomes', '100 bought (0.60): |x|, z'],
    ['Cannot be tested', 'hardly a day has two cards that differ: y'],
  ]);
});

it('says what a correlation in brackets means, where a result has it', () => {
  const weak = '(0.80): only a correlation of 0.80 or more would show by now.';
  expect({
    ofType: weakNote([OPEN], false),
    ofTypeWithOthers: weakNote([TESTED, OPEN], false),
    ofNumber: weakNote([TESTED, OPEN], true),
    ofNoSize: weakNote([{ ...OPEN, would_show: null }], true),
    ofNone: weakNote([TESTED, SAME_ALL_DAY], true),
  }).toEqual({ ofType: weak, ofTypeWithOthers: '', ofNumber: weak, ofNoSize: '', ofNone: '' });
});

it('names no number where all have too few cards', () => {
  const few = { ...TOO_LITTLE, cards: 29, too_little: 'few_cards' } as const;
  expect(resultsByNumber([few, { ...few, key: 'w' }])).toEqual([
    ['Too few outcomes', '29 of 60 bought'],
  ]);
});
