import type { HorizonName } from '../api/contract/horizons.ts';
import type { GroupFigures, HorizonFigures } from './figure-table.ts';

/**
 * Groups by the verdict that is shown, so that what chance put on top does not look like the best: those above, the
 * unclear, those without a difference that matters, those below, those with too few days. Within each by the difference of
 * the comparison that decides, largest first.
 */
export function ranked(groups: readonly GroupFigures[], horizon: HorizonName): GroupFigures[] {
  const difference = ({ horizons }: GroupFigures) => decidingDifference(horizons[horizon]) ?? Number.NEGATIVE_INFINITY;
  const place = ({ horizons }: GroupFigures) => {
    const word = horizons[horizon].shown_verdict?.replace(/_(btc|others)$/, '') ?? '';
    return PLACES.indexOf(word);
  };
  return [...groups].sort((a, b) => place(a) - place(b) || Math.sign(difference(b) - difference(a)) || 0);
}

const PLACES: readonly string[] = ['above', 'unclear', 'none', 'below', 'too_few_days', ''];

/** With the others of the day; with BTC where there are none. Percentage points. */
function decidingDifference(figures: HorizonFigures): number | null {
  return figures.median_vs_others_percentage_points ?? figures.median_vs_btc_percentage_points;
}
