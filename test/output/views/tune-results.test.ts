/** What `tune` says of types and numbers without a finding. */
import { expect, it } from 'vitest';
import type { Question } from '../../../src/outcomes/tune-types.ts';
import {
  resultsByNumber,
  resultsByType,
  waitingForFocus,
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
  readonly questions: readonly Question[];
  readonly result: string;
}

it.each([
  {
    case: 'all tested, each named once with its size',
    questions: [TESTED, { ...TESTED, absolute: true }, { ...TESTED, key: 'w', absolute: true }],
    result: 'nothing above 2 pp found in |w|, x',
  },
  {
    case: 'more numbers than there is room for their names',
    questions: ['a', 'b', 'c', 'd'].map((letter) => ({ ...TESTED, key: letter.repeat(13) })),
    result: 'nothing above 2 pp found in 4 numbers',
  },
  {
    case: 'all that can be tested',
    questions: [TESTED, SAME_ALL_DAY],
    result: 'nothing above 2 pp found in x',
  },
  {
    case: 'more to come',
    questions: [TESTED, COMING, SAME_ALL_DAY],
    result:
      'nothing above 2 pp found in x; too few outcomes for z: 100 of about 180, likely by 5 Jan',
  },
  {
    case: 'one to come',
    questions: [TESTED, COMING],
    result:
      'nothing above 2 pp found in x; too few outcomes for z: 100 of about 180, likely by 5 Jan',
  },
  {
    case: 'different sizes that can be missed, by the largest',
    questions: [TESTED, { ...TESTED, key: 'w', would_show_percentage_points: 3.31 }],
    result: 'nothing above 3.5 pp found in w, x',
  },
  {
    case: 'several to come, by name',
    questions: [TESTED, COMING, { ...COMING, key: 'w', needed: 190 }, SAME_ALL_DAY],
    result:
      'nothing above 2 pp found in x; too few outcomes for w, z: 100 of about 180, likely by 5 Jan',
  },
  {
    case: 'none that would show, by the number that needs the fewest more',
    questions: [
      { ...OPEN, needed: 400 },
      { ...COMING, key: 'w' },
    ],
    result: 'too few outcomes: 100 of about 180, likely by 5 Jan',
  },
  {
    case: 'outcomes that come sooner if they are bought first',
    questions: [{ ...COMING, focus_brings_by: '2026-12-03T06:00:00Z' }],
    result: 'too few outcomes: 100 of about 180, by 3 Dec with `--focus`',
  },
  {
    case: 'too few cards, for longer than outcomes count',
    questions: [{ ...FEW, needs: 'outcomes', needed: 140 }],
    result: 'too few outcomes: 29 of about 140, not within half a year',
  },
  {
    case: 'too few days',
    questions: [{ ...LATE, needs: 'days', needed: 24, enough_by: '2026-12-20T06:00:00Z' }],
    result: 'too few days with outcomes: 18 of 24, likely by 20 Dec',
  },
  {
    case: 'too few cards a day, from the first day on',
    questions: [{ ...FEW, cards: 3, needs: 'cards_a_day' }],
    result: 'cannot be tested: too few days have two of its cards',
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
    expect(resultsByType(questions, () => undefined, [])).toEqual([['a', result]]);
  },
);

it('says of one type which numbers lack what, once each, by the closest of them', () => {
  const size = { ...COMING, key: 'x', absolute: true };
  const late: Question = {
    ...LATE,
    needs: 'days',
    needed: 24,
    enough_by: '2026-12-20T06:00:00Z',
  };
  expect(resultsByNumber([TESTED, { ...OPEN, needed: 400 }, size, late, SAME_ALL_DAY])).toEqual([
    ['Too few days with outcomes', '18 of 24, likely by 20 Dec: v'],
    ['Nothing found', 'above 2 pp: x'],
    ['Too few outcomes', '100 of about 180, likely by 5 Jan: |x|, z'],
    ['Cannot be tested', 'hardly a day has two cards that differ: y'],
  ]);
});

it('names no number where none is tested, and all lack the same', () => {
  const few: Question = { ...FEW, needs: 'outcomes', needed: 140 };
  expect(resultsByNumber([few, { ...few, key: 'w' }])).toEqual([
    ['Too few outcomes', '29 of about 140, not within half a year'],
  ]);
});

it('has types together that wait for outcomes which come sooner if they are bought first', () => {
  const FOCUSED: Question = { ...OPEN, focus_brings_by: '2026-12-03T06:00:00Z' };
  const three = ['b', 'c', 'a'].map((type) => ({ ...FOCUSED, type }));
  const alreadyTested = { ...TESTED, type: 'd' };
  const questions = [...three, alreadyTested, { ...FOCUSED, type: 'd' }, { ...COMING, type: 'e' }];
  const typesOf = (waiting: readonly Question[]) => waiting.map(({ type }) => type);
  const sendsCards = () => undefined;
  expect(typesOf(waitingForFocus(questions, sendsCards))).toEqual(['b', 'c', 'a']);
  expect(waitingForFocus(questions.slice(1), sendsCards), 'only two').toEqual([]);
  const silence = (type: string) => (type === 'c' ? 'no card for 9 days' : undefined);
  expect(waitingForFocus(questions, silence), 'one of three is silent').toEqual([]);
});
