import { bisectRight, max } from 'd3-array';
import { quantile, sortedOf } from '../outcomes/quantile.ts';
import type { Move } from '../outcomes/row.ts';
import { central, type NumberAxis, signedAxis } from './axis.ts';
import { count, counted, percent, signed } from './format.ts';
import { label, type Markup, type Part } from './markup.ts';
import { colourOf, typeLegend } from './palette.ts';
import { bar, dot, plot, rule } from './plot.ts';
import { note, outside, section } from './section.ts';

type Pair = Move & { readonly btc: number };

const HEIGHT = 320;
/** More dots than that hide each other (and make the page heavy): squares say how many there are instead. */
const MOST_DOTS = 1500;
const COLUMNS = 44;
const ROWS = 32;

/** Each move after 24 h against BTC's: above the dashed line it was more than BTC's. */
export function againstBtcSection(moves: readonly Move[], types: readonly string[]): Markup {
  const pairs = moves.filter((one): one is Pair => one.btc !== null);
  const { decided, share } = aboveBtc(pairs);
  return section({
    id: 'btc',
    title: "The moves against BTC's",
    says:
      pairs.length === 0
        ? "No move after 24 h with BTC's beside it is measured yet."
        : `${percent(share)} of ${counted(decided, 'move')} after 24 h were above BTC's, which is above the dashed line.`,
    picture: pairs.length > 0 && scatter(pairs, types),
    numbers: {
      head: ["BTC's move after 24 h, %", 'Outcomes', 'Median move, %', "Above BTC's"],
      rows: bands(pairs),
    },
  });
}

/** Of the moves that do not equal BTC's. */
function aboveBtc(pairs: readonly Pair[]): { readonly decided: number; readonly share: number } {
  const above = pairs.filter(({ move, btc }) => move > btc).length;
  const decided = pairs.filter(({ move, btc }) => move !== btc).length;
  return { decided, share: above / Math.max(1, decided) };
}

function scatter(pairs: readonly Pair[], types: readonly string[]): Part {
  const btcMoves = sortedOf(pairs.map(({ btc }) => btc));
  const cardMoves = sortedOf(pairs.map(({ move }) => move));
  const x = signedAxis("BTC's move after 24 h, percent", central(btcMoves, 0.995));
  const y = signedAxis("Card's move after 24 h, percent", central(cardMoves, 0.99), { height: HEIGHT });
  const inside = pairs.filter(({ move, btc }) => btc >= x.low && btc <= x.high && move >= y.low && move <= y.high);
  const many = pairs.length > MOST_DOTS;
  const low = Math.max(x.low, y.low);
  const high = Math.min(x.high, y.high);
  return [
    !many && typeLegend(types),
    plot({
      label: `${counted(pairs.length, 'move')} after 24 h against BTC's`,
      height: HEIGHT,
      x,
      y,
      marks: [
        many ? squares(inside, x, y) : inside.map((pair) => oneDot(pair, x, y, types)),
        // Where a move is BTC's own.
        low < high && rule(x.at(low), y.at(low), x.at(high), y.at(high), 'same'),
      ],
    }),
    note(
      many
        ? `The stronger a square's colour, the more of the ${count(inside.length)} outcomes lie in it.`
        : 'One dot an outcome, in the colour of its screener type.',
      outside(pairs.length - inside.length, 'outcome'),
    ),
  ];
}

function oneDot({ card, move, btc }: Pair, x: NumberAxis, y: NumberAxis, types: readonly string[]): Markup {
  const title = `${label(card.symbol)}, card ${card.id}: ${signed(move)} %, BTC ${signed(btc)} %`;
  return dot(x.at(btc), y.at(move), 3, `k${colourOf(types, card.type)} faint`, title);
}

function squares(pairs: readonly Pair[], x: NumberAxis, y: NumberAxis): Markup[] {
  const cells = Array.from({ length: COLUMNS * ROWS }, () => 0);
  for (const { move, btc } of pairs) {
    const column = Math.min(COLUMNS - 1, Math.floor(x.at(btc) * COLUMNS));
    const row = Math.min(ROWS - 1, Math.floor((y.at(move) / HEIGHT) * ROWS));
    const cell = row * COLUMNS + column;
    cells[cell] = (cells[cell] ?? 0) + 1;
  }
  const most = max(cells) ?? 1;
  return cells.flatMap((size, cell) => {
    if (size === 0) return [];
    const column = cell % COLUMNS;
    const row = Math.floor(cell / COLUMNS);
    // The root tells one from five as well as a hundred from five hundred.
    const depth = Math.ceil(Math.sqrt(size / most) * 5);
    const [left, right] = [column / COLUMNS, (column + 1) / COLUMNS];
    const [top, bottom] = [(row * HEIGHT) / ROWS, ((row + 1) * HEIGHT) / ROWS];
    return [bar(left, right, top, bottom, `d${depth}`, counted(size, 'outcome'))];
  });
}

/** Bands of BTC's move that hold a fifth of the outcomes each. */
const BANDS = [0, 0.2, 0.4, 0.6, 0.8, 1];

function bands(pairs: readonly Pair[]): string[][] {
  const sorted = sortedOf(pairs.map(({ btc }) => btc));
  const edges = [...new Set(BANDS.map((share) => quantile(sorted, share)))];
  const inBands: Pair[][] = edges.slice(1).map(() => []);
  // The last one holds its upper end, too.
  for (const pair of pairs) inBands[Math.min(inBands.length, bisectRight(edges, pair.btc)) - 1]?.push(pair);
  return inBands.map((inside, index) => {
    const { decided, share } = aboveBtc(inside);
    return [
      `${signed(edges[index] ?? 0)} to ${signed(edges[index + 1] ?? 0)}`,
      count(inside.length),
      signed(quantile(sortedOf(inside.map(({ move }) => move)), 0.5)),
      decided === 0 ? '' : percent(share),
    ];
  });
}
