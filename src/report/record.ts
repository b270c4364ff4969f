/** How many verdicts were found, and what became of them. */
import type { Ending, PastVerdict } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { label } from './markup.ts';

/** In the order in which they are told. */
const ENDINGS: readonly Ending[] = ['stands', 'reset', 'withdrawn'];

/**
 * `3 verdicts above or below found in these 90 days: 2 still stand, 1 was withdrawn (pump on 2 Nov).` Empty if there was none.
 * @param days UTC days of the page
 * @param endedAt where the history ends if nothing was exported of late, epoch milliseconds UTC; else undefined
 */
export function recordWords(
  record: readonly PastVerdict[],
  days: number,
  endedAt: number | undefined,
): string {
  if (record.length === 0) return '';
  const parts: string[] = [];
  for (const ending of ENDINGS) {
    const verdicts = record.filter((verdict) => verdict.ending === ending);
    if (verdicts.length === 0) continue;
    const words = endingWords(ending, verdicts.length > 1, endedAt);
    // A number of the only verdict would say the same twice.
    const subject = record.length === 1 ? 'it' : String(verdicts.length);
    parts.push(`${subject} ${words}${endedNames(verdicts)}`);
  }
  const verdicts = record.length === 1 ? 'verdict' : 'verdicts';
  const areAllStanding = record.length > 1 && record.every(({ ending }) => ending === 'stands');
  const whatBecame = areAllStanding
    ? `all ${endingWords('stands', true, endedAt)}`
    : parts.join(', ');
  return `${record.length} ${verdicts} above or below found in these ${days} days: ${whatBecame}.`;
}

function endingWords(ending: Ending, areSeveral: boolean, endedAt: number | undefined): string {
  const were = areSeveral ? 'were' : 'was';
  const now = areSeveral ? 'still stand' : 'still stands';
  const words: Readonly<Record<Ending, string>> = {
    stands: endedAt === undefined ? now : `still stood on ${dayAndMonth(endedAt)}`,
    reset: `${were} ended by new settings`,
    withdrawn: `${were} withdrawn`,
  };
  return words[ending];
}

/** ` (pump on 2 Nov, dump on 8 Nov)`; empty of verdicts that stand. */
function endedNames(verdicts: readonly PastVerdict[]): string {
  const names: string[] = [];
  for (const { type, endedAt } of verdicts)
    if (endedAt !== undefined) names.push(`${label(type)} on ${dayAndMonth(endedAt)}`);
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}
