import { HORIZON_NAMES, HORIZONS, type HorizonName } from '../api/contract/horizons.ts';
import type { GroupFigures, HorizonFigures } from './figure-table.ts';
import type { Verdict } from './types.ts';

/** The horizon to compare groups at: the longest, unless only another one has enough days. */
export function horizonToCompare(groups: readonly GroupFigures[]): HorizonName {
  const longestWith = (isCounted: (figures: HorizonFigures) => boolean) =>
    HORIZON_NAMES.findLast((name) => groups.some(({ horizons }) => isCounted(horizons[name])));
  const compared = longestWith(({ p_vs_btc }) => p_vs_btc !== null);
  return compared ?? longestWith(({ btc_sample }) => btc_sample > 0) ?? HORIZONS[0].name;
}

/**
 * Groups by verdict, so that what chance put on top does not look like the best: those above BTC's move, the unclear,
 * those without a difference that matters, those below, those with too few days. Within each by the median difference to BTC's move, largest first.
 */
export function ranked(groups: readonly GroupFigures[], horizon: HorizonName): GroupFigures[] {
  const median = ({ horizons }: GroupFigures) =>
    horizons[horizon].median_vs_btc_percentage_points ?? Number.NEGATIVE_INFINITY;
  const place = ({ horizons }: GroupFigures) => PLACES.indexOf(horizons[horizon].verdict);
  return [...groups].sort((a, b) => place(a) - place(b) || Math.sign(median(b) - median(a)) || 0);
}

const PLACES: readonly (Verdict | null)[] = ['above_btc', 'unclear', 'none', 'below_btc', 'too_few_days', null];
