/**
 * Whether a run is the first that reads the list for a history, and whether it is of the first day. They differ for a second run
 * on the first day: it is of the first day, but not the first run.
 */
import { utcDay } from '../../base/units.ts';
import type { WorkingHistory } from './working-history.ts';

export interface FirstRun {
  /**
   * Whether no part of the list was read before this run. If so, the user is told what a first export may cost and buy.
   */
  readonly isFirstRun: boolean;
  /** Whether no run of an earlier UTC day worked on the history. If so, credits go to outcomes first, and to older cards last. */
  readonly isFirstDay: boolean;
}

/** @param now when the run begins, epoch milliseconds UTC */
export function firstRunOf(
  { manifest, isRebuilt }: Pick<WorkingHistory, 'manifest' | 'isRebuilt'>,
  now: number,
): FirstRun {
  const today = utcDay(now);
  return {
    // A history that is made again after damage has no spans either, but it is not new to its user.
    isFirstRun: manifest.spans.length === 0 && !isRebuilt,
    isFirstDay: manifest.days.every(({ day }) => day === today),
  };
}
