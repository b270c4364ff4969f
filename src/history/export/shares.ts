/** How the credits until the reset are divided. Outcomes get what the list, settings, medians and other programs leave. */
import { CREDITS_A_DAY, LIMITS } from '../../api/limits.ts';
import { utcDay } from '../../base/units.ts';
import type { ExportManifest } from '../store/manifest.ts';
import type { Budget } from './budget.ts';
import { LISTS_A_DAY } from './list-due.ts';
import type { Survey } from './survey.ts';

/** At most this many pages of older cards are read while outcomes wait: a third of a day's credits. */
export const OLDER_PAGES = Math.floor(CREDITS_A_DAY / 3);

/** How many outcomes the credits pay for. An outcome costs one credit. */
export interface CreditShares {
  /** Until the reset, if others spend what they usually do. */
  readonly outcomesIfOthersSpendAsUsual: number;
  /** Until the reset, if others spend nothing. */
  readonly outcomesIfOthersSpendNothing: number;
}

/** What is paid before outcomes get the rest. */
interface EarlierUses {
  /** Credits for the list, a day. */
  readonly listPerDay: number;
  /** Credits for settings and medians, now and until the reset. */
  readonly forSettingsAndMedians: number;
}

/** Takes from the credits until the reset what the list, settings and medians need. The rest is for outcomes. */
export function creditSharesOf(
  {
    creditsUntilReset,
    daysLeft,
    othersCreditsUntilReset,
  }: Pick<Budget, 'creditsUntilReset' | 'daysLeft' | 'othersCreditsUntilReset'>,
  { listPerDay, forSettingsAndMedians }: EarlierUses,
): CreditShares {
  const forList = Math.ceil(daysLeft * listPerDay);
  const outcomesIfOthersSpendNothing = Math.max(
    0,
    creditsUntilReset - forList - forSettingsAndMedians,
  );
  return {
    outcomesIfOthersSpendAsUsual: Math.max(
      0,
      outcomesIfOthersSpendNothing - othersCreditsUntilReset,
    ),
    outcomesIfOthersSpendNothing,
  };
}

/** How many pages the look back for late cards usually takes. There is one look back a day. */
const LOOK_BACK_PAGES = 1;

/**
 * Pages of the list on a day: those that new cards fill; one more for each run that reads the list, because its last page is not
 * full; and one for the look back. With 50 cards a day and three runs, these are 2 + 3 + 1.
 * @param isScarce whether the list is read only when it is worth a credit
 */
export function listPagesPerDay(
  { cardsPerDay, now }: Pick<Survey, 'cardsPerDay' | 'now'>,
  { days }: Pick<ExportManifest, 'days'>,
  isScarce: boolean,
): number {
  const wholeDays = days.filter(({ day }) => day !== utcDay(now));
  const runsOfDays = wholeDays.map(({ runs }) => runs).sort((a, b) => a - b);
  // The median of the whole days.
  const usualRuns = runsOfDays[Math.floor(runsOfDays.length / 2)] ?? 1;
  const fullPages = cardsPerDay / LIMITS.cardsPerPage;
  // With scarce credits, the list is read LISTS_A_DAY times a day, or whenever new cards fill a page if that is more often. It is
  // never read more often than runs begin.
  const listsWhenScarce = Math.max(LISTS_A_DAY, fullPages);
  const runsWithList = isScarce ? Math.min(usualRuns, listsWhenScarce) : usualRuns;
  return fullPages + Math.max(1, runsWithList) + LOOK_BACK_PAGES;
}
