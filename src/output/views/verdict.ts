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

/** In a word or two; with `weak`, where it leans on few days. */
export function verdictCell({ verdict, weak }: Pick<HorizonFigures, 'verdict' | 'weak'>, styles: Styles): string {
  if (verdict === null) return styles.dim(NONE);
  const word = VERDICT_WORDS[verdict];
  if (verdict !== 'above_btc' && verdict !== 'below_btc') return styles.dim(word);
  const tint = verdict === 'above_btc' ? styles.good : styles.bad;
  return tint(weak ? `${word.replace(' BTC', '')}, weak` : word);
}
