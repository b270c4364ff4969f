import type { HorizonName } from '../../outcomes/types.ts';
import { figureColumn, textColumn } from '../columns.ts';
import type { RenderContext, Styles } from '../types.ts';

/** A label, and what stands under each horizon. */
export type HorizonRow<H> = readonly [label: string, cell: (horizon: H, styles: Styles) => string];

/** Both horizons side by side. */
export function horizonTable<H>(
  rows: readonly HorizonRow<H>[],
  horizons: Readonly<Record<HorizonName, H>>,
  { table, styles }: RenderContext,
): string {
  const columns = [
    textColumn<HorizonRow<H>>('', 0, ([label]) => label),
    figureColumn<HorizonRow<H>>('1 HOUR', 0, ([, cell]) => cell(horizons['1h'], styles)),
    figureColumn<HorizonRow<H>>('24 HOURS', 0, ([, cell]) => cell(horizons['24h'], styles)),
  ];
  return table(columns, rows);
}
