/** The columns of a list of standings. */

import type { Standing } from '../../outcomes/standing.ts';
import { NONE, points } from '../format.ts';
import type { Column, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';
import { verdictText } from './verdict.ts';
import { hasVerdict, toneOf } from './verdict-names.ts';

/**
 * N, both differences and the verdict of each row, all from one source: the service, or bought outcomes.
 * @param of the standing of a row
 * @param verdictOf the text of the last column
 */
export function differenceColumns<T>(
  of: (row: T) => Standing | null,
  verdictOf: (standing: Standing | null) => string = verdictText,
) {
  const tinted = (row: T, styles: Styles, text: string) => {
    const standing = of(row);
    return standing === null ? text : styles[toneOf(standing)](text);
  };
  const vsOthers: Column<T>['cell'] = (row, { styles }) =>
    tinted(row, styles, points(of(row)?.base.vsOthers));
  const verdict: Column<T>['cell'] = (row, { styles }) => tinted(row, styles, verdictOf(of(row)));
  return {
    size: figureColumn<T>('N', 3, (row) => String(of(row)?.base.sample ?? NONE)),
    vsBtc: figureColumn<T>('VS BTC', 2, (row) => points(of(row)?.base.vsBtc), {
      has: (row) => of(row)?.base.vsBtc != null,
    }),
    vsOthers: figureColumn<T>('VS OTHERS', 1, vsOthers, {
      has: (row) => of(row)?.base.vsOthers != null,
    }),
    verdict: textColumn<T>('VERDICT', 0, verdict, { has: (row) => hasVerdict(of(row)) }),
  } satisfies Record<string, Column<T>>;
}
