import { groupBy } from '../outcomes/group.ts';
import { quantile, sortedOf } from '../outcomes/quantile.ts';
import type { Move } from '../outcomes/row.ts';
import { count, counted, signed } from './format.ts';
import { breakable, html, label, type Markup } from './markup.ts';
import { COLOURS } from './palette.ts';
import { note, scrollable, section } from './section.ts';

interface SymbolRow {
  readonly symbol: string;
  /** Outcomes of all types. */
  readonly sample: number;
  /** By type, in the order of the types; the median is percent, or null where there are fewer than `LEAST`. */
  readonly cells: readonly { readonly median: number | null; readonly sample: number }[];
}

/** A median of fewer says nothing. */
const LEAST = 6;
/** Symbols that are drawn; the table below has more. */
const MOST_DRAWN = 24;

/** The medians of each symbol and type after 24 h. @param allTypes as `typesOf` gives them: the first have a column */
export function symbolTypeSection(moves: readonly Move[], allTypes: readonly string[]): Markup {
  const types = allTypes.slice(0, COLOURS);
  const symbols = symbolRows(moves, types);
  const drawn = symbols.filter(({ cells }) => cells.some(({ median }) => median !== null)).slice(0, MOST_DRAWN);
  const rest = symbols.length - drawn.length;
  return section({
    id: 'symbols-types',
    title: 'Symbols and screener types',
    says:
      drawn.length === 0
        ? `No symbol has ${LEAST} outcomes of one type after 24 h yet.`
        : `Median moves after 24 h, in percent. A field with fewer than ${LEAST} outcomes stays blank. Many fields are compared here: the largest ones are large by chance, too.`,
    picture: drawn.length > 0 && [
      heatMap(drawn, types),
      note(
        rest === 0
          ? ''
          : `The ${counted(drawn.length, 'symbol')} with the most outcomes; the others are in the numbers.`,
      ),
    ],
    numbers: {
      head: ['Symbol', 'Outcomes', ...types.map((type) => `${label(type)}, %`)],
      rows: symbols.map(({ symbol, sample, cells }) => [
        symbol,
        count(sample),
        ...cells.map(({ median }) => signed(median)),
      ]),
    },
  });
}

/** Those with the most outcomes first. */
function symbolRows(moves: readonly Move[], types: readonly string[]): SymbolRow[] {
  return [...groupBy(moves, ({ card }) => card.symbol)]
    .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
    .map(([symbol, ofSymbol]) => {
      const byType = groupBy(ofSymbol, ({ card }) => card.type);
      const cells = types.map((type) => {
        const own = byType.get(type) ?? [];
        const median = own.length < LEAST ? null : quantile(sortedOf(own.map(({ move }) => move)), 0.5);
        return { median, sample: own.length };
      });
      return { symbol: label(symbol), sample: ofSymbol.length, cells };
    });
}

function heatMap(rows: readonly SymbolRow[], types: readonly string[]): Markup {
  const most = Math.max(1e-9, ...rows.flatMap(({ cells }) => cells.map(({ median }) => Math.abs(median ?? 0))));
  // From −3 to 3, by the largest median that is drawn.
  const shade = (median: number) => Math.round((3 * median) / most);
  return scrollable(
    'Medians by symbol and type',
    html`<table class="heat"><thead><tr><td></td>${types.map((type) => html`<th scope="col">${breakable(label(type))}</th>`)}</tr></thead>
<tbody>${rows.map(
      ({ symbol, cells }) =>
        html`<tr><th scope="row">${symbol}</th>${cells.map(({ median, sample }) =>
          median === null
            ? html`<td></td>`
            : html`<td class="h${shade(median)}" title="${symbol}: ${counted(sample, 'outcome')}">${signed(median)}</td>`,
        )}</tr>\n`,
    )}</tbody></table>`,
  );
}
