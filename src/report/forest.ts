/** The comparison that decides, a line a type on one axis, each with its numbers and verdict beside it. */
import { isWeak } from '../outcomes/figure-table.ts';
import type { Comparison } from '../outcomes/figures.ts';
import type { Standing } from '../outcomes/standing.ts';
import { axisOf, marksShown } from '../output/views/interval-axis.ts';
import { hasVerdict, verdictText } from '../output/views/verdict.ts';
import type { Interval } from '../statistics/quantile.ts';
import { between, breakable, html, label, type Markup, note, signed } from './markup.ts';
import { dot, type NumberAxis, rule, signedAxis, ticksAcross, verdictLook } from './plot.ts';

/** Pixels from the top of a line to its marks. */
const MIDDLE = 18;

/** @param comparison what was tested together, which widens the intervals @param about what else there is to say */
export function forest(
  standings: readonly Standing[],
  { comparisons: tested, least_percentage_points: least }: Comparison,
  about: (standing: Standing) => Markup,
): Markup {
  const bases = standings.map(({ base }) => base);
  const { low, high } = axisOf(bases, 0);
  const axis = signedAxis([low, high]);
  const drawn = standings.filter(({ base }) => base.interval !== null);
  const marks = marksShown(drawn, axis);
  const zero = axis.at(0);
  const rows = standings.map((one) =>
    row(one, hasVerdict(one) && verdictText(one, least), axis, about(one)),
  );
  return html`<div class="forest${drawn.length === 0 && ' bare'}"><div class="scale" aria-hidden="true"><svg width="100%" height="42">${zero > 0.2 && side('← below', zero, 12, -8)}${zero < 0.8 && side('above →', zero, 12, 8)}${ticksAcross(axis, 18)}</svg></div>
<ul aria-label="Screener types after 24 h">
${rows}</ul>
${note(
  drawn.length > 0 && 'Thick line: 95 % interval of the median.',
  drawn.length > 0 && tested > 1 && `Thin: wider, because ${tested} are tested.`,
  drawn.some(isWeak) && 'Dotted: fewer than twelve blocks of days.',
  drawn.some(({ base }) => base.isWide) &&
    `No difference: the 90 % interval lies within ±${least} points.`,
  (marks.left || marks.right) && '◂ ▸: the line goes on beyond the picture.',
)}</div>
`;
}

/** Words `by` pixels beside a place on the axis. */
const side = (text: string, at: number, y: number, by: number): Markup =>
  html`<text class="tick" x="${at * 100}%" dx="${by}" y="${y}" text-anchor="${by < 0 ? 'end' : 'start'}">${text}</text>`;

function row(standing: Standing, said: string | false, axis: NumberAxis, about: Markup): Markup {
  const { group, base, word } = standing;
  const { median, interval, widened } = base;
  const name = label(group);
  const drawn = (range: Interval | null, look: string) =>
    range !== null && rule(axis.at(range.low), MIDDLE, axis.at(range.high), MIDDLE, look);
  const { low, high } = widened ?? interval ?? axis;
  return html`<li${verdictLook(word)}>
<div class="name"><b>${breakable(name)}</b></div>
<svg class="draw" aria-hidden="true" width="100%">${rule(axis.at(0), 0, axis.at(0), '100%', 'zero')}${drawn(widened, 'iv thin')}${drawn(interval, isWeak(standing) ? 'iv weak' : 'iv')}${low < axis.low && side('◂', 0, MIDDLE + 4, -1)}${high > axis.high && side('▸', 1, MIDDLE + 4, 1)}${
    interval !== null &&
    median !== null &&
    dot(axis.at(median), MIDDLE, 5, 'own', `${name}: ${signed(median)}, ${between(interval)}`)
  }</svg>
<div class="value">${interval !== null && html`<b>${signed(median)}</b> <span class="range">${between(interval, '')}</span>`}</div>
<div class="verdict">${said !== false && html`<span>${said}</span>`}</div>
${about}</li>
`;
}
