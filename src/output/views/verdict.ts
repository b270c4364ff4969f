import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import type { Verdict, VerdictVsOthers } from '../../outcomes/types.ts';
import { NONE, percentagePoints } from '../format.ts';
import type { Column, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';

/** What is said of a group; the report says the same. */
export const VERDICT_WORDS: Readonly<Record<Verdict | VerdictVsOthers, string>> = {
  above_btc: 'above BTC',
  below_btc: 'below BTC',
  above_others: 'above others',
  below_others: 'below others',
  none: 'no difference',
  unclear: 'unclear',
  too_few_days: 'too few days',
};

/** The styles of a group's difference: in colour only where there is a verdict, as an unclear one has a sign too. */
export function verdictTint(verdict: Verdict | VerdictVsOthers | null, styles: Styles): (text: string) => string {
  if (verdict === 'above_btc' || verdict === 'above_others') return styles.good;
  return verdict === 'below_btc' || verdict === 'below_others' ? styles.bad : styles.dim;
}

export type Compared = Pick<
  HorizonFigures,
  'verdict' | 'verdict_vs_others' | 'weak' | 'would_show_percentage_points' | 'would_show_vs_others_percentage_points'
>;

type Differences = Compared & Pick<HorizonFigures, 'btc_sample' | 'median_vs_btc_percentage_points'>;

/** The verdict against BTC; where it is unclear with the difference that would show: `unclear ±2.1`. */
export function vsBtc(figures: Compared | null, styles: Styles): string {
  const { verdict = null, weak, would_show_percentage_points: shows } = figures ?? {};
  return wordCell(verdict, weak, shows, styles);
}

/** The same against the user's other cards of the same day. */
export function vsOthers(figures: Compared | null, styles: Styles): string {
  const { verdict_vs_others: verdict = null, weak, would_show_vs_others_percentage_points: shows } = figures ?? {};
  return wordCell(verdict, weak, shows, styles);
}

/** Both, a column each. @param before their headers */
export function verdictColumns<T>(of: (row: T) => Compared | null, priority: number, before = ''): Column<T>[] {
  return [
    textColumn(`${before}VS BTC`, priority, (row, { styles }) => vsBtc(of(row), styles)),
    textColumn(`${before}VS OTHERS`, priority, (row, { styles }) => vsOthers(of(row), styles)),
  ];
}

/** The difference to BTC of a horizon: of how many cards, its median, both verdicts. */
export function differenceColumns<T>(of: (row: T) => Differences | null): Column<T>[] {
  return [
    figureColumn('CARDS', 5, (row) => String(of(row)?.btc_sample ?? 0)),
    figureColumn('MEDIAN', 0, (row, { styles }) => {
      const { verdict = null, median_vs_btc_percentage_points: median = null } = of(row) ?? {};
      return verdictTint(verdict, styles)(percentagePoints(median));
    }),
    ...verdictColumns(of, 0),
  ];
}

/** @param shows the difference that would show, percentage points */
function wordCell(
  verdict: Verdict | VerdictVsOthers | null,
  weak: boolean | undefined,
  shows: number | null | undefined,
  styles: Styles,
): string {
  if (verdict === null) return styles.dim(NONE);
  const word = VERDICT_WORDS[verdict];
  const tint = verdictTint(verdict, styles);
  if (verdict === 'unclear') return tint(shows == null ? word : `${word} ±${shows.toFixed(shows < 10 ? 1 : 0)}`);
  const isDifference = verdict !== 'none' && verdict !== 'too_few_days';
  return tint(isDifference && weak ? `${word.replace(/ .*/, '')}, weak` : word);
}
