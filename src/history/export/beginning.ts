/**
 * The two beginnings of a history. They differ if the first run is stopped: the run that continues it on the same day is not the
 * first run, but still of the first day.
 */
import { utcDay } from '../../base/units.ts';
import type { WorkingHistory } from './working-history.ts';

export interface Beginning {
  /**
   * Whether no part of the list was read before this run. If so, the texts say what a first export may cost and what it buys. A
   * history that is made again after damage has no spans either, but it is not new to its user.
   */
  readonly isFirstRun: boolean;
  /** Whether no run of an earlier UTC day worked on the history. If so, credits go to outcomes first, and to older cards last. */
  readonly isFirstDay: boolean;
}

/** @param now when the run begins, epoch milliseconds UTC */
export function beginningOf(
  { manifest, isRebuilt }: Pick<WorkingHistory, 'manifest' | 'isRebuilt'>,
  now: number,
): Beginning {
  const today = utcDay(now);
  return {
    isFirstRun: manifest.spans.length === 0 && !isRebuilt,
    isFirstDay: manifest.days.every(({ day }) => day === today),
  };
}
