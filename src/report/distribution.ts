import { bin, max, mean } from 'd3-array';
import { bar, upright } from './marks.ts';
import { html, type Markup } from './markup.ts';
import { plot } from './plot.ts';
import { central, count, countAxis, countScale, percent, signed, signedAxis, signedScale } from './scales.ts';
import { section } from './section.ts';

export interface Moves {
  /** `1 h` or `24 h`. */
  readonly horizon: string;
  /** Measured moves in percent. */
  readonly moves: readonly number[];
}

const HEIGHT = 170;
/** The share of the moves that the picture spans; the rest is said in words. */
const SPAN = 0.99;
const BINS = 36;

/** How the moves are spread, a histogram for each horizon that has any. */
export function distributionSection(horizons: readonly Moves[]): Markup {
  const filled = horizons.filter(({ moves }) => moves.length > 0);
  const drawn = filled.map(histogramOf);
  return section({
    id: 'spread',
    title: 'How the moves are spread',
    says: filled.length === 0 ? 'No move is measured yet.' : filled.map(saysOf).join(' '),
    picture: drawn.map(({ picture }) => picture),
    numbers: {
      head: ['Horizon', 'From, %', 'To, %', 'Outcomes'],
      rows: drawn.flatMap(({ rows }) => rows),
    },
  });
}

function histogramOf({ horizon, moves }: Moves) {
  const [low, high] = central(moves, SPAN);
  const scale = signedScale([low, high], 7);
  const [from = 0, to = 1] = scale.domain();
  const inside = moves.filter((move) => move >= from && move <= to);
  const bins = bin().domain([from, to]).thresholds(scale.ticks(BINS))(inside);
  const counts = countScale(max(bins, ({ length }) => length) ?? 0);
  const [middle] = central(moves, 0);
  const outside = moves.length - inside.length;
  const picture = html`<h3>After ${horizon}</h3>
${plot({
  label: `Histogram of ${count(moves.length)} moves after ${horizon}`,
  height: HEIGHT,
  x: signedAxis(scale, `Move after ${horizon}, percent`, 7),
  y: countAxis(counts, 'Outcomes'),
  marks: [
    bins.map((one) => {
      const { x0 = 0, x1 = 0, length } = one;
      const title = `${signed(x0)} to ${signed(x1)} %: ${count(length)} outcomes`;
      return (
        length > 0 &&
        bar(scale(x0) + 0.0008, scale(x1) - 0.0008, HEIGHT * (1 - counts(length)), HEIGHT, 'bar move', title)
      );
    }),
    upright(scale(middle), 0, HEIGHT, 'median'),
    html`<text class="tick" x="${scale(middle) * 100}%" dx="5" y="10">median ${signed(middle)} %</text>`,
  ],
})}${outside > 0 && html`<p class="note">${outside === 1 ? 'One outcome lies' : `${count(outside)} outcomes lie`} outside the picture.</p>\n`}`;
  const rows = bins
    .filter(({ length }) => length > 0)
    .map((one) => [`after ${horizon}`, signed(one.x0 ?? 0), signed(one.x1 ?? 0), count(one.length)]);
  return { picture, rows };
}

function saysOf({ horizon, moves }: Moves): string {
  const up = mean(moves, (move) => Number(move > 0)) ?? 0;
  const [low, high] = central(moves, 0.5);
  return `After ${horizon}, ${percent(up)} of ${count(moves.length)} moves were upwards; half of all lie between ${signed(low)} and ${signed(high)} %.`;
}
