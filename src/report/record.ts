/** How many types were called above or below, and what became of these verdicts. */
import { pluralize } from '../base/units.ts';
import type { Ending, PastVerdict, Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { isSide } from '../statistics/rule.ts';
import { label } from './markup.ts';

/** Why verdicts ended, in the order in which the page says it. */
const REASONS_OF_ENDINGS: readonly (readonly [ending: Ending, reason: string])[] = [
  ['reset', 'new settings'],
  ['withdrawn', 'withdrawn'],
];

export interface RecordTimes {
  /** UTC days of the page. */
  readonly days: number;
  /** When the history ends if exports have stopped, epoch milliseconds UTC; undefined while they run. */
  readonly endedAt: number | undefined;
}

/**
 * `In these 90 days 3 types were called above or below. 2 still are. Ended: pump on 2 Nov (withdrawn).` Empty if there was no
 * verdict, and if each verdict still stands and has its row in the picture.
 * @param standings of the types that the picture draws
 */
export function recordWords(
  record: readonly PastVerdict[],
  standings: readonly Standing[],
  { days, endedAt }: RecordTimes,
): string {
  const rowsWithVerdict = standings.filter(({ word }) => isSide(word)).length;
  const doAllStand = record.every(({ ending }) => ending === 'stands');
  if (doAllStand && record.length <= rowsWithVerdict) return '';
  const types = new Set(record.map(({ type }) => type)).size;
  const were = types === 1 ? 'was' : 'were';
  const sentences = [
    `In these ${days} days ${pluralize(types, 'type')} ${were} called above or below.`,
    standingWords(record, types, endedAt),
    endedWords(record),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Whether a verdict stands, and the type had no other one that ended. */
function hasStoodAlways(verdict: PastVerdict, record: readonly PastVerdict[]): boolean {
  const ofType = record.filter(({ type }) => type === verdict.type);
  return ofType.every(({ ending }) => ending === 'stands');
}

/** `2 still are.`, `Both still were on 2 Nov.`; empty if no verdict stands. */
function standingWords(
  record: readonly PastVerdict[],
  types: number,
  endedAt: number | undefined,
): string {
  const standing = record.filter((verdict) => hasStoodAlways(verdict, record)).length;
  if (standing === 0) return '';
  const subject = subjectOf(standing, types);
  const isOne = standing === 1;
  if (endedAt === undefined) return `${subject} ${isOne ? 'still is' : 'still are'}.`;
  return `${subject} ${isOne ? 'still was' : 'still were'} on ${dayAndMonth(endedAt)}.`;
}

/** `2` of more types, `It` of one, `Both`, `All`. @param standing verdicts that stand @param types that had a verdict */
function subjectOf(standing: number, types: number): string {
  if (standing < types) return String(standing);
  if (types === 1) return 'It';
  return types === 2 ? 'Both' : 'All';
}

/**
 * `Ended: pump on 2 Nov (new settings), dump on 8 Nov (withdrawn, later found again).`; empty if no verdict ended.
 */
function endedWords(record: readonly PastVerdict[]): string {
  const names: string[] = [];
  for (const [ending, reason] of REASONS_OF_ENDINGS) {
    for (const verdict of record) {
      if (verdict.ending !== ending || verdict.endedAt === undefined) continue;
      const standsNow = record.some(
        (other) => other.type === verdict.type && other.ending === 'stands',
      );
      const again = standsNow ? ', later found again' : '';
      names.push(`${label(verdict.type)} on ${dayAndMonth(verdict.endedAt)} (${reason}${again})`);
    }
  }
  return names.length === 0 ? '' : `Ended: ${names.join(', ')}.`;
}
