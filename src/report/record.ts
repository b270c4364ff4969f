/** How many verdicts above or below there were, and what became of them. */
import { pluralize } from '../base/units.ts';
import type { Ending, PastVerdict, Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { isSide } from '../statistics/rule.ts';
import { label } from './markup.ts';

/** Why verdicts ended. */
const REASONS: Readonly<Record<Exclude<Ending, 'stands'>, string>> = {
  reset: 'new settings',
  withdrawn: 'withdrawn',
};

export interface RecordTimes {
  /** UTC days of the page. */
  readonly days: number;
  /** When the history ends if exports have stopped, epoch milliseconds UTC; undefined while they run. */
  readonly endedAt: number | undefined;
}

/**
 * `4 verdicts above or below were found in these 90 days; 2 still stand. Ended: pump on 19 Aug (withdrawn), dump on 8 Nov (new settings).`
 * Empty if there was no verdict, and if each verdict still stands and has its row in the picture.
 * @param standings of the types that the picture draws
 */
export function recordWords(
  record: readonly PastVerdict[],
  standings: readonly Standing[],
  { days, endedAt }: RecordTimes,
): string {
  const rowsWithVerdict = standings.filter(({ verdict }) => isSide(verdict)).length;
  const standing = record.filter(({ ending }) => ending === 'stands').length;
  if (standing === record.length && record.length <= rowsWithVerdict) return '';
  const were = record.length === 1 ? 'was' : 'were';
  const found = `${pluralize(record.length, 'verdict')} above or below ${were} found in these ${days} days`;
  const none = standing === 0;
  const stand = none || standing === 1 ? 'stands' : 'stand';
  const still = endedAt === undefined ? stand : `stood on ${dayAndMonth(endedAt)}`;
  return `${found}; ${none ? 'none' : standing} still ${still}.${endedWords(record)}`;
}

/** ` Ended: pump on 2 Nov (new settings), dump on 8 Nov (withdrawn).`, in the order of the days; empty if none ended. */
function endedWords(record: readonly PastVerdict[]): string {
  const names: string[] = [];
  for (const { type, ending, endedAt } of record.toSorted(byEnd)) {
    if (ending === 'stands' || endedAt === undefined) continue;
    names.push(`${label(type)} on ${dayAndMonth(endedAt)} (${REASONS[ending]})`);
  }
  return names.length === 0 ? '' : ` Ended: ${names.join(', ')}.`;
}

function byEnd({ endedAt: one = 0 }: PastVerdict, { endedAt: other = 0 }: PastVerdict): number {
  return one - other;
}
