/** In which accounts it is said what they can ever know. */

import { mean } from 'd3-array';
import { describe, expect, it } from 'vitest';
import { OUTCOME_MILLIS } from '../../src/api/contract/horizons.ts';
import { DAY, dayNumber } from '../../src/base/units.ts';
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
import { placeboHistory } from './placebo.ts';
import { evidenceOf } from './support.ts';

const KNOWN: KnownScreeners = {
  screeners: [],
  offSince: new Map(),
  firstCardAt: AT,
  until: AT,
  isListed: true,
  dueAfter: OUTCOME_MILLIS,
};

function prospectOfTypes(standings: readonly Standing[]) {
  return prospectOf(standings, evidenceOf([], { now: AT }), KNOWN);
}

const open = judged('open', 'unclear', { wouldShowLater: 2.1, wouldShow: 3 });
const early = judged('early', 'too_few_days', { base: { ...sure, interval: null } });

it.each([
  { what: 'is small', types: [judged('a', 'small', { wouldShowLater: 0.9 }), open], isSaid: true },
  { what: 'is above', types: [judged('a', 'above'), open], isSaid: false },
  { what: 'is below BTC', types: [judged('a', 'small', { verdictVsBtc: 'below' })], isSaid: false },
  { what: 'has too few days', types: [early], isSaid: false },
])('where a type $what: $isSaid', ({ types, isSaid }) => {
  expect(prospectOfTypes(types) !== undefined).toBe(isSaid);
});

it('has a size of types without a verdict alone', () => {
  const base = { ...sure, source: 'service' } as const;
  const decided = judged('a', 'small', { base, wouldShowLater: 0.9 });
  const silent = judged('b', 'unclear', { base, wouldShowLater: 2, silentDays: 20 });
  const openToService = judged('open', 'unclear', { base, wouldShowLater: 2.1, wouldShow: 3 });
  expect(prospectOfTypes([decided, silent, openToService])?.types).toEqual([
    { type: 'open', wouldShow: 2.1, wouldShowNow: 3 },
  ]);
});

describe('the size that is promised of bought outcomes in small accounts', () => {
  const accounts = Array.from({ length: 20 }, (_, i) => {
    const world = { days: PROSPECT_DAYS, perDay: () => 6, correlation: 0.3, types: 3, scale: 3 };
    const cards = placeboHistory(world, i + 1);
    const firstDay = dayNumber(cards[0]?.at ?? 0);
    return (days: number) => {
      const known = cards.filter(({ at }) => dayNumber(at) < firstDay + days);
      const evidence = evidenceOf(known, { now: (firstDay + days + 1) * DAY });
      const standings = standingsOf(figuresOf(evidence, DEFAULT_QUESTION), evidence, KNOWN);
      // By chance a type may stand out: then nothing is promised.
      const unsure = standings.map(
        (standing) => ({ ...standing, verdict: 'unclear', verdictVsBtc: 'unclear' }) as const,
      );
      const promised = prospectOf(unsure, evidence, KNOWN)?.types ?? [];
      return {
        promised,
        reached: standings.map(({ group: type, wouldShow }) => ({ type, wouldShow })),
      };
    };
  });

  it('is none before 45 days, and stays until 90', () => {
    const [account] = accounts;
    const sizesOn = (days: number) => account?.(days).promised.map(({ wouldShow }) => wouldShow);
    expect(sizesOn(44)).toEqual([]);
    expect(sizesOn(45)).toHaveLength(3);
    for (const days of [46, 60, 89]) expect(sizesOn(days), `on day ${days}`).toEqual(sizesOn(45));
  });

  it('is what can be seen on the last day, to a quarter, in nine of ten cases', () => {
    // All types are alike, so that the mean of what can be seen then is what each promise is about.
    const reached = accounts.flatMap((account) => account(PROSPECT_DAYS).reached);
    const then = mean(reached, ({ wouldShow }) => wouldShow) ?? Number.NaN;
    const promises = accounts.flatMap((account) => account(45).promised);
    expect(promises.length, 'promises').toBeGreaterThan(50);
    const ratios = promises.map(({ wouldShow }) => wouldShow / then);
    const kept = ratios.filter((ratio) => ratio >= 0.8 && ratio <= 1.25);
    expect(kept.length / ratios.length, 'share that is kept').toBeGreaterThan(0.9);
  });
});
