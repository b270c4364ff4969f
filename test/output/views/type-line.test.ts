/** The line of a type in lists without figures: what to do, its word, its silence, and what its last change did. */
import { expect, it } from 'vitest';
import { DAY } from '../../../src/base/units.ts';
import type { Standing } from '../../../src/outcomes/standing.ts';
import { typeLine, typeLineWithSilence } from '../../../src/output/views/type-line.ts';
import { AT, standing } from '../../support/standing.ts';

const KEPT: Partial<Standing> = { verdict: 'above', toDo: 'keep', comparedWith: 'others' };
const BELOW: Partial<Standing> = { verdict: 'below', comparedWith: 'others' };
const HELPED: NonNullable<Standing['change']> = {
  changedAt: AT,
  verdict: 'higher',
  isNewlyFound: true,
  keptUntil: undefined,
};

it.each<{ case: string; of: Partial<Standing>; line: string; withSilence: string }>([
  {
    case: 'a word with what to do',
    of: KEPT,
    line: 'worth keeping: above since 20 Nov',
    withSilence: 'worth keeping: above since 20 Nov',
  },
  {
    case: 'a change that helped',
    of: { ...KEPT, change: HELPED },
    line: 'worth keeping: above since 20 Nov; change helped',
    withSilence: 'worth keeping: above since 20 Nov; change helped',
  },
  {
    case: 'a change that is unclear',
    of: { ...KEPT, change: { ...HELPED, verdict: 'unclear', isNewlyFound: false } },
    line: 'worth keeping: above since 20 Nov',
    withSilence: 'worth keeping: above since 20 Nov',
  },
  {
    case: 'a change that was found long ago to have helped',
    of: { ...KEPT, change: { ...HELPED, isNewlyFound: false } },
    line: 'worth keeping: above since 20 Nov',
    withSilence: 'worth keeping: above since 20 Nov',
  },
  {
    case: 'a change that was found long ago to have hurt',
    of: { ...KEPT, change: { ...HELPED, verdict: 'lower', isNewlyFound: false } },
    line: 'worth keeping: above since 20 Nov; change hurt',
    withSilence: 'worth keeping: above since 20 Nov; change hurt',
  },
  {
    case: 'a silent type with a word',
    of: { ...KEPT, silentDays: 19 },
    line: 'above since 20 Nov',
    withSilence: 'above since 20 Nov; no card for 19 days: check its settings',
  },
  {
    case: 'a silent type that is below the others and above BTC',
    of: { ...BELOW, toDo: 'behind_others_ahead_of_btc', silentDays: 19 },
    line: 'below since 20 Nov, but above BTC',
    withSilence: 'below since 20 Nov, but above BTC; no card for 19 days: check its settings',
  },
  {
    case: 'a silent type that is below both',
    of: { ...BELOW, toDo: 'drop', silentDays: 19 },
    line: 'worth dropping: below since 20 Nov, below BTC, too',
    withSilence: 'worth dropping: below since 20 Nov, below BTC, too; no card for 19 days',
  },
  {
    case: 'a type below both that is switched off',
    of: { ...BELOW, toDo: 'drop', off: { since: AT, isRemoved: false } },
    line: 'below since 20 Nov, below BTC, too',
    withSilence: 'below since 20 Nov, below BTC, too',
  },
  {
    case: 'a silent type that is known to be small',
    of: { verdict: 'small', silentDays: 19 },
    line: 'within 1 pp',
    withSilence: 'no card for 19 days: check its settings',
  },
  {
    case: 'a silent type that is unclear',
    of: { silentDays: 1 },
    line: 'unclear',
    withSilence: 'no card for 1 day: check its settings',
  },
  {
    case: 'an unclear type that is ahead of BTC',
    of: { toDo: 'ahead_of_btc', comparedWith: 'others' },
    line: 'unclear, but above BTC: keep for now',
    withSilence: 'unclear, but above BTC: keep for now',
  },
  {
    case: 'a type whose verdict was taken back',
    of: { withdrawn: { verdict: 'above', comparedWith: 'others', from: AT - 50 * DAY, until: AT } },
    line: 'above until 20 Nov; no longer sure: keep',
    withSilence: 'above until 20 Nov; no longer sure: keep',
  },
])('$case', ({ of, line, withSilence }) => {
  const type = standing('a', of);
  expect({ line: typeLine(type), withSilence: typeLineWithSilence(type) }).toEqual({
    line,
    withSilence,
  });
});

it('leaves out a change that is told elsewhere on the page', () => {
  const type = standing('a', { ...KEPT, change: HELPED });
  expect(typeLine(type, { isChangeTold: true })).toBe('worth keeping: above since 20 Nov');
});
