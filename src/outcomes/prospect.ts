/**
 * What an account in which nothing stands out can hope to learn: how small a difference would show with more days of outcomes,
 * and how all its cards stand against BTC.
 */
import { isSide } from '../statistics/rule.ts';
import { figuresOf } from './figures.ts';
import { type Evidence, questionOf } from './question.ts';
import {
  isClear,
  type KnownScreeners,
  PROSPECT_DAYS,
  type Standing,
  standingsOf,
} from './standing.ts';

export interface Prospect {
  /** The days of outcomes that `wouldShow` assumes. */
  readonly days: number;
  /** The types whose verdict says nothing yet, and that have outcomes of fewer days than `days`. Silent types are left out. */
  readonly types: readonly TypeProspect[];
  /** How all cards together stand against BTC, by one look. */
  readonly all: Standing | undefined;
}

export interface TypeProspect {
  readonly type: string;
  /** The smallest difference that would show with `Prospect.days` of outcomes, percentage points. */
  readonly wouldShow: number;
  /** The smallest difference that would show now, percentage points; undefined if nothing bounds it. */
  readonly wouldShowNow: number | undefined;
  /** The UTC days from which both sizes are told. */
  readonly daysSoFar: number;
}

/** Whether a group is above or below: the others, or BTC. */
function hasSide({ word, wordVsBtc }: Standing): boolean {
  return isSide(word) || isSide(wordVsBtc);
}

/**
 * @param standings one for each type
 * @returns undefined if a type is above or below the others, or above or below BTC; or if no type has an interval yet
 */
export function prospectOf(
  standings: readonly Standing[],
  evidence: Evidence,
  screeners: KnownScreeners,
): Prospect | undefined {
  if (standings.some(hasSide)) return undefined;
  if (standings.every(({ base }) => base.interval === null)) return undefined;
  const types: TypeProspect[] = [];
  for (const standing of standings) {
    const { group: type, wouldShowLater, wouldShow: wouldShowNow, silentDays } = standing;
    const isSilent = silentDays !== undefined;
    if (isSilent || isClear(standing) || wouldShowLater === undefined) continue;
    const daysSoFar = standing.figures?.distinct_days ?? 0;
    types.push({ type, wouldShow: wouldShowLater, wouldShowNow, daysSoFar });
  }
  const question = questionOf({ by: undefined });
  const [all] = standingsOf(figuresOf(evidence, question), evidence, screeners);
  return { days: PROSPECT_DAYS, types, all };
}
