import type { HorizonName } from '../api/contract/horizons.ts';
import { decidingOf } from './deciding.ts';
import type { GroupFigures } from './figure-table.ts';

/** Verdicts come before differences, so that what chance put on top does not look best. */
export function ranked(groups: readonly GroupFigures[], horizon: HorizonName): GroupFigures[] {
  const difference = ({ horizons }: GroupFigures) => decidingOf(horizons[horizon]).median ?? Number.NEGATIVE_INFINITY;
  const place = ({ horizons }: GroupFigures) => {
    const word = horizons[horizon].shown_verdict?.replace(/_(btc|others)$/, '') ?? '';
    return PLACES.indexOf(word);
  };
  return [...groups].sort((a, b) => place(a) - place(b) || Math.sign(difference(b) - difference(a)) || 0);
}

const PLACES: readonly string[] = ['above', 'unclear', 'none', 'below', 'too_few_days', ''];
