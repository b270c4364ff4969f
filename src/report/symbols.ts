/** Which symbols stand out, and the symbols of each type. */
import type { GroupFigures, HorizonFigures } from '../outcomes/figure-table.ts';
import { ranked } from '../outcomes/standing.ts';
import { pluralize } from '../runtime/units.ts';
import { hasNoInterval, type Judgements, verb } from './answer.ts';
import { comparedWith, forest } from './forest.ts';
import { between, breakable, html, label, type Markup, note, section, signed } from './markup.ts';

export function symbolsSection(judgements: Judgements): Markup | undefined {
  const { comparison, standings } = judgements;
  const bySample = [...standings].sort((a, b) => (b.figures?.btc_sample ?? 0) - (a.figures?.btc_sample ?? 0));
  const shown = ranked(bySample.slice(0, 10));
  if (shown.every(hasNoInterval)) return undefined;
  const [tested, all] = [comparison.comparisons, bySample.length];
  const found = shown.filter(({ word }) => word === 'above' || word === 'below');
  return section(
    'symbols',
    found.length === 0 ? 'No symbol stands out' : verb(found, 'stands out', 'stand out'),
    `The symbols with the most outcomes: median difference to ${comparedWith(shown)} after 24 h, in percentage points.`,
    forest('Symbols after 24 h', shown, judgements),
    note(
      all > shown.length &&
        `${shown.length} of ${all} symbols are drawn, but ${tested} are tested${tested < all ? ': all but BTC itself and those with too few days' : ''}. The command screener stats --local --by symbol --sort group lists all.`,
    ),
  );
}

/** Those with the most cards first. */
export type SymbolsOfTypes = readonly (readonly [type: string, bySymbol: readonly GroupFigures[]])[];

const MOST_SYMBOLS = 15;
const MOST_TYPES = 6;

/** The median difference to BTC of each symbol and type after 24 h. */
export function symbolTypeSection(all: SymbolsOfTypes): Markup | undefined {
  const types = all.slice(0, MOST_TYPES);
  const figuresOf = (symbol: string | null) =>
    types.map(([, bySymbol]) => bySymbol.find(({ group }) => group === symbol)?.horizons['24h']);
  const symbols = new Set(types.flatMap(([, bySymbol]) => bySymbol.map(({ group }) => group)));
  const rows = [...symbols]
    .map((symbol) => {
      const figures = figuresOf(symbol);
      const sample = figures.reduce((sum, one) => sum + (one?.btc_sample ?? 0), 0);
      const cells = figures.map((one) => (one?.median_vs_btc_interval_95 ? one : undefined));
      return { symbol: label(symbol ?? ''), sample, cells };
    })
    .sort((a, b) => b.sample - a.sample || (a.symbol < b.symbol ? -1 : 1));
  const drawn = rows.filter(({ cells }) => cells.some((cell) => cell !== undefined)).slice(0, MOST_SYMBOLS);
  if (drawn.length === 0 || types.length < 2) return undefined;
  const head = types.map(([type]) => html`<th scope="col">${breakable(label(type))}</th>`);
  const body = drawn.map(
    ({ symbol, cells }) =>
      html`<tr><th scope="row">${symbol}</th>${cells.map((cell) => heatCell(symbol, cell))}</tr>\n`,
  );
  return section(
    'symbols-types',
    'Symbols within types',
    `Median difference to BTC after 24 h, in percentage points. Strong colour: clearly not zero, but 5 in 100 would be so by chance. Weak colour: it may be zero.`,
    // What may be wider than a phone is scrolled by itself, with the keyboard, too.
    html`<div class="wide" role="region" aria-label="Medians by symbol and type" tabindex="0"><table class="heat"><thead><tr><td></td>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`,
    note(rows.length > drawn.length && `${drawn.length} of ${rows.length} symbols are drawn.`),
  );
}

function heatCell(symbol: string, figures: HorizonFigures | undefined): Markup {
  const median = figures?.median_vs_btc_percentage_points ?? null;
  if (figures === undefined || median === null) return html`<td></td>`;
  const range = figures.median_vs_btc_interval_95;
  const isKnown = range !== null && (range.low > 0 || range.high < 0);
  const look = median === 0 ? 'h0' : `h${median > 0 ? '' : '-'}${isKnown ? 3 : 1}`;
  return html`<td class="${look}" title="${symbol}: ${pluralize(figures.btc_sample, 'outcome')}, ${between(range)}">${signed(median)}</td>`;
}
