import { isAbove, isBelow } from '../../outcomes/deciding.ts';
import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import { LEAST } from '../../outcomes/verdict.ts';
import { pluralize } from '../../runtime/pluralize.ts';
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

type Verdict = Pick<
  HorizonFigures,
  'shown_verdict' | 'verdict_since' | 'days_until_least_shows' | 'weak' | 'cards_of_btc'
>;

/**
 * `above since 24 Sep`, `no difference of 1`, `unclear, ~3 months`.
 * @param least the smallest difference that matters, percentage points; absent where it is said elsewhere
 * @param to what it is compared with, in words; absent where it is said elsewhere
 */
export function verdictText(figures: Verdict, least?: number, to?: string): string {
  const { shown_verdict: verdict, days_until_least_shows: days, weak } = figures;
  if (verdict === null) return figures.cards_of_btc > 0 ? 'BTC itself' : NONE;
  const word = VERDICT_WORDS[verdict];
  const isWeak = weak ? ' (weak)' : '';
  if (verdict === 'none') {
    const about = to === undefined ? '' : ` pp to ${to}${sinceText(figures)}`;
    return `${word}${least === undefined ? '' : ` of ${least}`}${about}${isWeak}`;
  }
  if (verdict === 'unclear') {
    return `${word}${to === undefined ? '' : ` against ${to}`}${days === null ? '' : `, ${timeToCome(days)}`}`;
  }
  if (verdict === 'too_few_days') return word;
  const whom = to === undefined || verdict.endsWith('_btc') ? '' : ` ${to}`;
  return `${word}${whom}${sinceText(figures)}${isWeak}`;
}

/** ` since 24 Sep`; empty if no verdict stands. */
export function sinceText({ verdict_since: since }: Pick<HorizonFigures, 'verdict_since'>): string {
  return since === null ? '' : ` since ${dayAndMonth(Date.parse(since))}`;
}

/** Coarse, as it is known: `~12 days`, `~3 months`. */
export function timeToCome(days: number): string {
  if (days < 21) return `~${pluralize(Math.max(1, Math.round(days)), 'day')}`;
  if (days < 60) return `~${pluralize(Math.round(days / 7), 'week')}`;
  return days <= 365 ? `~${pluralize(Math.round(days / 30.4), 'month')}` : 'over a year';
}

type Listed = Verdict &
  Pick<HorizonFigures, 'sample' | 'median_vs_btc_percentage_points' | 'median_vs_others_percentage_points'>;

/** N, both differences and the verdict of a line of a list. @param least see `verdictText` */
export function differenceColumns<T>(of: (row: T) => Listed | null, least = LEAST) {
  const points = (value: number | null | undefined) => percentagePoints(value ?? null).replace(' pp', '');
  return {
    size: figureColumn<T>('N', 3, (row) => String(of(row)?.sample ?? 0)),
    vsBtc: figureColumn<T>('VS BTC', 2, (row) => points(of(row)?.median_vs_btc_percentage_points)),
    vsOthers: figureColumn<T>('VS OTHERS', 1, (row, { styles }) => {
      const figures = of(row);
      return verdictTint(figures?.shown_verdict ?? null, styles)(points(figures?.median_vs_others_percentage_points));
    }),
    verdict: textColumn<T>('VERDICT', 0, (row, { styles }) => {
      const figures = of(row);
      return verdictTint(figures?.shown_verdict ?? null, styles)(figures === null ? NONE : verdictText(figures, least));
    }),
  } satisfies Record<string, Column<T>>;
}
