/** The comparison that decides, a line a group on one axis, each with its numbers and verdict beside it. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { type Deciding, decidingOf } from '../outcomes/deciding.ts';
import type { GroupFigures } from '../outcomes/figure-table.ts';
import type { Interval } from '../outcomes/types.ts';
import { verdictText } from '../output/views/verdict.ts';
import { type NumberAxis, signedAxis } from './axis.ts';
import { between, signed } from './format.ts';
import { breakable, html, label, type Markup, type Part } from './markup.ts';
import { dot, rule, ticksAcross, verdictLook } from './plot.ts';

interface Line {
  readonly group: GroupFigures;
  readonly about?: Part | undefined;
}

interface Forest {
  readonly name: string;
  /** The smallest difference that matters, percentage points. */
  readonly least: number;
  readonly lines: readonly Line[];
  readonly isCompact?: boolean;
}

const HEIGHT = 30;
const MIDDLE = HEIGHT / 2;

export function forest({ name, least, lines, isCompact = false }: Forest): Markup {
  const all = lines.map(({ group }) => decidingOf(group.horizons[MAIN_HORIZON]));
  const axis = axisOf(all);
  const against = all.some(({ to }) => to === 'others') ? 'your other cards of the day' : 'BTC';
  const scale = html`<div class="scale" aria-hidden="true"><svg width="100%" height="24">${ticksAcross(axis, 0)}</svg></div>`;
  return html`<div class="forest${isCompact && ' compact'}">${scale}
<ul aria-label="${name}">
${lines.map((line) => row(line, least, axis))}</ul>
<p class="unit">Median difference to ${against}, percentage points, with its 95 % interval</p></div>
`;
}

/** An interval may be many times wider than the rest: it is drawn to the edge, and its numbers say where it ends. */
function axisOf(all: readonly Deciding[]): NumberAxis {
  const estimates = all.flatMap(({ median }) => median ?? []);
  const ends = all.flatMap(({ interval }) => (interval === null ? [] : [interval.low, interval.high]));
  const reach = 6 * Math.max(0, ...estimates.map(Math.abs));
  return signedAxis([...estimates, ...ends.filter((end) => reach === 0 || Math.abs(end) <= reach)]);
}

function row({ group, about }: Line, least: number, axis: NumberAxis): Markup {
  const figures = group.horizons[MAIN_HORIZON];
  const { median, interval, widened, verdict } = decidingOf(figures);
  const name = group.group ?? '';
  const edge = (value: number) => axis.at(Math.min(axis.high, Math.max(axis.low, value)));
  const drawn = (range: Interval | null, look: string) =>
    range !== null && rule(edge(range.low), MIDDLE, edge(range.high), MIDDLE, look);
  return html`<li${verdictLook(verdict)}>
<div class="name"><b>${breakable(label(name))}</b></div>
<svg class="draw" aria-hidden="true" width="100%" height="${HEIGHT}">${rule(axis.at(0), 0, axis.at(0), HEIGHT, 'zero')}${drawn(widened, 'iv thin')}${drawn(interval, figures.weak ? 'iv weak' : 'iv')}${
    median !== null && dot(axis.at(median), MIDDLE, 5, 'own', `${label(name)}: ${signed(median)}, ${between(interval)}`)
  }</svg>
<div class="value"><b>${median === null ? 'not measured' : signed(median)}</b>${interval !== null && html` <span class="range">${signed(interval.low)} to ${signed(interval.high)}</span>`}</div>
<div class="verdict"><span>${verdictText(figures, least)}</span></div>
${about !== undefined && html`<div class="about">${about}</div>\n`}</li>
`;
}
