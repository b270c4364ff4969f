/** What `tune` says of types and numbers without a finding. */
import { expect, it } from 'vitest';
import type { NumberQuestion } from '../../../src/outcomes/tune-types.ts';
import {
  neededWords,
  outcomesSoFar,
  resultInShort,
  resultsByNumber,
} from '../../../src/output/views/tune-results.ts';
import { questionAt } from '../../support/tune.ts';

const TESTED = questionAt();
/** Equal for all cards of a day: no outcome will ever make it a number that can be tested. */
const SAME_ALL_DAY = questionAt({
  key: 'y',
  p: null,
  correlation: null,
  verdict: 'constant_within_days',
  would_show: null,
});
/** Tested, but only an implausible link would show. */
const OPEN = questionAt({ key: 'z', would_show: 0.8, needs: 'outcomes', needed: 180 });
const COMING = { ...OPEN, enough_by: '2027-01-05T06:00:00Z' };
/** Not tested. */
const TOO_LITTLE = { ...SAME_ALL_DAY, verdict: 'too_little' } as const;
const FEW = { ...TOO_LITTLE, cards: 29, too_little: 'few_cards' } as const;
const LATE = { ...TOO_LITTLE, key: 'v', days: 18, too_little: 'few_days' } as const;

interface Case {
  readonly case: string;
  readonly questions: readonly NumberQuestion[];
  readonly result: string;
}

it.each([
  {
    case: 'all tested, each named once with its size',
    questions: [TESTED, { ...TESTED, absolute: true }, { ...TESTED, key: 'w', absolute: true }],
    result: 'nothing found; 2 pp would show',
  },
  {
    case: 'all that can be tested',
    questions: [TESTED, SAME_ALL_DAY],
    result: 'nothing found; 2 pp would show',
  },
  {
    case: 'more to come',
    questions: [TESTED, COMING, SAME_ALL_DAY],
    result: 'nothing found so far; 2 pp would show',
  },
  {
    case: 'different sizes that would show, by the largest',
    questions: [TESTED, { ...TESTED, key: 'w', would_show_percentage_points: 3.31 }],
    result: 'nothing found; 3.5 pp would show',
  },
  {
    case: 'none that would show, by the number that needs the fewest more',
    questions: [
      { ...OPEN, needed: 400 },
      { ...COMING, key: 'w' },
    ],
    result: 'too few outcomes yet: 100 of about 180, likely enough by the end of Jan',
  },
  {
    case: 'outcomes that come in time only if they are bought first, without the date of that',
    questions: [{ ...COMING, enough_by: null, focus_brings_by: '2026-12-03T06:00:00Z' }],
    result: 'too few outcomes yet: 100 of about 180',
  },
  {
    case: 'too few cards, for longer than outcomes count',
    questions: [{ ...FEW, needs: 'outcomes', needed: 140 }],
    result: 'too few outcomes yet: 29 of about 140',
  },
  {
    case: 'outcomes enough that spread too far',
    questions: [
      { ...TESTED, would_show: 0.6, would_show_percentage_points: 6.6 },
      { ...TESTED, key: 'w', cards: 99, would_show: 0.7, would_show_percentage_points: 7.7 },
    ],
    result: 'too uncertain: only 7 pp or more would likely show, more than can be expected',
  },
  {
    case: 'some of which spread too far: no outcome is promised to help them',
    questions: [
      TESTED,
      { ...TESTED, key: 'w', would_show: 0.6, would_show_percentage_points: 6.6 },
    ],
    result: 'nothing found; 2 pp would show',
  },
  {
    case: 'too few days',
    questions: [{ ...LATE, needs: 'days', needed: 24, enough_by: '2026-12-20T06:00:00Z' }],
    result: 'too few days with outcomes: 18 of 24, likely enough by the end of Dec',
  },
  {
    case: 'too few cards a day, from the first day on',
    questions: [{ ...FEW, cards: 3, needs: 'cards_a_day' }],
    result: 'too few cards a day to tell',
  },
  {
    case: 'days enough on which hardly any cards differ',
    questions: [LATE],
    result: 'cannot be tested: hardly a day has two cards that differ',
  },
  {
    case: 'the same all day',
    questions: [SAME_ALL_DAY],
    result: 'cannot be tested: hardly a day has two cards that differ',
  },
  {
    case: 'too few symbols',
    questions: [{ ...TOO_LITTLE, symbols: 5, too_little: 'few_symbols' }],
    result: 'too few symbols: 5 of 8',
  },
] satisfies Case[])(
  'a type says how far its numbers are tested: $case',
  ({ questions, result }) => {
    expect(resultInShort(questions)).toBe(result);
  },
);

it('says of one type which numbers lack what, once each, by the closest of them', () => {
  const size = { ...COMING, key: 'x', absolute: true };
  const late: NumberQuestion = {
    ...LATE,
    needs: 'days',
    needed: 24,
    enough_by: '2026-12-20T06:00:00Z',
  };
  expect(resultsByNumber([TESTED, { ...OPEN, needed: 400 }, size, late, SAME_ALL_DAY])).toEqual([
    ['Too few days with outcomes', 'v: 18 of 24, likely enough by the end of Dec'],
    ['Nothing found', 'x'],
    ['Too few outcomes yet', '|x|, z: 100 of about 180, likely enough by the end of Jan'],
    ['Cannot be tested', 'y: hardly a day has two cards that differ'],
  ]);
});

it('says of numbers that cannot be tested each reason', () => {
  const seldom: NumberQuestion = { ...FEW, key: 'v', needs: 'cards_a_day' };
  const rare: NumberQuestion = { ...TOO_LITTLE, key: 'w', too_little: 'rarely_given' };
  expect(resultsByNumber([seldom, rare, { ...rare, key: 'y' }])).toEqual([
    ['Cannot be tested', 'v: too few of its days have two or more cards'],
    ['Cannot be tested', 'w, y: known of too few cards'],
  ]);
});

it('names no number where none is tested, and all lack the same', () => {
  const few: NumberQuestion = { ...FEW, needs: 'outcomes', needed: 140 };
  expect(resultsByNumber([few, { ...few, key: 'w' }])).toEqual([
    ['Too few outcomes yet', '29 of about 140'],
  ]);
});

it('tells how many outcomes a test needs as the rule of the test has it', () => {
  expect([100, 200, 1300].map((needed) => neededWords(needed))).toEqual([
    'about 100',
    'about 200',
    'about 1300',
  ]);
});

it('says how many outcomes there are so far only if more of them bring the first test', () => {
  const few = { ...FEW, needs: 'outcomes', needed: 140 } as const;
  expect({
    few: outcomesSoFar([SAME_ALL_DAY, few]),
    one: outcomesSoFar([{ ...few, cards: 1 }]),
    yet: outcomesSoFar([OPEN]),
    tested: outcomesSoFar([TESTED, few]),
    days: outcomesSoFar([{ ...LATE, needs: 'days', needed: 24 }]),
    never: outcomesSoFar([SAME_ALL_DAY]),
    none: outcomesSoFar([]),
  }).toEqual({
    few: '29 of about 140 outcomes',
    one: '1 of about 140 outcomes',
    yet: '100 of about 180 outcomes',
    tested: undefined,
    days: undefined,
    never: undefined,
    none: undefined,
  });
});
