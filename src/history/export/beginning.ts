/** The two beginnings of a history. They differ: a first run that was stopped goes on the same day, as a second run. */
import { utcDay } from '../../base/units.ts';
import type { WorkingHistory } from './working-history.ts';

export interface Beginning {
  /** Whether no part of the list was read before this run. Sentences say then what a first export may cost, and buys. */
  readonly isFirstRun: boolean;
  /** Whether no run of an earlier UTC day worked on the history. Credits go then to outcomes before older cards. */
  readonly isFirstDay: boolean;
}

/** @param now when the run begins, epoch milliseconds UTC */
export function beginningOf(
  { manifest, isRebuilt }: Pick<WorkingHistory, 'manifest' | 'isRebuilt'>,
  now: number,
): Beginning {
  const today = utcDay(now);
  return {
    // A history that is made again after damage has no spans either, but it is not new to its user.
    isFirstRun: manifest.spans.length === 0 && !isRebuilt,
    isFirstDay: manifest.days.every(({ day }) => day === today),
  };
}
