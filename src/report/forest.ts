/** Medians with their intervals, a line a group, on one axis; each with its numbers and verdicts beside it. */
import type { GroupFigures, HorizonFigures } from '../outcomes/figure-table.ts';
import type { HorizonName, Interval } from '../outcomes/types.ts';
import { VERDICT_WORDS } from '../output/views/verdict.ts';
import { type NumberAxis, signedAxis } from './axis.ts';
import { between, signed } from './format.ts';
import { breakable, html, label, type Markup, type Part } from './markup.ts';
import { dot, hue, rule, ticksAcross } from './plot.ts';

interface Line {
  readonly group: GroupFigures;
  /** Below the name and the picture. */
  readonly about?: Part | undefined;
}

interface Forest {
  /** Of the list, for whoever cannot see it. */
  readonly name: string;
  readonly horizon: HorizonName;
  readonly lines: readonly Line[];
  /** Whether a group is a type, which has a colour. */
  readonly ofTypes: boolean;
  /** Each line as low as can be. */
  readonly isCompact?: boolean;
}

const HEIGHT = 30;
const MIDDLE = HEIGHT / 2;

export function forest({ name, horizon, lines, ofTypes, isCompact = false }: Forest): Markup {
  const axis = axisOf(lines.map(({ group }) => group.horizons[horizon]));
  const scale = html`<div class="scale" aria-hidden="true"><svg width="100%" height="24">${ticksAcross(axis, 0)}</svg></div>`;
  return html`<div class="forest${isCompact && ' compact'}">${scale}
<ul aria-label="${name}">
${lines.map((line) => row(line, horizon, axis, ofTypes))}</ul>
<p class="unit">Median difference to BTC's move, percentage points, with its 95 % interval</p></div>
`;
}

/** An interval may be many times wider than the rest: it is drawn to the edge, and its numbers say where it ends. */
function axisOf(all: readonly HorizonFigures[]): NumberAxis {
  const estimates = all.flatMap(({ median_vs_btc_percentage_points: estimate }) => estimate ?? []);
  const ends = all.flatMap(({ median_vs_btc_interval_95: range }) => (range === null ? [] : [range.low, range.high]));
  const reach = 6 * Math.max(0, ...estimates.map(Math.abs));
  return signedAxis([...estimates, ...ends.filter((end) => reach === 0 || Math.abs(end) <= reach)]);
}

function row({ group, about }: Line, horizon: HorizonName, axis: NumberAxis, ofTypes: boolean): Markup {
  const figures = group.horizons[horizon];
  const { median_vs_btc_percentage_points: estimate, median_vs_btc_interval_95: interval, weak } = figures;
  const name = group.group ?? '';
  const edge = (value: number) => axis.at(Math.min(axis.high, Math.max(axis.low, value)));
  const drawn = (range: Interval | null, look: string) =>
    range !== null && rule(edge(range.low), MIDDLE, edge(range.high), MIDDLE, look);
  return html`<li${ofTypes && hue(name)}>
<div class="name"><b>${breakable(label(name))}</b></div>
<svg class="draw" aria-hidden="true" width="100%" height="${HEIGHT}">${rule(axis.at(0), 0, axis.at(0), HEIGHT, 'zero')}${drawn(figures.median_vs_btc_interval_holm, 'iv thin')}${drawn(interval, weak ? 'iv weak' : 'iv')}${
    estimate !== null &&
    dot(axis.at(estimate), MIDDLE, 5, 'own', `${label(name)}: ${signed(estimate)}, ${between(interval)}`)
  }</svg>
<div class="value"><b>${estimate === null ? 'not measured' : signed(estimate)}</b>${interval !== null && html` <span class="range">${signed(interval.low)} to ${signed(interval.high)}</span>`}</div>
<div class="verdict"><span>${verdictText(figures)}</span></div>
${about !== undefined && html`<div class="about">${about}</div>\n`}</li>
`;
}

/** The verdict in words; nothing at a horizon that has none. */
export function verdictText({ shown_verdict: verdict }: HorizonFigures): string {
  return verdict === null ? '' : VERDICT_WORDS[verdict];
}
