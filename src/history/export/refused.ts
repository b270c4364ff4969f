/** Parts of the export that failed: when a run asks again, and how users are told. */
import { at } from '../../api/time.ts';
import { dayAndMonth, HOUR, pluralize } from '../../base/units.ts';
import { waitBeforeTrying } from '../../base/waits.ts';
import type { PartFailure, PartName } from '../store/part-states.ts';

/** Shorter than a day: a daily run then asks for a failed part every time. Milliseconds. */
const LONGEST_PAUSE = 20 * HOUR;

/**
 * From when on runs ask for a part again that failed. After its first failure the next run asks. After more failures in a row runs
 * wait 1 hour, then 6, then 20.
 * @returns epoch milliseconds UTC
 */
export function retryTimeOfPart({ at: failedAt, times }: PartFailure): number {
  const wait = times < 2 ? 0 : waitBeforeTrying(times - 1);
  return at(failedAt) + Math.min(wait, LONGEST_PAUSE);
}

const PART_WORDS: Readonly<Record<PartName, string>> = {
  list: 'List',
  details: 'Details',
  settings: 'Settings',
  medians: 'Medians',
};

/** `Details refused since 26 Nov (503): 2 outcomes wait`, without a full stop. @param waiting how many outcomes are to be bought */
export function refusedInWords(
  part: PartName,
  { since, status, code }: PartFailure,
  waiting: number,
): string {
  const reasonWithoutStatus = code === 'bad_answer' ? 'not as documented' : 'no answer';
  const refused = `${PART_WORDS[part]} refused since ${dayAndMonth(at(since))} (${status ?? reasonWithoutStatus})`;
  if (part !== 'details') return refused;
  const verb = waiting === 1 ? 'waits' : 'wait';
  return `${refused}: ${pluralize(waiting, 'outcome')} ${verb}`;
}
