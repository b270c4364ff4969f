/** How many types were called above or below, and what became of it. */
import { pluralize } from '../base/units.ts';
import type { Ending, PastVerdict, Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { isSide } from '../statistics/rule.ts';
import { label } from './markup.ts';

/** Why verdicts ended, in the order in which they are told. */
const REASONS_OF_ENDINGS: readonly (readonly [ending: Ending, reason: string])[] = [
  ['reset', 'new settings'],
  ['withdrawn', 'withdrawn'],
];

export interface RecordTimes {
  /** UTC days of the page. */
  readonly days: number;
  /** Where the history ends if nothing was exported of late, epoch milliseconds UTC; undefined if exports do their work. */
  readonly endedAt: number | undefined;
}

/**
 * `In these 90 days 3 types were called above or below. 2 still are. Ended: pump on 2 Nov (withdrawn).` Empty if none was, and
 * if all still are: their rows say so.
 * @param standings of the types of the page
 */
export function recordWords(
  record: readonly PastVerdict[],
  standings: readonly Standing[],
  { days, endedAt }: RecordTimes,
): string {
  const rows = standings.filter(({ word }) => isSide(word)).length;
  const areAllInRows = record.every(({ ending }) => ending === 'stands') && record.length <= rows;
  if (areAllInRows) return '';
  const types = new Set(record.map(({ type }) => type)).size;
  const were = types === 1 ? 'was' : 'were';
  const sentences = [
    `In these ${days} days ${pluralize(types, 'type')} ${were} called above or below.`,
    standingWords(record, types, endedAt),
    endedWords(record),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** `2 still are.`, `Both still were on 2 Nov.`; empty if no verdict stands. */
function standingWords(
  record: readonly PastVerdict[],
  types: number,
  endedAt: number | undefined,
): string {
  const standing = record.filter(({ ending }) => ending === 'stands').length;
  if (standing === 0) return '';
  const isOne = standing === 1;
  const now = isOne ? 'still is' : 'still are';
  const then = isOne ? 'still was' : 'still were';
  const words = endedAt === undefined ? now : `${then} on ${dayAndMonth(endedAt)}`;
  return `${subjectOf(standing, types)} ${words}.`;
}

/** How many of the types, as the subject of a sentence. */
function subjectOf(standing: number, types: number): string {
  if (standing < types) return String(standing);
  if (types === 1) return 'It';
  return types === 2 ? 'Both' : 'All';
}

/** `Ended: pump on 2 Nov (new settings), dump on 8 Nov (withdrawn).`; empty if no verdict ended. */
function endedWords(record: readonly PastVerdict[]): string {
  const names: string[] = [];
  for (const [ending, reason] of REASONS_OF_ENDINGS)
    for (const verdict of record)
      if (verdict.ending === ending && verdict.endedAt !== undefined)
        names.push(`${label(verdict.type)} on ${dayAndMonth(verdict.endedAt)} (${reason})`);
  return names.length === 0 ? '' : `Ended: ${names.join(', ')}.`;
}
