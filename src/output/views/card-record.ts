import type { SignalCard } from '../../api/contract/resources.ts';
import { decidingOf } from '../../outcomes/deciding.ts';
import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { verdictText } from './verdict.ts';

/**
 * `oi_growth on SOLUSDT: 12 outcomes, +0.80 pp against your other cards. On all symbols: 364, +2.31 pp, above since 21 Sep.`
 * @param all of the card's type; `here`: of it on the card's symbol
 */
export function recordSentence(card: SignalCard, all: HorizonFigures, here: HorizonFigures | undefined): string {
  const { to, median } = decidingOf(all);
  const onSymbol = here === undefined ? null : decidingOf(here).median;
  const name = `${safeText(card.source_bot_type)} on ${safeText(card.source_symbol)}`;
  const against = to === 'others' ? 'your other cards' : "BTC's move";
  const first = onSymbol === null ? '' : `, ${percentagePoints(onSymbol)} against ${against}`;
  const rest = median === null ? '' : `, ${percentagePoints(median)}${first === '' ? ` against ${against}` : ''}`;
  return `${name}: ${pluralize(here?.sample ?? 0, 'outcome')}${first}. On all symbols: ${all.sample}${rest}, ${verdictText(all)}.`;
}
