import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import { NONE, percentagePoints } from '../format.ts';
import type { Column, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';

/** What is said of a group; the report says the same. */
export const VERDICT_WORDS: Readonly<Record<ShownVerdict, string>> = {
  above_btc: 'above BTC',
  below_btc: 'below BTC',
  above_others: 'above others',
  below_others: 'below others',
  none: 'no difference',
  unclear: 'unclear',
  too_few_days: 'too few days',
};

/** The styles of a group's difference: in colour only where there is a verdict, as an unclear one has a sign too. */
export function verdictTint(verdict: ShownVerdict | null, styles: Styles): (text: string) => string {
  if (verdict === 'above_btc' || verdict === 'above_others') return styles.good;
  return verdict === 'below_btc' || verdict === 'below_others' ? styles.bad : styles.dim;
}

export type Compared = Pick<HorizonFigures, 'shown_verdict' | 'weak' | 'would_show_percentage_points'>;

type Differences = Compared & Pick<HorizonFigures, 'btc_sample' | 'median_vs_btc_percentage_points'>;

/** The verdict that is shown; where it is unclear with the difference that would show: `unclear ±2.1`. */
export function shownVerdict(figures: Compared | null, styles: Styles): string {
  const { shown_verdict: verdict = null, weak, would_show_percentage_points: shows } = figures ?? {};
  const word = verdictWord(verdict, styles);
  if (verdict === 'unclear' && shows != null)
    return word.replace('unclear', `unclear ±${shows.toFixed(shows < 10 ? 1 : 0)}`);
  return weak && /^(above|below)/.test(verdict ?? '') ? word.replace(/(above|below) \w+/, '$1, weak') : word;
}

/** The word alone. */
export function verdictWord(verdict: ShownVerdict | null, styles: Styles): string {
  return verdict === null ? styles.dim(NONE) : verdictTint(verdict, styles)(VERDICT_WORDS[verdict]);
}

/** @param before its header */
export function verdictColumn<T>(of: (row: T) => Compared | null, priority: number, before = ''): Column<T> {
  return textColumn(`${before}VERDICT`, priority, (row, { styles }) => shownVerdict(of(row), styles));
}

/** The difference to BTC of a horizon: of how many cards, its median, the verdict. */
export function differenceColumns<T>(of: (row: T) => Differences | null): Column<T>[] {
  return [
    figureColumn('CARDS', 5, (row) => String(of(row)?.btc_sample ?? 0)),
    figureColumn('MEDIAN', 0, (row, { styles }) => {
      const { shown_verdict: verdict = null, median_vs_btc_percentage_points: median = null } = of(row) ?? {};
      return verdictTint(verdict, styles)(percentagePoints(median));
    }),
    verdictColumn(of, 0),
  ];
}
