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
  const rowsWithVerdict = standings.filter(({ verdict }) => isSide(verdict)).length;
  const doAllStand = record.every(({ ending }) => ending === 'stands');
  if (doAllStand && record.length <= rowsWithVerdict) return '';
  const sentences = [
    `In these ${days} days ${countWords(record, endedAt)}`,
    ...interruptedWords(record),
    endedWords(record),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/**
 * How many types had a verdict, and how many still have one: `3 types were called above or below. 2 still are.`, `2 types were
 * called above or below, and still were on 2 Nov.`
 */
function countWords(record: readonly PastVerdict[], endedAt: number | undefined): string {
  const types = new Set(record.map(({ type }) => type)).size;
  const standing = typesThatStand(record).size;
  const called = `${pluralize(types, 'type')} ${wereOf(types)} called above or below`;
  const still = endedAt === undefined ? `still ${areOf(standing)}` : stillOn(standing, endedAt);
  if (standing === 0) return `${called}.`;
  return standing === types ? `${called}, and ${still}.` : `${called}. ${standing} ${still}.`;
}

/** `still were on 2 Nov`: exports stopped then. */
function stillOn(types: number, endedAt: number): string {
  return `still ${wereOf(types)} on ${dayAndMonth(endedAt)}`;
}

function wereOf(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function areOf(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** The types with a verdict now. A type may also have an earlier verdict that ended. */
function typesThatStand(record: readonly PastVerdict[]): ReadonlySet<string> {
  return new Set(record.filter(({ ending }) => ending === 'stands').map(({ type }) => type));
}

/**
 * `pump was withdrawn from 19 Aug to 2 Oct.`: a sentence for each type that has a verdict again. It says since when the type
 * had no verdict, and until when.
 */
function interruptedWords(record: readonly PastVerdict[]): string[] {
  const standing = typesThatStand(record);
  const sentences: string[] = [];
  for (const { type, ending, endedAt } of record) {
    if (!standing.has(type) || endedAt === undefined) continue;
    const next = record.find((other) => other.type === type && other.foundAt >= endedAt);
    // The same verdict goes on under other settings.
    if (next?.foundAt === endedAt) continue;
    const from = dayAndMonth(endedAt);
    const to = next === undefined ? '' : ` to ${dayAndMonth(next.foundAt)}`;
    const reason = ending === 'reset' ? 'had new settings and no verdict' : 'was withdrawn';
    sentences.push(`${label(type)} ${reason} from ${from}${to}.`);
  }
  return sentences;
}

/** `Ended: pump on 2 Nov (new settings), dump on 8 Nov (withdrawn).`; empty if no type has lost its verdict for good. */
function endedWords(record: readonly PastVerdict[]): string {
  const standing = typesThatStand(record);
  const names: string[] = [];
  for (const [ending, reason] of REASONS_OF_ENDINGS) {
    for (const verdict of record) {
      const { type, endedAt } = verdict;
      if (verdict.ending !== ending || endedAt === undefined || standing.has(type)) continue;
      names.push(`${label(type)} on ${dayAndMonth(endedAt)} (${reason})`);
    }
  }
  return names.length === 0 ? '' : `Ended: ${names.join(', ')}.`;
}
