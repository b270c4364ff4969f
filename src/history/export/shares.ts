/** How the credits until the reset are divided: the list, settings, medians, what others spend, and outcomes. */
import { LIMITS } from '../../api/limits.ts';
import { utcDay } from '../../base/units.ts';
import type { ExportManifest } from '../store/manifest.ts';
import type { Budget } from './budget.ts';
import { LISTS_A_DAY } from './list-turn.ts';
import type { Survey } from './survey.ts';

/** What is for outcomes, in credits until the reset. An outcome costs one. */
export interface CreditShares {
  /** For outcomes, if others spend until the reset what they usually do. */
  readonly forOutcomes: number;
  /** For outcomes, if others spend nothing until the reset. */
  readonly ifOthersSpendNothing: number;
  /** Outcomes that this run buys whatever the day's share is. */
  readonly firstOutcomes: number;
}

/** What is not for outcomes, and the outcomes that come first. */
interface OtherUses {
  /** Credits for the list, a day. */
  readonly listPerDay: number;
  /** Credits for settings and medians, now and until the reset. */
  readonly forSettingsAndMedians: number;
  /** Outcomes that this run buys whatever the day's share is. */
  readonly firstOutcomes: number;
}

export function creditSharesOf(
  {
    untilReset,
    daysLeft,
    othersUntilReset,
  }: Pick<Budget, 'untilReset' | 'daysLeft' | 'othersUntilReset'>,
  { listPerDay, forSettingsAndMedians, firstOutcomes }: OtherUses,
): CreditShares {
  const forList = Math.ceil(daysLeft * listPerDay);
  const ifOthersSpendNothing = Math.max(0, untilReset - forList - forSettingsAndMedians);
  const forOutcomes = Math.max(0, ifOthersSpendNothing - othersUntilReset);
  return { forOutcomes, ifOthersSpendNothing, firstOutcomes };
}

/** The page that a daily look back asks for. */
const LOOK_BACK_PAGE = 1;

/**
 * Pages of the list on a day: those that new cards fill, one more for each run that reads the list, and one for the look
 * back.
 * @param isScarce whether the list is read only when it is worth a credit
 */
export function listPagesPerDay(
  { cardsPerDay, at: now }: Pick<Survey, 'cardsPerDay' | 'at'>,
  { days }: Pick<ExportManifest, 'days'>,
  isScarce: boolean,
): number {
  const runs = days.filter(({ day }) => day !== utcDay(now)).map((day) => day.runs);
  const usualRuns = runs.sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 1;
  const fullPages = cardsPerDay / LIMITS.cardsPerPage;
  const lists = isScarce ? Math.min(usualRuns, Math.max(LISTS_A_DAY, fullPages)) : usualRuns;
  return fullPages + Math.max(1, lists) + LOOK_BACK_PAGE;
}
