/** In which accounts it is said what they can ever know. */
import { expect, it } from 'vitest';
import { dayNumber } from '../../src/base/units.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import { prospectOf } from '../../src/outcomes/prospect.ts';
import { DEFAULT_QUESTION } from '../../src/outcomes/question.ts';
import {
  type KnownScreeners,
  PROSPECT_DAYS,
  type Standing,
  standingsOf,
} from '../../src/outcomes/standing.ts';
import { AT, judged, sure } from '../support/standing.ts';
import { LONG_AGO_SETTLED, placeboHistory } from './placebo.ts';
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
    { type: 'open', wouldShow: 2.1, wouldShowNow: 3, daysSoFar: 0 },
  ]);
});

it('in small accounts the promised size holds on the last day in eight of ten cases, before it is rounded up', () => {
  const accounts = 20;
  const promises: { readonly promised: number; readonly then: number }[] = [];
  for (let seed = 1; seed <= accounts; seed += 1) {
    const world = { days: PROSPECT_DAYS, perDay: () => 6, correlation: 0.3, types: 3, scale: 3 };
    const cards = placeboHistory(world, seed);
    const firstDay = dayNumber(cards[0]?.at ?? 0);
    const standingsAfter = (days: number) => {
      const known = cards.filter(({ at }) => dayNumber(at) < firstDay + days);
      const evidence = evidenceOf(known, { now: LONG_AGO_SETTLED });
      return standingsOf(figuresOf(evidence, DEFAULT_QUESTION), evidence, KNOWN);
    };
    const standingsThen = standingsAfter(PROSPECT_DAYS);
    for (const days of [14, 20, 30]) {
      for (const { group, wouldShowLater: promised } of standingsAfter(days)) {
        const then = standingsThen.find((standing) => standing.group === group)?.wouldShow;
        if (promised !== undefined && then !== undefined) promises.push({ promised, then });
      }
    }
  }
  expect(promises.length, 'promises').toBeGreaterThan(100);
  const kept = promises.filter(({ promised, then }) => then <= promised);
  expect(kept.length / promises.length, 'share that is kept').toBeGreaterThan(0.8);
});
