/** What an account in which nothing stands out can ever tell. */

import { isSide } from '../statistics/rule.ts';
import { figuresOf } from './figures.ts';
import { type Evidence, questionOf } from './question.ts';
import { type KnownScreeners, PROSPECT_DAYS, type Standing, standingsOf } from './standing.ts';

export interface Prospect {
  /** With how many days of outcomes `wouldShow` is reckoned. */
  readonly days: number;
  /** Types that have fewer days. */
  readonly types: readonly TypeProspect[];
  /** All cards together, against BTC: one look. */
  readonly all: Standing | undefined;
}

export interface TypeProspect {
  readonly type: string;
  /** The smallest difference that would show with so many days, percentage points. */
  readonly wouldShow: number;
}

/** @returns undefined if a type is above or below, or is known to be small, or if none has an interval */
export function prospectOf(
  standings: readonly Standing[],
  evidence: Evidence,
  known: KnownScreeners,
): Prospect | undefined {
  if (standings.some(({ word }) => isSide(word) || word === 'small')) return undefined;
  if (standings.every(({ base }) => base.interval === null)) return undefined;
  const types: TypeProspect[] = [];
  for (const { group: type, wouldShowLater: wouldShow, silentDays } of standings) {
    if (wouldShow !== undefined && silentDays === undefined) types.push({ type, wouldShow });
  }
  const question = questionOf({ by: undefined });
  const [all] = standingsOf(figuresOf(evidence, question), evidence, known);
  return { days: PROSPECT_DAYS, types, all };
}
