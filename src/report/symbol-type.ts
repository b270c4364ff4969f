import { breakable, html, type Markup } from './markup.ts';
import { count, signed } from './scales.ts';
import { section } from './section.ts';

/** A median of one symbol and screener type, percent. */
export interface Cell {
  readonly median: number;
  readonly sample: number;
}

export interface SymbolRow {
  readonly symbol: string;
  /** Outcomes of all types. */
  readonly sample: number;
  /** By type, in the order of the types; undefined where there are fewer than `LEAST`. */
  readonly cells: readonly (Cell | undefined)[];
}

/** A median of fewer says nothing. */
export const LEAST = 6;
/** Symbols that are drawn; the table below has more. */
const MOST_DRAWN = 24;
const MOST_LISTED = 300;

/** @param symbols those with the most outcomes first */
export function symbolTypeSection(types: readonly string[], symbols: readonly SymbolRow[], horizon: string): Markup {
  const drawn = symbols.filter(({ cells }) => cells.some((cell) => cell !== undefined)).slice(0, MOST_DRAWN);
  const medians = drawn.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell === undefined ? [] : [Math.abs(cell.median)])),
  );
  const most = Math.max(1e-9, ...medians);
  const rest = symbols.length - drawn.length;
  return section({
    id: 'symbols-types',
    title: 'Symbols and screener types',
    says:
      medians.length === 0
        ? `No symbol has ${LEAST} outcomes of one type after ${horizon} yet.`
        : `Median moves after ${horizon}, in percent. A field with fewer than ${LEAST} outcomes stays blank. Many fields are compared here: the largest ones are large by chance, too.`,
    picture:
      medians.length > 0 &&
      html`<div class="wide" role="region" aria-label="Medians by symbol and type" tabindex="0"><table class="heat"><thead><tr><td></td>${types.map((type) => html`<th scope="col">${breakable(type)}</th>`)}</tr></thead>
<tbody>${drawn.map(
        ({ symbol, cells }) =>
          html`<tr><th scope="row">${symbol}</th>${cells.map((cell) => (cell === undefined ? html`<td></td>` : html`<td class="h${shade(cell.median, most)}" title="${symbol}: ${count(cell.sample)} outcomes">${signed(cell.median)}</td>`))}</tr>\n`,
      )}</tbody></table></div>
`,
    note:
      rest > 0 && medians.length > 0
        ? `The ${count(drawn.length)} symbols with the most outcomes; ${rest === 1 ? 'one more is' : `${count(rest)} more are`} in the numbers.`
        : undefined,
    numbers: {
      head: ['Symbol', 'Outcomes', ...types.map((type) => `${type}, %`)],
      rows: symbols
        .slice(0, MOST_LISTED)
        .map(({ symbol, sample, cells }) => [
          symbol,
          count(sample),
          ...cells.map((cell) => (cell === undefined ? '' : signed(cell.median))),
        ]),
      left:
        symbols.length > MOST_LISTED
          ? `${count(symbols.length - MOST_LISTED)} symbols with fewer outcomes are left out.`
          : undefined,
    },
  });
}

/** From −3 to 3, by the largest median that is drawn. */
function shade(median: number, most: number): number {
  return Math.round((3 * median) / most);
}
