import type { GroupFigures, HorizonFigures } from './figure-table.ts';
import type { HorizonName, Verdict } from './types.ts';

/** The horizon to compare groups at: 24 h, unless only the other one has enough days. */
export function horizonToCompare(groups: readonly GroupFigures[]): HorizonName {
  const has = (name: HorizonName, isCounted: (figures: HorizonFigures) => boolean) =>
    groups.some(({ horizons }) => isCounted(horizons[name]));
  const isCompared = ({ p_vs_btc }: HorizonFigures) => p_vs_btc !== null;
  const isMeasured = ({ btc_sample }: HorizonFigures) => btc_sample > 0;
  if (has('24h', isCompared)) return '24h';
  if (has('1h', isCompared)) return '1h';
  return has('24h', isMeasured) ? '24h' : '1h';
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
