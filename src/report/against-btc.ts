import { max, median } from 'd3-array';
import { quantile, sortedOf } from '../outcomes/quantile.ts';
import { bar, dot } from './marks.ts';
import { html, type Markup } from './markup.ts';
import { plot } from './plot.ts';
import { central, count, percent, type Scale, signed, signedAxis, signedScale } from './scales.ts';
import { section } from './section.ts';

/** A move and BTC's over the same time, percent. */
export interface Pair {
  readonly id: number;
  readonly symbol: string;
  readonly colour: number;
  readonly move: number;
  readonly btc: number;
}

const HEIGHT = 320;
/** More dots than that hide each other (and make the page heavy): squares say how many there are instead. */
const MOST_DOTS = 1500;
const COLUMNS = 44;
const ROWS = 32;

/** Each move against BTC's: above the dashed line it was more than BTC's. */
export function againstBtcSection(pairs: readonly Pair[], horizon: string, legend: Markup): Markup {
  const above = pairs.filter(({ move, btc }) => move > btc).length;
  const ties = pairs.filter(({ move, btc }) => move === btc).length;
  const says =
    pairs.length === 0
      ? `No move after ${horizon} with BTC's beside it is measured yet.`
      : `${percent(above / Math.max(1, pairs.length - ties))} of ${count(pairs.length - ties)} moves after ${horizon} were above BTC's, which is above the dashed line.`;
  return section({
    id: 'btc',
    title: "The moves against BTC's",
    says,
    picture: pairs.length > 0 && [pairs.length <= MOST_DOTS && legend, scatter(pairs, horizon)],
    numbers: {
      head: [`BTC's move after ${horizon}, %`, 'Outcomes', 'Median move, %', "Above BTC's"],
      rows: bands(pairs),
    },
  });
}

function scatter(pairs: readonly Pair[], horizon: string): readonly Markup[] {
  const x = signedScale(
    central(
      pairs.map(({ btc }) => btc),
      0.995,
    ),
  );
  const y = signedScale(
    central(
      pairs.map(({ move }) => move),
      0.99,
    ),
  );
  const [left = 0, right = 0] = x.domain();
  const [bottom = 0, top = 0] = y.domain();
  const inside = pairs.filter(({ move, btc }) => btc >= left && btc <= right && move >= bottom && move <= top);
  const outside = pairs.length - inside.length;
  const many = pairs.length > MOST_DOTS;
  return [
    plot({
      label: `${count(pairs.length)} moves after ${horizon} against BTC's`,
      height: HEIGHT,
      x: signedAxis(x, `BTC's move after ${horizon}, percent`),
      y: signedAxis(y, `Card's move after ${horizon}, percent`),
      marks: [
        many ? squares(inside, x, y) : inside.map((pair) => oneDot(pair, x, y)),
        sameAsBtc(x, y, Math.max(left, bottom), Math.min(right, top)),
      ],
    }),
    html`<p class="note">${many ? `The stronger a square's colour, the more of the ${count(inside.length)} outcomes lie in it.` : 'One dot an outcome, in the colour of its screener type.'}${outside > 0 && ` ${count(outside)} more ${outside === 1 ? 'lies' : 'lie'} outside the picture.`}</p>
`,
  ];
}

function oneDot({ id, symbol, colour, move, btc }: Pair, x: Scale, y: Scale): Markup {
  return dot(
    x(btc),
    HEIGHT * (1 - y(move)),
    3,
    `k${colour} faint`,
    `${symbol}, card ${id}: ${signed(move)} %, BTC ${signed(btc)} %`,
  );
}

/** Where a move is BTC's own. */
function sameAsBtc(x: Scale, y: Scale, from: number, to: number): Markup | undefined {
  if (to <= from) return undefined;
  return html`<line class="same" x1="${x(from) * 100}%" y1="${HEIGHT * (1 - y(from))}" x2="${x(to) * 100}%" y2="${HEIGHT * (1 - y(to))}"/>`;
}

function squares(pairs: readonly Pair[], x: Scale, y: Scale): Markup[] {
  const cells = new Map<number, number>();
  for (const { move, btc } of pairs) {
    const column = Math.min(COLUMNS - 1, Math.floor(x(btc) * COLUMNS));
    const row = Math.min(ROWS - 1, Math.floor((1 - y(move)) * ROWS));
    const cell = row * COLUMNS + column;
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }
  const most = max(cells.values()) ?? 1;
  return [...cells]
    .sort(([a], [b]) => a - b)
    .map(([cell, size]) => {
      const column = cell % COLUMNS;
      const row = Math.floor(cell / COLUMNS);
      // The root tells one from five as well as a hundred from five hundred.
      const depth = Math.ceil(Math.sqrt(size / most) * 5);
      return bar(
        column / COLUMNS,
        (column + 1) / COLUMNS,
        (row * HEIGHT) / ROWS,
        ((row + 1) * HEIGHT) / ROWS,
        `d${depth}`,
        `${count(size)} ${size === 1 ? 'outcome' : 'outcomes'}`,
      );
    });
}

/** Bands of BTC's move that hold a fifth of the outcomes each. */
const BANDS = [0, 0.2, 0.4, 0.6, 0.8, 1];

function bands(pairs: readonly Pair[]): string[][] {
  const btc = sortedOf(pairs.map((pair) => pair.btc));
  const edges = [...new Set(BANDS.map((share) => quantile(btc, share)))];
  return edges.slice(0, -1).map((low, index) => {
    const high = edges[index + 1] ?? low;
    const isLast = index === edges.length - 2;
    const inside = pairs.filter((pair) => pair.btc >= low && (pair.btc < high || (isLast && pair.btc === high)));
    const decided = inside.filter((pair) => pair.move !== pair.btc);
    const above = decided.filter((pair) => pair.move > pair.btc).length;
    return [
      `${signed(low)} to ${signed(high)}`,
      count(inside.length),
      signed(median(inside, (pair) => pair.move) ?? 0),
      decided.length === 0 ? '' : percent(above / decided.length),
    ];
  });
}
