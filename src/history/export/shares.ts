/** How the credits until the reset are divided. Outcomes get what the list, settings, medians and other programs leave. */
import { LIMITS } from '../../api/limits.ts';
import { utcDay } from '../../base/units.ts';
import type { ExportManifest } from '../store/manifest.ts';
import type { Budget } from './budget.ts';
import { LISTS_A_DAY } from './list-due.ts';
import type { Survey } from './survey.ts';

/** How much is for outcomes, in credits. An outcome costs one. */
export interface CreditShares {
  /** For outcomes until the reset, if others spend what they usually do. */
  readonly forOutcomes: number;
  /** For outcomes until the reset, if others spend nothing. */
  readonly ifOthersSpendNothing: number;
  /** Outcomes that this run buys even if they exceed the day's share. */
  readonly firstOutcomes: number;
}

/** What is served before the day's share of outcomes. */
interface EarlierUses {
  /** Credits for the list, a day. */
  readonly listPerDay: number;
  /** Credits for settings and medians, now and until the reset. */
  readonly forSettingsAndMedians: number;
  /** Outcomes that this run buys even if they exceed the day's share. */
  readonly firstOutcomes: number;
}

export function creditSharesOf(
  {
    untilReset,
    daysLeft,
    othersUntilReset,
  }: Pick<Budget, 'untilReset' | 'daysLeft' | 'othersUntilReset'>,
  { listPerDay, forSettingsAndMedians, firstOutcomes }: EarlierUses,
): CreditShares {
  const forList = Math.ceil(daysLeft * listPerDay);
  const ifOthersSpendNothing = Math.max(0, untilReset - forList - forSettingsAndMedians);
  const forOutcomes = Math.max(0, ifOthersSpendNothing - othersUntilReset);
  return { forOutcomes, ifOthersSpendNothing, firstOutcomes };
}

/** How many pages a look back for late cards usually takes. There is one look back a day. */
const LOOK_BACK_PAGE = 1;

/**
 * Pages of the list on a day: those that new cards fill, one more for each run that reads the list, and one for the look back.
 * With 50 cards a day and three runs, these are 2 + 3 + 1.
 * @param isScarce whether the list is read only when it is worth a credit
 */
export function listPagesPerDay(
  { cardsPerDay, at: now }: Pick<Survey, 'cardsPerDay' | 'at'>,
  { days }: Pick<ExportManifest, 'days'>,
  isScarce: boolean,
): number {
  const wholeDays = days.filter(({ day }) => day !== utcDay(now));
  const runsOfDays = wholeDays.map(({ runs }) => runs).sort((a, b) => a - b);
  // The median of the whole days.
  const usualRuns = runsOfDays[Math.floor(runsOfDays.length / 2)] ?? 1;
  const fullPages = cardsPerDay / LIMITS.cardsPerPage;
  // With scarce credits, the list is read LISTS_A_DAY times a day, or whenever new cards fill a page.
  const mostWhenScarce = Math.max(LISTS_A_DAY, fullPages);
  const runsWithList = isScarce ? Math.min(usualRuns, mostWhenScarce) : usualRuns;
  return fullPages + Math.max(1, runsWithList) + LOOK_BACK_PAGE;
}
