/** The comparison that decides, a line a group on one axis, each with its numbers and verdict beside it. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { decidingOf } from '../outcomes/deciding.ts';
import type { Comparison, GroupFigures } from '../outcomes/figure-table.ts';
import { NONE } from '../output/format.ts';
import { axisOf } from '../output/views/interval-axis.ts';
import { verdictText } from '../output/views/verdict.ts';
import type { Interval } from '../statistics/types.ts';
import { type NumberAxis, signedAxis } from './axis.ts';
import { between, signed } from './format.ts';
import { breakable, html, label, type Markup } from './markup.ts';
import { dot, rule, ticksAcross, verdictLook } from './plot.ts';
import { note } from './section.ts';

interface Forest {
  readonly name: string;
  /** What was tested together, which widens the intervals. */
  readonly comparison: Comparison;
  /** Those of it that are drawn. */
  readonly groups: readonly GroupFigures[];
  /** What else there is to say of a group. */
  readonly about?: (group: GroupFigures) => Markup;
  /** `no card for 22 days`: such a group is not waited for. */
  readonly silenceOf?: (group: GroupFigures) => string | undefined;
}

/** Pixels from the top of a line to its marks. */
const MIDDLE = 18;

export function forest({ name, comparison, groups, about, silenceOf }: Forest): Markup {
  const all = groups.map(({ horizons }) => decidingOf(horizons[MAIN_HORIZON]));
  const { low, high } = axisOf(all, 0);
  const axis = signedAxis([low, high]);
  const { comparisons: tested, least_percentage_points: least } = comparison;
  const drawn = groups.filter((_, i) => all[i]?.interval !== null);
  const zero = axis.at(0);
  const wordsOf = (group: GroupFigures) => verdictText(group.horizons[MAIN_HORIZON], least, silenceOf?.(group));
  const rows = groups.map((group) => row(group, wordsOf(group), least, axis, about?.(group)));
  return html`<div class="forest${about === undefined && ' compact'}${drawn.length === 0 && ' bare'}"><div class="scale" aria-hidden="true"><svg width="100%" height="42">${zero > 0.2 && side('← below', zero, 12, -8)}${zero < 0.8 && side('above →', zero, 12, 8)}${ticksAcross(axis, 18)}</svg></div>
<ul aria-label="${name}">
${rows}</ul>
${note(
  drawn.length > 0 && 'Thick line: 95 % interval of the median.',
  drawn.length > 0 && tested > 1 && `Thin: wider, because ${tested} are tested.`,
  drawn.some(({ horizons }) => horizons[MAIN_HORIZON].weak) && 'Dotted: fewer than twelve blocks of days.',
  rows.some(({ text }) => /[◂▸]/.test(text)) && '◂ ▸: the line goes on beyond the picture.',
)}</div>
`;
}

export function comparedWith(groups: readonly GroupFigures[]): string {
  const isOthers = groups.some(({ horizons }) => decidingOf(horizons[MAIN_HORIZON]).to === 'others');
  return isOthers ? 'your other cards of the same day' : 'BTC';
}

/** Words `by` pixels beside a place on the axis. */
const side = (text: string, at: number, y: number, by: number): Markup =>
  html`<text class="tick" x="${at * 100}%" dx="${by}" y="${y}" text-anchor="${by < 0 ? 'end' : 'start'}">${text}</text>`;

function row(group: GroupFigures, said: string, least: number, axis: NumberAxis, about: Markup | undefined): Markup {
  const figures = group.horizons[MAIN_HORIZON];
  const { median, interval, widened, verdict } = decidingOf(figures);
  const isWide = verdict === 'none' && interval && Math.max(-interval.low, interval.high) > least;
  const name = label(group.group ?? '');
  const edge = (value: number) => axis.at(Math.min(axis.high, Math.max(axis.low, value)));
  const drawn = (range: Interval | null, look: string) =>
    range !== null && rule(edge(range.low), MIDDLE, edge(range.high), MIDDLE, look);
  const { low, high } = widened ?? interval ?? axis;
  return html`<li${verdictLook(verdict)}>
<div class="name"><b>${breakable(name)}</b></div>
<svg class="draw" aria-hidden="true" width="100%">${rule(axis.at(0), 0, axis.at(0), '100%', 'zero')}${drawn(widened, 'iv thin')}${drawn(interval, figures.weak ? 'iv weak' : 'iv')}${low < axis.low && side('◂', 0, MIDDLE + 4, -1)}${high > axis.high && side('▸', 1, MIDDLE + 4, 1)}${
    interval !== null &&
    median !== null &&
    dot(edge(median), MIDDLE, 5, 'own', `${name}: ${signed(median)}, ${between(interval)}`)
  }</svg>
<div class="value">${interval === null ? NONE : html`<b>${signed(median)}</b> <span class="range">${between(interval, '')}</span>`}</div>
<div class="verdict"><span>${isWide ? said.replace(')', ' by its 90 % interval)') : said}</span></div>
${about}</li>
`;
}
