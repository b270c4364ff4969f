/** Parts of the export that were refused: when they are asked again, and how that is said. */
import { at } from '../../api/time.ts';
import { dayAndMonth, HOUR, pluralize } from '../../base/units.ts';
import { waitBeforeTrying } from '../../base/waits.ts';
import type { PartFailure, PartName } from '../store/part-states.ts';

/** At least daily: a part that is refused for two days is whole again a day later. */
const LONGEST_WAIT = 20 * HOUR;

/** When a part that failed is asked again, epoch milliseconds UTC: after its first failure by any run. */
export function askedAgainAt({ at: last, times }: PartFailure): number {
  const wait = times < 2 ? 0 : waitBeforeTrying(times - 1);
  return at(last) + Math.min(wait, LONGEST_WAIT);
}

const PART_WORDS: Readonly<Record<PartName, string>> = {
  list: 'List',
  details: 'Details',
  settings: 'Settings',
  medians: 'Medians',
};

/** `Details refused since 26 Nov (503): 2 outcomes wait`, without its end. @param waiting outcomes to buy */
export function refusedInWords(
  part: PartName,
  { since, status, code }: PartFailure,
  waiting: number,
): string {
  const noStatus = code === 'bad_answer' ? 'not as documented' : 'no answer';
  const when = `${dayAndMonth(at(since))} (${status ?? noStatus})`;
  const verb = waiting === 1 ? 'waits' : 'wait';
  const wait = part === 'details' ? `: ${pluralize(waiting, 'outcome')} ${verb}` : '';
  return `${PART_WORDS[part]} refused since ${when}${wait}`;
}
