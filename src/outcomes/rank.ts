import type { HorizonName } from '../api/contract/horizons.ts';
import type { GroupFigures, HorizonFigures } from './figure-table.ts';

/** Verdicts come before differences, so that what chance put on top does not look best. */
export function ranked(groups: readonly GroupFigures[], horizon: HorizonName): GroupFigures[] {
  const difference = ({ horizons }: GroupFigures) => decidingDifference(horizons[horizon]) ?? Number.NEGATIVE_INFINITY;
  const place = ({ horizons }: GroupFigures) => {
    const word = horizons[horizon].shown_verdict?.replace(/_(btc|others)$/, '') ?? '';
    return PLACES.indexOf(word);
  };
  return [...groups].sort((a, b) => place(a) - place(b) || Math.sign(difference(b) - difference(a)) || 0);
}

const PLACES: readonly string[] = ['above', 'unclear', 'none', 'below', 'too_few_days', ''];

/** Percentage points. */
function decidingDifference(figures: HorizonFigures): number | null {
  return figures.median_vs_others_percentage_points ?? figures.median_vs_btc_percentage_points;
}
