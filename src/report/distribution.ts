import { bisectLeft, bisectRight, max } from 'd3-array';
import { quantile, type Sorted, sortedOf } from '../outcomes/quantile.ts';
import type { Move } from '../outcomes/row.ts';
import { central, countAxis, signedAxis } from './axis.ts';
import { count, counted, percent, signed } from './format.ts';
import { html, type Markup } from './markup.ts';
import { bar, plot, rule } from './plot.ts';
import { note, outside, section } from './section.ts';

const HEIGHT = 170;
/** The share of the moves that the picture spans; the rest is said in words. */
const SPAN = 0.99;
const BINS = 36;

interface Horizon {
  /** `1 h` or `24 h`. */
  readonly name: string;
  /** Percent. */
  readonly moves: Sorted;
}

/** How the moves are spread, a histogram for each horizon that has any. */
export function distributionSection(afterHour: readonly Move[], afterDay: readonly Move[]): Markup {
  const horizons = [
    { name: '1 h', moves: sortedOf(afterHour.map(({ move }) => move)) },
    { name: '24 h', moves: sortedOf(afterDay.map(({ move }) => move)) },
  ].filter(({ moves }) => moves.length > 0);
  const drawn = horizons.map(histogram);
  return section({
    id: 'spread',
    title: 'How the moves are spread',
    says: horizons.length === 0 ? 'No move is measured yet.' : horizons.map(saysOf).join(' '),
    picture: drawn.map(({ picture }) => picture),
    numbers: { head: ['Horizon', 'From, %', 'To, %', 'Outcomes'], rows: drawn.flatMap(({ rows }) => rows) },
  });
}

function histogram({ name, moves }: Horizon): { readonly picture: Markup; readonly rows: readonly string[][] } {
  const x = signedAxis(`Move after ${name}, percent`, central(moves, SPAN));
  const edges = [x.low, ...x.ticksAt(BINS).filter((edge) => edge > x.low && edge < x.high), x.high];
  const bins = edges.slice(1).flatMap((high, index) => {
    const low = edges[index] ?? 0;
    // The last one holds its upper end, too.
    const end = high === x.high ? bisectRight(moves, high) : bisectLeft(moves, high);
    const size = end - bisectLeft(moves, low);
    return size > 0 ? [{ low, high, size }] : [];
  });
  const y = countAxis('Outcomes', max(bins, ({ size }) => size) ?? 0, HEIGHT);
  const median = quantile(moves, 0.5);
  const middle = x.at(median);
  // Above the bars, on the side where there is room.
  const [shift, anchor] = middle > 0.6 ? [-5, 'end'] : [5, 'start'];
  const picture = html`<h3>After ${name}</h3>
${plot({
  label: `Histogram of ${count(moves.length)} moves after ${name}`,
  height: HEIGHT,
  x,
  y,
  marks: [
    bins.map(({ low, high, size }) => {
      const title = `${signed(low)} to ${signed(high)} %: ${counted(size, 'outcome')}`;
      return bar(x.at(low) + 0.0008, x.at(high) - 0.0008, y.at(size), HEIGHT, 'bar move', title);
    }),
    rule(middle, -14, middle, HEIGHT, 'median'),
    html`<text class="tick" x="${middle * 100}%" dx="${shift}" y="-5" text-anchor="${anchor}">median ${signed(median)} %</text>`,
  ],
})}${note(outside(bisectLeft(moves, x.low) + moves.length - bisectRight(moves, x.high), 'outcome'))}`;
  return {
    picture,
    rows: bins.map(({ low, high, size }) => [`after ${name}`, signed(low), signed(high), count(size)]),
  };
}

function saysOf({ name, moves }: Horizon): string {
  const up = (moves.length - bisectRight(moves, 0)) / moves.length;
  const [low, high] = central(moves, 0.5);
  return `After ${name}, ${percent(up)} of ${counted(moves.length, 'move')} were upwards; half of all lie between ${signed(low)} and ${signed(high)} %.`;
}
