/** What an unclear verdict waits for. */

import { pluralize } from '../../base/units.ts';
import type { Standing } from '../../outcomes/standing.ts';
import type { VerdictWait } from '../../outcomes/wait.ts';
import { dayAndMonth } from '../format.ts';
import { whoseAreLost } from './missing-outcomes.ts';

/** `no card for 19 days`: of a silent type, on every screen. @param days whole days without a card */
export function silenceText(days: number): string {
  return `no card for ${pluralize(days, 'day')}`;
}

/** `; a verdict is likely by 23 Dec`, `; no card for 5 days`, `: 5 % have no figure`, `: too few cards to see under 2.8 pp`. */
export function waitText(standing: Standing): string {
  const { wordExpected, isUnclearByMissing, pausedDays } = standing;
  if (pausedDays !== undefined) return `; ${silenceText(pausedDays)}`;
  // More outcomes would hardly help: the part without a figure stays.
  if (wordExpected === undefined && isUnclearByMissing)
    return `: ${whoseAreLost(standing)} have no figure`;
  const words = waitWords(standing);
  if (words === '') return '';
  return wordExpected === undefined ? `: ${words}` : `; ${words}`;
}

/**
 * What an unclear verdict waits for, of each question: `a verdict is likely by 23 Dec`, else `too few cards to see under
 * 2.8 pp`. Empty if neither is known.
 */
export function waitWords({ wordExpected, wouldShow }: VerdictWait): string {
  if (wordExpected !== undefined) return `a verdict is likely by ${dayAndMonth(wordExpected)}`;
  return wouldShow === undefined ? '' : wouldShowText(wouldShow);
}

/**
 * When the verdict against BTC is expected, of a type that is below the others, epoch milliseconds UTC. A silent type gets no
 * outcomes from which a verdict could come.
 */
export function vsBtcExpected({
  waitVsBtc,
  silentDays,
}: Pick<Standing, 'waitVsBtc' | 'silentDays'>): number | undefined {
  return silentDays === undefined ? waitVsBtc?.wordExpected : undefined;
}

/** `too few cards to see under 2.8 pp`. @param size the smallest difference that would show, percentage points */
function wouldShowText(size: number): string {
  return `too few cards to see under ${size.toFixed(1)} pp`;
}
