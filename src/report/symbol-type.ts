import type { GroupFigures, HorizonFigures } from '../outcomes/figure-table.ts';
import { between, count, counted, signed } from './format.ts';
import { breakable, html, label, type Markup } from './markup.ts';
import { note, scrollable, section, undrawn } from './section.ts';

export interface SymbolsOfType {
  readonly type: string;
  readonly bySymbol: readonly GroupFigures[];
}

const LEAST = 6;
/** What is drawn; the table below has all symbols. */
const MOST_SYMBOLS = 15;
const MOST_TYPES = 6;

/** The median difference to BTC of each symbol and type after 24 h. @param all those with the most cards first */
export function symbolTypeSection(all: readonly SymbolsOfType[]): Markup | undefined {
  const types = all.slice(0, MOST_TYPES);
  const cellOf = (symbol: string, { bySymbol }: SymbolsOfType) => {
    const figures = bySymbol.find(({ group }) => group === symbol)?.horizons['24h'];
    return figures === undefined || figures.btc_sample < LEAST ? undefined : figures;
  };
  const samples = new Map<string, number>();
  for (const { group, horizons } of types.flatMap(({ bySymbol }) => bySymbol)) {
    if (group !== null) samples.set(group, (samples.get(group) ?? 0) + horizons['24h'].btc_sample);
  }
  const rows = [...samples]
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .map(([symbol, sample]) => ({ symbol, sample, cells: types.map((type) => cellOf(symbol, type)) }));
  const drawn = rows.filter(({ cells }) => cells.some((cell) => cell !== undefined)).slice(0, MOST_SYMBOLS);
  if (drawn.length === 0 || types.length < 2) return undefined;
  const heads = types.map(({ type }) => type);
  return section({
    id: 'symbols-types',
    title: 'Symbols within types',
    says: `Median difference to BTC after 24 h under the present settings, in percentage points, of ${LEAST} outcomes or more. Strong colour: its 95 % interval leaves out zero, as 5 fields of 100 do by chance alone. Weak colour: it may be zero, or there is no interval.`,
    picture: [heatMap(drawn, heads), note(undrawn(rows.length - drawn.length))],
    numbers: {
      head: ['Symbol', 'Outcomes', ...heads.map((type) => `${label(type)}, pp`)],
      rows: rows.map(({ symbol, sample, cells }) => [
        label(symbol),
        count(sample),
        ...cells.map((cell) => signed(cell?.median_vs_btc_percentage_points ?? null)),
      ]),
    },
  });
}

function heatMap(
  rows: readonly { readonly symbol: string; readonly cells: readonly (HorizonFigures | undefined)[] }[],
  types: readonly string[],
): Markup {
  const head = types.map((type) => html`<th scope="col">${breakable(label(type))}</th>`);
  const body = rows.map(
    ({ symbol, cells }) =>
      html`<tr><th scope="row">${label(symbol)}</th>${cells.map((cell) => heatCell(symbol, cell))}</tr>\n`,
  );
  return scrollable(
    'Medians by symbol and type',
    html`<table class="heat"><thead><tr><td></td>${head}</tr></thead>\n<tbody>${body}</tbody></table>`,
  );
}

function heatCell(symbol: string, figures: HorizonFigures | undefined): Markup {
  const median = figures?.median_vs_btc_percentage_points ?? null;
  if (figures === undefined || median === null) return html`<td></td>`;
  const range = figures.median_vs_btc_interval_95;
  const isKnown = range !== null && (range.low > 0 || range.high < 0);
  const sign = Math.sign(median);
  const look = sign === 0 ? 'h0' : `h${sign > 0 ? '' : '-'}${isKnown ? 3 : 1}`;
  return html`<td class="${look}" title="${label(symbol)}: ${counted(figures.btc_sample, 'outcome')}, ${between(range)}">${signed(median)}</td>`;
}
