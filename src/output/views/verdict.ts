/** The one verdict of a group, and the comparison that it is of. */
import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import type { Interval, ShownVerdict } from '../../outcomes/types.ts';
import { LEAST } from '../../outcomes/verdict.ts';
import { dayAndMonth, NONE, percentagePoints } from '../format.ts';
import type { Column, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';

/** What is said of a group; the report says the same. */
export const VERDICT_WORDS: Readonly<Record<ShownVerdict, string>> = {
  above_btc: 'above BTC',
  below_btc: 'below BTC',
  above_others: 'above',
  below_others: 'below',
  none: 'no difference',
  unclear: 'unclear',
  too_few_days: 'too few days',
};

/** Colours only what has a verdict: an unclear difference has a sign, too. */
export function verdictTint(verdict: ShownVerdict | null, styles: Styles): (text: string) => string {
  if (isAbove(verdict)) return styles.good;
  return isBelow(verdict) ? styles.bad : styles.dim;
}

export const isAbove = (verdict: ShownVerdict | null): boolean => verdict?.startsWith('above') === true;
export const isBelow = (verdict: ShownVerdict | null): boolean => verdict?.startsWith('below') === true;

type Verdict = Pick<
  HorizonFigures,
  'shown_verdict' | 'verdict_since' | 'days_until_least_shows' | 'would_show_percentage_points' | 'weak'
>;

/**
 * `above since 24 Sep`, `no difference of 1`, `unclear, ~3 months`.
 * @param least the smallest difference that matters, percentage points; absent where it is said elsewhere
 */
export function verdictText(figures: Verdict, least?: number): string {
  const { shown_verdict: verdict, verdict_since: since, days_until_least_shows: days } = figures;
  if (verdict === null) return NONE;
  const word = VERDICT_WORDS[verdict];
  if (verdict === 'none') return least === undefined ? word : `${word} of ${least}`;
  if (verdict === 'unclear') return days === null ? word : `${word}, ${timeToCome(days)}`;
  if (verdict === 'too_few_days') return word;
  return `${word}${since === null ? '' : ` since ${dayAndMonth(Date.parse(since))}`}${figures.weak ? ' (weak)' : ''}`;
}

/** Coarse, as it is known: `~12 days`, `~3 months`. */
export function timeToCome(days: number): string {
  if (days < 21) return `~${pluralOf(Math.max(1, Math.round(days)), 'day')}`;
  if (days < 60) return `~${pluralOf(Math.round(days / 7), 'week')}`;
  return days <= 365 ? `~${pluralOf(Math.round(days / 30.4), 'month')}` : 'over a year';
}

const pluralOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The comparison that decides, percentage points: with the other cards of the day, or with BTC where there are none. */
export interface Deciding {
  readonly to: 'others' | 'btc';
  readonly median: number | null;
  readonly interval: Interval | null;
  /** Widened for all groups. */
  readonly widened: Interval | null;
  readonly isTested: boolean;
  readonly verdict: ShownVerdict | null;
}

export function decidingOf(figures: HorizonFigures): Deciding {
  const { shown_verdict: verdict } = figures;
  if (isVsOthers(figures)) {
    return {
      to: 'others',
      median: figures.median_vs_others_percentage_points,
      interval: figures.median_vs_others_interval_95,
      widened: figures.median_vs_others_interval_holm,
      isTested: figures.p_vs_others !== null,
      verdict,
    };
  }
  return {
    to: 'btc',
    median: figures.median_vs_btc_percentage_points,
    interval: figures.median_vs_btc_interval_95,
    widened: figures.median_vs_btc_interval_holm,
    isTested: figures.p_vs_btc !== null,
    verdict,
  };
}

function isVsOthers({ shown_verdict: verdict, verdict_vs_others, others_sample }: HorizonFigures): boolean {
  if (verdict?.endsWith('_btc')) return false;
  return verdict?.endsWith('_others') === true || (verdict_vs_others !== null && (others_sample ?? 0) > 0);
}

type Listed = Verdict &
  Pick<HorizonFigures, 'sample' | 'median_vs_btc_percentage_points' | 'median_vs_others_percentage_points'>;

/** N, both differences and the verdict of a line of a list. @param leastOf see `verdictText` */
export function differenceColumns<T>(of: (row: T) => Listed | null, least = LEAST): Column<T>[] {
  const cell = (row: T, name: 'median_vs_btc_percentage_points' | 'median_vs_others_percentage_points') =>
    percentagePoints(of(row)?.[name] ?? null).replace(' pp', '');
  return [
    figureColumn('N', 3, (row) => String(of(row)?.sample ?? 0)),
    figureColumn('VS BTC', 2, (row) => cell(row, 'median_vs_btc_percentage_points')),
    figureColumn('VS OTHERS', 1, (row, { styles }) =>
      verdictTint(of(row)?.shown_verdict ?? null, styles)(cell(row, 'median_vs_others_percentage_points')),
    ),
    textColumn('VERDICT', 0, (row, { styles }) => {
      const figures = of(row);
      if (figures === null) return styles.dim(NONE);
      return verdictTint(figures.shown_verdict, styles)(verdictText(figures, least));
    }),
  ];
}
