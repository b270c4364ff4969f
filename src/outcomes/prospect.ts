/**
 * What an account without any verdict can hope to learn: how small a difference would show with more days of outcomes.
 */
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
  /** The types that have outcomes of fewer days than that, but for silent ones. */
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
}

/**
 * @param standings one for each type
 * @returns undefined if a type already has a verdict (above, below or small), or if no type has an interval yet
 */
export function prospectOf(
  standings: readonly Standing[],
  evidence: Evidence,
  screeners: KnownScreeners,
): Prospect | undefined {
  if (standings.some(isClear)) return undefined;
  if (standings.every(({ base }) => base.interval === null)) return undefined;
  const types: TypeProspect[] = [];
  for (const standing of standings) {
    const {
      group: type,
      wouldShowLater: wouldShow,
      wouldShow: wouldShowNow,
      silentDays,
    } = standing;
    if (wouldShow === undefined || silentDays !== undefined) continue;
    types.push({ type, wouldShow, wouldShowNow });
  }
  const question = questionOf({ by: undefined });
  const [all] = standingsOf(figuresOf(evidence, question), evidence, screeners);
  return { days: PROSPECT_DAYS, types, all };
}
