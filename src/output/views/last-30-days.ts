/** What screens say of the last 30 days of a group, and of other newer cards, beside its verdict. */

import { pluralize } from '../../base/units.ts';
import type { FiguresOfTimes } from '../../outcomes/last-30-days.ts';
import type { Standing } from '../../outcomes/standing.ts';
import {
  boughtCardsInDoubt,
  type Doubt,
  doubtOf,
  last30DaysOf,
} from '../../outcomes/still-holds.ts';
import { dayAndMonth, estimateText, points, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';

/** Whether a type that is above does less than before: it may have stopped working, so it is not called worth keeping. */
export function mayHaveStopped({
  verdict,
  lessLately,
}: Pick<Standing, 'verdict' | 'lessLately'>): boolean {
  return verdict === 'above' && lessLately !== undefined;
}

/** What every page says of a type that is above, but does less than before. */
export const MAY_HAVE_STOPPED = 'may have stopped working';

/** What it may mean that a type does less than before, that is, that it is nearer to 0. */
export const LESS_LATELY_MEANS: Readonly<Record<'above' | 'below', string>> = {
  above: `it ${MAY_HAVE_STOPPED}`,
  below: 'it may be less bad by now',
};

/** `in the last 30 days`; of figures that the service counted some time ago, `in the 30 days to 2 Sep`. */
export function inLast30Days({ lastDaysUntil }: Pick<Standing, 'lastDaysUntil'>): string {
  if (lastDaysUntil === undefined) return 'in the last 30 days';
  return `in the 30 days to ${dayAndMonth(lastDaysUntil)}`;
}

/** `+0.2 pp in the last 30 days`: the difference that decides; undefined if it is not known. */
export function last30DaysText(standing: Standing): string | undefined {
  const last30Days = last30DaysOf(standing);
  if (last30Days === undefined) return undefined;
  return `${signed(last30Days.percentage_points, 1)} pp ${inLast30Days(standing)}`;
}

/**
 * `+0.5 pp in the last 15 days`: the newer cards that cast doubt on a verdict above or below. It may be chance, but whoever acts on
 * the verdict should know it. Undefined if none do.
 */
export function doubtText(standing: Standing): string | undefined {
  const doubt = doubtOf(standing);
  if (doubt === undefined) return undefined;
  return `${signed(doubt.points, 1)} pp ${whenOfDoubt(doubt, standing)}`;
}

function whenOfDoubt({ cards }: Doubt, standing: Standing): string {
  switch (cards) {
    case 'last_30_days':
      return inLast30Days(standing);
    case 'last_15_days':
      return 'in the last 15 days';
    case 'since_verdict':
      // A day would be another one each morning: these cards came in the last 30 days, and after the verdict.
      return 'in newer cards';
  }
}

/**
 * `pump in newer cards (since 8 Nov): +0.52 (-0.80 to +1.75), from 42 outcomes that you bought.`: newer cards that cast doubt on a
 * verdict, for a page whose table has no figure of them.
 */
export function doubtNotes(standings: readonly Standing[]): string[] {
  const sentences: string[] = [];
  for (const standing of standings) {
    const doubt = doubtOf(standing);
    const cards = boughtCardsInDoubt(standing);
    if (doubt === undefined || cards === undefined) continue;
    const { percentage_points: value, interval_95: interval } = cards;
    const figure = interval === null ? points(value) : estimateText(value, interval);
    const firstDay = doubt.cards === 'since_verdict' ? standing.newest?.since : undefined;
    const since = firstDay === undefined ? '' : ` (since ${dayAndMonth(firstDay)})`;
    const from = `from ${pluralize(cards.outcomes, 'outcome')} that you bought`;
    sentences.push(
      `${safeText(standing.group)} ${whenOfDoubt(doubt, standing)}${since}: ${figure}, ${from}.`,
    );
  }
  return sentences;
}

/** `verdict` with the newer cards that cast doubt on it: `below since 12 Nov; +0.3 pp in the last 30 days`. */
export function withDoubt(standing: Standing, verdict: string): string {
  // Of a type that does less lately the page tells these figures elsewhere.
  const doubt = mayHaveStopped(standing) ? undefined : doubtText(standing);
  return doubt === undefined ? verdict : `${verdict}; ${doubt}`;
}

/** `+0.50 in the last 30 days, +2.20 before`. */
export function last30DaysAndBeforeText(
  { last30Days, earlier }: FiguresOfTimes,
  times: Pick<Standing, 'lastDaysUntil'>,
): string {
  const last = points(last30Days.percentage_points);
  const before = points(earlier.percentage_points);
  return `${last} ${inLast30Days(times)}, ${before} before`;
}
