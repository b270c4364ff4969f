/** What the credits until the reset are for: the list, settings, medians, others, and outcomes. */
import { LIMITS } from '../../api/limits.ts';
import { utcDay } from '../../base/units.ts';
import type { ExportManifest } from '../store/manifest.ts';
import type { Budget } from './budget.ts';
import { LISTS_A_DAY } from './list-turn.ts';
import type { Survey } from './survey.ts';

/** Credits until the reset. */
export interface Shares {
  /** For outcomes, without what others usually spend. */
  readonly forOutcomes: number;
  /** The same with what others usually spend: it lasts as long as they do not. */
  readonly beforeOthers: number;
  /** Outcomes that this run buys whatever the day's share is. */
  readonly firstOutcomes: number;
}

/** What is not for outcomes, and the outcomes that come first. */
interface OtherUses {
  /** Credits for the list, a day. */
  readonly listPerDay: number;
  /** Credits for settings and medians, now and until the reset. */
  readonly beside: number;
  /** Outcomes that this run buys whatever the day's share is. */
  readonly firstOutcomes: number;
}

export function sharesOf(
  { untilReset, daysLeft, ofOthers }: Pick<Budget, 'untilReset' | 'daysLeft' | 'ofOthers'>,
  { listPerDay: perDay, beside, firstOutcomes }: OtherUses,
): Shares {
  const beforeOthers = Math.max(0, untilReset - Math.ceil(daysLeft * perDay) - beside);
  return { forOutcomes: Math.max(0, beforeOthers - ofOthers), beforeOthers, firstOutcomes };
}

/**
 * Pages of the list on a day: those that new cards fill, one a look for what does not fill a page, and the look back.
 * @param isScarce whether the list is read only when it is worth it
 */
export function listPerDay(
  { cardsPerDay, at: now }: Pick<Survey, 'cardsPerDay' | 'at'>,
  { days }: Pick<ExportManifest, 'days'>,
  isScarce: boolean,
): number {
  const runs = days.filter(({ day }) => day !== utcDay(now)).map((day) => day.runs);
  const usual = runs.sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 1;
  const full = cardsPerDay / LIMITS.cardsPerPage;
  const looks = isScarce ? Math.min(usual, Math.max(LISTS_A_DAY, full)) : usual;
  return full + Math.max(1, looks) + 1;
}
