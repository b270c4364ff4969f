/** The columns of a list of standings. */

import type { Standing } from '../../outcomes/standing.ts';
import { points } from '../format.ts';
import type { Column, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';
import { hasVerdictWords, toneOf } from './verdict-names.ts';

/**
 * N, both differences and the verdict of each row, all from one source: the service, or bought outcomes.
 * @param verdictOf the text of the last column
 */
export function differenceColumns(verdictOf: (standing: Standing) => string) {
  const tinted = (standing: Standing, styles: Styles, text: string) =>
    styles[toneOf(standing)](text);
  const vsOthers: Column<Standing>['cell'] = (standing, { styles }) =>
    tinted(standing, styles, points(standing.base.vsOthers));
  const verdict: Column<Standing>['cell'] = (standing, { styles }) =>
    tinted(standing, styles, verdictOf(standing));
  return {
    sampleSize: figureColumn<Standing>('N', 3, ({ base }) => String(base.sample)),
    vsBtc: figureColumn<Standing>('VS BTC', 2, ({ base }) => points(base.vsBtc), {
      has: ({ base }) => base.vsBtc !== null,
    }),
    vsOthers: figureColumn<Standing>('VS OTHERS', 1, vsOthers, {
      has: ({ base }) => base.vsOthers !== null,
    }),
    verdict: textColumn<Standing>('VERDICT', 0, verdict, { has: hasVerdictWords }),
  } satisfies Record<string, Column<Standing>>;
}
