/** In which accounts it is said what they can ever know. */
import { expect, it } from 'vitest';
import { prospectOf } from '../../src/outcomes/prospect.ts';
import type { KnownScreeners, Standing } from '../../src/outcomes/standing.ts';
import { AT, judged, sure } from '../support/standing.ts';
import { evidenceOf } from './support.ts';

const KNOWN: KnownScreeners = {
  screeners: [],
  offSince: new Map(),
  firstCardAt: AT,
  until: AT,
  isListed: true,
};

function prospectOfTypes(standings: readonly Standing[]) {
  return prospectOf(standings, evidenceOf([], { now: AT }), KNOWN);
}

const open = judged('open', 'unclear', { wouldShowLater: 2.1, wouldShow: 3 });
const early = judged('early', 'too_few_days', { base: { ...sure, interval: null } });

it.each([
  { what: 'is small', types: [judged('a', 'small', { wouldShowLater: 0.9 }), open], isSaid: true },
  { what: 'is above', types: [judged('a', 'above'), open], isSaid: false },
  { what: 'is below BTC', types: [judged('a', 'small', { wordVsBtc: 'below' })], isSaid: false },
  { what: 'has too few days', types: [early], isSaid: false },
])('where a type $what: $isSaid', ({ types, isSaid }) => {
  expect(prospectOfTypes(types) !== undefined).toBe(isSaid);
});

it('has a size of types without a verdict alone', () => {
  const small = judged('a', 'small', { wouldShowLater: 0.9 });
  const silent = judged('b', 'unclear', { wouldShowLater: 2, silentDays: 20 });
  expect(prospectOfTypes([small, silent, open])?.types).toEqual([
    { type: 'open', wouldShow: 2.1, wouldShowNow: 3 },
  ]);
});
