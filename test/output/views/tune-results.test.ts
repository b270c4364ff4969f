/** What `tune` says of types and numbers without a finding. */
import { expect, it } from 'vitest';
import type { Question } from '../../../src/outcomes/tune-types.ts';
import { resultsByType } from '../../../src/output/views/tune-results.ts';

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

it.each([
  { case: 'all tested', questions: [TESTED], result: 'nothing found (1 number tested)' },
  {
    case: 'all that can be tested',
    questions: [TESTED, SAME_ALL_DAY],
    result: 'nothing found (1 number tested)',
  },
  {
    case: 'more to come',
    questions: [TESTED, OPEN, SAME_ALL_DAY],
    result: 'nothing found yet (1 of 2 numbers tested)',
  },
])('a type says how far its numbers are tested: $case', ({ questions, result }) => {
  expect(resultsByType(questions, () => undefined, [])).toEqual([['a', result]]);
});
