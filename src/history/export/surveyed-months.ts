/** Which months a survey of the cards reads. The survey and the search for damage read the same months. */
import { DAY } from '../../base/units.ts';
import { monthOf } from '../store/layout.ts';
import type { CountsOfMonth } from '../store/manifest.ts';

/** Days: how many due outcomes are bought is counted over a month. */
export const COUNTED_DAYS = 31;

/** Whether a survey reads a month: an outcome in it awaits its purchase, or the month has cards of the last 31 days. */
export function isSurveyed(
  month: string,
  { awaiting }: Pick<CountsOfMonth, 'awaiting'>,
  now: number,
): boolean {
  return awaiting > 0 || month >= monthOf(now - COUNTED_DAYS * DAY);
}
