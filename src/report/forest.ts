/** The comparison that decides, a line a type on one axis, each with its numbers and verdict beside it. */
import type { Standing } from '../outcomes/standing.ts';
import { axisOf, marksShown } from '../output/views/interval-axis.ts';
import { hasVerdict, RULE, verdictText } from '../output/views/verdict.ts';
import type { Interval } from '../statistics/quantile.ts';
import { MARGIN } from '../statistics/rule.ts';
import { between, breakable, html, label, type Markup, note, signed } from './markup.ts';
import { dot, type NumberAxis, rule, signedAxis, ticksAcross, verdictLook } from './plot.ts';

/** Pixels from the top of a line to its marks. */
const MIDDLE = 18;

/** @param about what else there is to say of a type */
export function forest(
  standings: readonly Standing[],
  about: (standing: Standing) => Markup,
): Markup {
  const { low, high } = axisOf(
    standings.map(({ base }) => base),
    0,
  );
  const axis = signedAxis([low, high]);
  const drawn = standings.filter(({ base }) => base.interval !== null);
  const marks = marksShown(drawn, axis);
  const zero = axis.at(0);
  const rows = standings.map((standing) => row(standing, axis, about(standing)));
  const isAny = drawn.length > 0;
  return html`<div class="forest${!isAny && ' bare'}"><div class="scale" aria-hidden="true"><svg width="100%" height="42">${zero > 0.2 && side('← below', zero, 12, -8)}${zero < 0.8 && side('above →', zero, 12, 8)}${ticksAcross(axis, 18)}</svg></div>
<ul aria-label="Screener types after 24 h">
${rows}</ul>
${note(
  isAny &&
    `Thick line: 95 % interval of the median. Thin: 99.7 %. Grey band: within ±${MARGIN} points.`,
  isAny && RULE,
  drawn.some(({ isWeak }) => isWeak) && 'Dotted: fewer than twelve blocks of days.',
  (marks.left || marks.right) && '◂ ▸: the line goes on beyond the picture.',
)}</div>
`;
}

/** Words `by` pixels beside a place on the axis. */
const side = (text: string, at: number, y: number, by: number): Markup =>
  html`<text class="tick" x="${at * 100}%" dx="${by}" y="${y}" text-anchor="${by < 0 ? 'end' : 'start'}">${text}</text>`;

function row(standing: Standing, axis: NumberAxis, about: Markup): Markup {
  const { group, base, word, isWeak } = standing;
  const { median, interval, sureInterval } = base;
  const name = label(group);
  const drawn = (range: Interval | null, look: string) =>
    range !== null && rule(axis.at(range.low), MIDDLE, axis.at(range.high), MIDDLE, look);
  const { low, high } = sureInterval ?? interval ?? axis;
  const said = hasVerdict(standing) && html`<span>${verdictText(standing)}</span>`;
  const point =
    interval !== null &&
    median !== null &&
    dot(axis.at(median), MIDDLE, 5, 'own', `${name}: ${signed(median)}, ${between(interval)}`);
  const value =
    interval !== null &&
    html`<b>${signed(median)}</b> <span class="range">${between(interval, '')}</span>`;
  return html`<li${verdictLook(word)}>
<div class="name"><b>${breakable(name)}</b></div>
<svg class="draw" aria-hidden="true" width="100%">${band(axis)}${rule(axis.at(0), 0, axis.at(0), '100%', 'zero')}${drawn(sureInterval, 'iv thin')}${drawn(interval, isWeak ? 'iv weak' : 'iv')}${low < axis.low && side('◂', 0, MIDDLE + 4, -1)}${high > axis.high && side('▸', 1, MIDDLE + 4, 1)}${point}</svg>
<div class="value">${value}</div>
<div class="verdict">${said}</div>
${about}</li>
`;
}

/** Within it, a difference is not worth a word. */
function band(axis: NumberAxis): Markup {
  const left = axis.at(-MARGIN);
  return html`<rect class="band" x="${left * 100}%" width="${(axis.at(MARGIN) - left) * 100}%" y="0" height="100%"/>`;
}
