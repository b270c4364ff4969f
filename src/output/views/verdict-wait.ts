/** What an unclear verdict waits for. */

import { monthName, pluralize } from '../../base/units.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { outcomesMissing } from './missing-outcomes.ts';

/** `no card for 19 days` */
export function silenceText(days: number): string {
  return `no card for ${pluralize(days, 'day')}`;
}

/**
 * What follows the word `unclear`: `; a verdict is likely by the end of Dec`, `: 5 % have no figure`,
 * `: 3 pp or more would likely show`. Empty if nothing is known.
 */
export function waitText(standing: Standing): string {
  const { verdictExpected, isUnclearByMissing } = standing;
  // The reason comes before any date: the interval alone looks as if there were a verdict.
  const reason = isUnclearByMissing ? `: ${outcomesMissing(standing)} have no figure` : '';
  if (verdictExpected !== undefined) return `${reason}; ${waitedFor(standing)}`;
  // More outcomes would hardly help: the share without a figure stays the same.
  if (reason !== '') return reason;
  const words = waitedFor(standing);
  return words === '' ? '' : `: ${words}`;
}

/**
 * What an unclear verdict waits for: `a verdict is likely by the end of Dec`; without a date `3 pp or more would
 * likely show`, or `not sure yet`. Empty if nothing is known.
 */
export function waitedFor({
  verdictExpected,
  wouldShow,
  base,
}: Pick<Standing, 'verdictExpected' | 'wouldShow' | 'base'>): string {
  if (verdictExpected !== undefined)
    return `a verdict is likely by the ${monthEnd(verdictExpected)}`;
  if (wouldShow === undefined) return '';
  const size = sizeToWaitFor(wouldShow, base.median);
  return size === undefined ? NOT_SURE_YET : wouldShowText(size);
}

/**
 * Of a difference that is as large as one that would likely show: its interval still reaches the band. It stands in the place of the
 * word `unclear`, which would say the same again.
 */
export const NOT_SURE_YET = 'not sure yet';

/** Whether an unclear type is called `not sure yet`. */
export function isNotSureYet(standing: Standing): boolean {
  const { verdict, isUnclearByMissing } = standing;
  return verdict === 'unclear' && !isUnclearByMissing && waitedFor(standing) === NOT_SURE_YET;
}

/**
 * How large a difference must be to be seen, as pages print it: `3`. Undefined if the measured difference is as large: the size would
 * contradict the figure beside it.
 * @param wouldShow the smallest difference that would show, percentage points
 * @param measured percentage points; null if it is not known
 */
export function sizeToWaitFor(wouldShow: number, measured: number | null): string | undefined {
  const measuredAsPrinted = Number(Math.abs(measured ?? 0).toFixed(2));
  return measuredAsPrinted >= roundedSize(wouldShow) ? undefined : sizeText(wouldShow);
}

/**
 * `end of Dec`: the month in which something is expected. A day would say more than is known: verdicts come up to two months
 * before it, or some days after it.
 */
export function monthEnd(expected: number): string {
  return `end of ${monthName(expected)}`;
}

/**
 * `3 pp or more would likely show`: how large a difference must be to be seen.
 * @param size the smallest difference that would show, percentage points as the page has them
 */
export function wouldShowText(size: string): string {
  return `${size} pp or more would likely show`;
}

/** `3`, `3.5`: a size as pages print it. */
function sizeText(size: number): string {
  return String(roundedSize(size));
}

/** Rounded up to half a percentage point. In tenths the size would go up and down from day to day. */
export function roundedSize(size: number): number {
  const inTenths = Number(size.toFixed(1));
  return Math.ceil(2 * inTenths) / 2;
}
