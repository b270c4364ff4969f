/** Differences with their intervals, a line each on one axis that all share, with their numbers and words beside them. */
import { axisOf } from '../output/views/interval-axis.ts';
import type { Interval } from '../statistics/quantile.ts';
import { MARGIN, type Word } from '../statistics/rule.ts';
import { between, breakable, html, label, type Markup, note, signed } from './markup.ts';
import { dot, type NumberAxis, rule, signedAxis, ticksAcross, verdictLook } from './plot.ts';

/** Percentage points. */
export interface ForestRow {
  /** A text of the service, at any length. */
  readonly name: string;
  /** It gives the row its colour. */
  readonly word: Word | null;
  /** Empty if there is none. */
  readonly verdict: string;
  readonly median: number | null;
  /** The 95 % interval; null: nothing is drawn. */
  readonly interval: Interval | null;
  /** The wider one, by which above and below are given. */
  readonly sureInterval: Interval | null;
  /** Whether it rests on few blocks of days. */
  readonly isWeak: boolean;
  /** What else there is to say, in the cells and lines of the row. */
  readonly about: Markup;
}

interface ForestWords {
  /** What the rows are, for a reader who cannot see them. */
  readonly label: string;
  /** The level of the wider intervals: `99.7 %`. */
  readonly sureLevel: string;
  /** How the picture decides. */
  readonly rule: string;
  /** What lies left and right of zero: `below`, `above`. */
  readonly sides: readonly [left: string, right: string];
}

/** Pixels from the top of a line to its marks. */
const MIDDLE = 18;

export function forest(rows: readonly ForestRow[], words: ForestWords): Markup {
  const { low, high } = axisOf(rows, 0);
  const axis = signedAxis([low, high]);
  const drawn = rows.filter(({ interval }) => interval !== null);
  const look = drawn.length === 0 ? 'forest bare' : 'forest';
  return html`<div class="${look}">${scaleOf(axis, words)}
<ul aria-label="${words.label}">
${rows.map((row) => rowMarkup(row, axis))}</ul>
${drawn.length > 0 && marksNote(drawn, axis, words)}</div>
`;
}

/** The axis above the rows, and which of its sides is which. */
function scaleOf(axis: NumberAxis, { sides: [left, right] }: ForestWords): Markup {
  const zero = axis.at(0);
  const below = zero > 0.2 && side(`← ${left}`, zero, 12, -8);
  const above = zero < 0.8 && side(`${right} →`, zero, 12, 8);
  const picture = html`<svg width="100%" height="42">${below}${above}${ticksAcross(axis, 18)}</svg>`;
  return html`<div class="scale" aria-hidden="true">${picture}</div>`;
}

function marksNote(
  drawn: readonly ForestRow[],
  axis: NumberAxis,
  { sureLevel, rule: ruleWords }: ForestWords,
): Markup | false {
  const goesOn = drawn.some((row) => isBeyondLeft(row, axis) || isBeyondRight(row, axis));
  return note(
    `Thick line: 95 % interval of the median. Thin: ${sureLevel}. Grey band: within ±${MARGIN} points.`,
    ruleWords,
    drawn.some(({ isWeak }) => isWeak) && 'Dotted: fewer than twelve blocks of days.',
    goesOn && '◂ ▸: the line goes on beyond the picture.',
  );
}

/** Words `by` pixels beside a place on the axis. */
function side(text: string, at: number, y: number, by: number): Markup {
  const anchor = by < 0 ? 'end' : 'start';
  return html`<text class="tick" x="${at * 100}%" dx="${by}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

function rowMarkup(row: ForestRow, axis: NumberAxis): Markup {
  const { name, word, verdict, median, interval, about } = row;
  const value =
    interval !== null &&
    html`<b>${signed(median)}</b> <span class="range">${between(interval, '')}</span>`;
  return html`<li${verdictLook(word)}>
<div class="name"><b>${breakable(label(name))}</b></div>
<svg class="draw" aria-hidden="true" width="100%">${marksOf(row, axis)}</svg>
<div class="value">${value}</div>
<div class="verdict">${verdict !== '' && html`<span>${verdict}</span>`}</div>
${about}</li>
`;
}

/** The band and zero behind, both intervals, and the median on them. */
function marksOf(row: ForestRow, axis: NumberAxis): Markup {
  const { name, median, interval, sureInterval, isWeak } = row;
  const zero = rule(axis.at(0), 0, axis.at(0), '100%', 'zero');
  const thin = intervalMark(sureInterval, axis, 'iv thin');
  const thick = intervalMark(interval, axis, isWeak ? 'iv weak' : 'iv');
  const left = isBeyondLeft(row, axis) && side('◂', 0, MIDDLE + 4, -1);
  const right = isBeyondRight(row, axis) && side('▸', 1, MIDDLE + 4, 1);
  const title = `${label(name)}: ${signed(median)}, ${between(interval)}`;
  const point =
    interval !== null && median !== null && dot(axis.at(median), MIDDLE, 5, 'own', title);
  return html`${bandOf(axis)}${zero}${thin}${thick}${left}${right}${point}`;
}

function intervalMark(range: Interval | null, axis: NumberAxis, look: string): Markup | false {
  return range !== null && rule(axis.at(range.low), MIDDLE, axis.at(range.high), MIDDLE, look);
}

const widest = ({ interval, sureInterval }: ForestRow): Interval | null => sureInterval ?? interval;

function isBeyondLeft(row: ForestRow, axis: NumberAxis): boolean {
  return (widest(row)?.low ?? axis.low) < axis.low;
}

function isBeyondRight(row: ForestRow, axis: NumberAxis): boolean {
  return (widest(row)?.high ?? axis.high) > axis.high;
}

/** Within it, a difference is not worth a word. */
function bandOf(axis: NumberAxis): Markup {
  const left = axis.at(-MARGIN);
  const width = axis.at(MARGIN) - left;
  return html`<rect class="band" x="${left * 100}%" width="${width * 100}%" y="0" height="100%"/>`;
}
