/** Standings to render. */

import { mayHaveStopped } from '../../src/outcomes/doubt.ts';
import type { TypeFinding } from '../../src/outcomes/findings.ts';
import type { Base, Standing } from '../../src/outcomes/standing.ts';
import { toDoOf } from '../../src/outcomes/to-do.ts';
import type { Verdict } from '../../src/statistics/rule.ts';

/** When the word of a standing was found. */
export const AT = Date.parse('2026-11-20T12:00:00Z');

/** What was bought, and a difference that is unclear. */
export const sure: Base = {
  source: 'bought',
  sample: 90,
  vsBtc: 0.2,
  vsOthers: 0.3,
  median: 0.3,
  interval: { low: -1, high: 1.6 },
  sureInterval: { low: -1.7, high: 2.3 },
  explainedByBeta: 0,
  btcMove: () => 0,
  askedAt: undefined,
  nextAt: undefined,
  windowDays: undefined,
  leftOut: undefined,
};

/** Of a type that is unclear beside the others, and BTC. */
export const standing = (group: string, more: Partial<Standing> = {}): Standing => ({
  group,
  groupFigures: null,
  figures: null,
  verdict: 'unclear',
  comparedWith: 'others',
  verdictVsBtc: 'unclear',
  toDo: undefined,
  least: 1,
  verdictSince: AT,
  verdictExpected: undefined,
  wouldShow: undefined,
  wouldShowLater: undefined,
  isWeak: false,
  isUnclearByMissing: false,
  lessLately: undefined,
  doubt: undefined,
  newest: undefined,
  areLastDaysNewer: false,
  lastDaysUntil: undefined,
  change: undefined,
  withdrawn: undefined,
  base: sure,
  dueAt: undefined,
  off: undefined,
  silentDays: undefined,
  isNewlySilent: false,
  rate: { now: 3, beforeSilence: undefined, isFromBeforeChange: false },
  ...more,
});
/** A type with these words, and what follows from them. */
export const judged = (
  group: string,
  verdict: Verdict | null,
  more: Partial<Standing> = {},
): Standing => {
  const all = standing(group, { verdict, ...more });
  const toDo = toDoOf(verdict, all.comparedWith, all.verdictVsBtc, all.withdrawn);
  return { ...all, toDo: mayHaveStopped(all) ? undefined : toDo };
};

/**
 * A type in doubt, whose earlier cards showed `before`: the difference of its newest cards is `points`, percentage points, and their
 * 95 % interval reaches 1 pp to each side.
 */
export const inDoubt = (points: number, before: number): Partial<Standing> => ({
  newest: {
    since: AT,
    isSinceVerdict: false,
    outcomes: 60,
    percentage_points: points,
    interval_95: { low: points - 1, high: points + 1 },
    interval_99: null,
    earlier: before,
  },
  doubt: { before },
});

/** A line of the notebook: a type is above the others, and BTC. */
export const typeFinding: TypeFinding = {
  at: '2026-11-20T12:00:00Z',
  about: 'type',
  type: 'pump',
  verdict: 'above',
  to: 'others',
  vs_btc: 'above',
  difference_percentage_points: 2.31,
  interval_95: null,
  sample: 90,
  source: 'bought',
  settings_since: null,
  least: 1,
  weak: false,
  shows_at: null,
};
