import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import type { Verdict, VerdictVsOthers } from '../../outcomes/types.ts';
import { NONE } from '../format.ts';
import type { Styles } from '../types.ts';

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

/** The verdict vs BTC in a word or two; with `weak`, where it leans on few days. */
export function verdictCell({ verdict, weak }: Pick<HorizonFigures, 'verdict' | 'weak'>, styles: Styles): string {
  return wordCell(verdict, weak, null, styles);
}

/** Both verdicts of a horizon; where one is unclear with the difference that would show: `unclear ±2.1`. */
export function bothVerdicts(
  horizon: Pick<
    HorizonFigures,
    'verdict' | 'verdict_vs_others' | 'weak' | 'would_show_percentage_points' | 'would_show_vs_others_percentage_points'
  >,
  styles: Styles,
): [vsBtc: string, vsOthers: string] {
  const { verdict, verdict_vs_others, weak } = horizon;
  return [
    wordCell(verdict, weak, horizon.would_show_percentage_points, styles),
    wordCell(verdict_vs_others, weak, horizon.would_show_vs_others_percentage_points, styles),
  ];
}

function wordCell(
  verdict: Verdict | VerdictVsOthers | null,
  weak: boolean,
  wouldShow: number | null,
  styles: Styles,
): string {
  if (verdict === null) return styles.dim(NONE);
  const word = VERDICT_WORDS[verdict];
  const tint = verdictTint(verdict, styles);
  if (verdict === 'unclear')
    return tint(wouldShow === null ? word : `${word} ±${wouldShow.toFixed(wouldShow < 10 ? 1 : 0)}`);
  const isDifference = verdict !== 'none' && verdict !== 'too_few_days';
  return tint(isDifference && weak ? `${word.replace(/ .*/, '')}, weak` : word);
}
