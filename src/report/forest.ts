/**
 * A forest plot. It has a row for each group. In the row a dot shows the group's difference, and a line the interval of the
 * difference; beside them stand the figures. All rows and columns share one axis. A legend above the rows says what the marks
 * mean.
 */
import { NONE } from '../output/format.ts';
import { axisOf } from '../output/views/interval-axis.ts';
import type { Interval } from '../statistics/quantile.ts';
import { MARGIN, type Verdict } from '../statistics/rule.ts';
import { breakable, html, intervalText, label, type Markup, signedFigure } from './markup.ts';
import {
  dot,
  dotItem,
  exactAxis,
  legend,
  legendItem,
  line,
  lineItem,
  type NumberAxis,
  ticksAcross,
  uprightItem,
  verdictClass,
} from './plot.ts';

/** A dot of a row with its lines. Differences are percentage points. */
export interface ForestMark {
  /** The verdict that gives the mark its colour. */
  readonly verdict: Verdict | null;
  /** Where the dot is. */
  readonly median: number | null;
  /** The thick line: the interval at the level of the picture. Null if the dot stands alone, as the service's medians do. */
  readonly interval: Interval | null;
  /** The thin line: the wider interval, which decides the verdict. */
  readonly sureInterval?: Interval | 'unbounded' | undefined;
  /** Words beside the figures of the mark: `70 % beat BTC`. Left out or empty if there are none. */
  readonly says?: string;
}

/** A type, or some of its cards. */
export interface ForestRow {
  /** A text of the service, at any length. */
  readonly name: string;
  /** The verdict that gives the words below the name their colour. */
  readonly verdict: Verdict | null;
  /** Words below the name: `above since 24 Sep`; empty if there are none. */
  readonly belowName: string;
  /** Which cards the row counts: `only cards since its settings changed, 29 Sep`; empty if it counts all. */
  readonly remark: string;
  /** A mark for each column of the picture, in the order of the columns; undefined if the row has no mark there. */
  readonly marks: readonly (ForestMark | undefined)[];
  /** How many cards there are, or other counts. */
  readonly size?: Markup | false;
  /** A list of facts below the row. */
  readonly details?: Markup | false;
}

/** Rows that have a heading together. */
export interface ForestGroup {
  /** Empty if there is only one group: it needs none. */
  readonly heading: string;
  readonly rows: readonly ForestRow[];
}

/** A comparison that each row draws. */
export interface ForestColumn {
  /** `vs your other cards` */
  readonly title: string;
  /** What lies left and right of zero: `below`, `above`. */
  readonly sides: readonly [left: string, right: string];
}

/** What the picture says of its rows, columns and marks. */
export interface ForestWords {
  /** What the rows are, for a reader who cannot see them. */
  readonly label: string;
  readonly columns: readonly ForestColumn[];
  /** What a dot is: `median`. */
  readonly point: string;
  /** The level of the intervals beside the figures. */
  readonly level: '95 %' | '99 %';
  /** What stands above the counts at the end of the rows: `cards a day; outcomes`. */
  readonly size?: string;
  /** The level of the wider intervals: `99.7 %`. Left out if no row has one. */
  readonly sureLevel?: string | undefined;
  /** How the picture decides, in a sentence; empty if it decides nothing. */
  readonly decides: string;
  /** Whether a picture further up the page says what a dot, the 95 % interval and the band mean. Then this picture does not. */
  readonly hasLegendAbove: boolean;
}

/** Pixels from the top of a row to its dots and lines. */
const MIDDLE = 18;

export function forest(groups: readonly ForestGroup[], words: ForestWords): Markup {
  const rows = groups.flatMap((group) => group.rows);
  const marks = rows.flatMap((row) => row.marks).filter((mark) => mark !== undefined);
  // Dots alone make no picture: without any line the rows show figures only.
  const withLine = marks.filter((mark) => isInPicture(mark) && mark.interval !== null);
  const { low, high } = axisOf(withLine.map(bounded), 0);
  const axis = exactAxis(low, high);
  const isDrawn = withLine.length > 0;
  const className = isDrawn ? `of-${words.columns.length}` : 'bare';
  return html`<div class="frame forest ${className}">
${isDrawn && legendOf(withLine, axis, words)}${isDrawn && scaleOf(axis, words)}
${groups.map((group) => groupMarkup(group, isDrawn ? axis : undefined, words))}</div>
`;
}

/** Whether the mark is drawn. After too few days there is no verdict that a picture could show. */
function isInPicture({ verdict }: ForestMark): boolean {
  return verdict !== 'too_few_days';
}

/** The mark without an unbounded interval: such an interval would make the axis endless. */
function bounded({ median, interval, sureInterval }: ForestMark) {
  return { median, interval, sureInterval: typeof sureInterval === 'object' ? sureInterval : null };
}

/** What the marks mean, each beside a sample of it, and how the picture decides. */
function legendOf(
  withLine: readonly ForestMark[],
  axis: NumberAxis,
  words: ForestWords,
): Markup | undefined {
  const { point, level, sureLevel, decides, hasLegendAbove } = words;
  const goesOn = withLine.some((mark) => isBeyondLeft(mark, axis) || isBeyondRight(mark, axis));
  const isLevelExplained = hasLegendAbove && level === '95 %';
  const samples = [
    !hasLegendAbove && legendItem(point, dotItem('own')),
    !isLevelExplained && legendItem(`${level} sure: the true value lies here`, lineItem('iv')),
    sureLevel !== undefined && legendItem(`${sureLevel} sure`, lineItem('iv thin')),
    !hasLegendAbove && legendItem(bandWords(axis), BAND_SAMPLE),
    goesOn && html`<span>◂ ▸ the line goes on</span>`,
  ].filter((part) => part !== false);
  const isEmpty = samples.length === 0 && decides === '';
  return isEmpty ? undefined : legend(samples, decides);
}

/** The band with the line at 0 in its middle, as rows draw it. */
const BAND_SAMPLE = html`<rect class="band" x="35%" width="30%" height="12"/>${uprightItem('zero')}`;

/** The width in pixels of one of two pictures side by side, in a window of 900 pixels. */
const NARROWEST_COLUMN = 125;

/** The width in pixels from which on the band is seen behind the line at 0, which is 1 pixel wide. */
const LEAST_BAND = 3;

function bandWords(axis: NumberAxis): string {
  const words = `within ${MARGIN} pp of 0`;
  const shareOfAxis = axis.at(MARGIN) - axis.at(-MARGIN);
  const width = NARROWEST_COLUMN * shareOfAxis;
  return width < LEAST_BAND ? `${words}: here hardly wider than the line at 0` : words;
}

/** Above the rows: the title of each column, and its axis. */
function scaleOf(axis: NumberAxis, { columns, point, level, size }: ForestWords): Markup {
  const scales = columns.map(({ title, sides: [left, right] }, i) => {
    const zero = axis.at(0);
    const hasRoomLeft = zero > LEAST_ROOM;
    const hasRoomRight = zero < 1 - LEAST_ROOM;
    const below = hasRoomLeft && labelBeside(`← ${left}`, zero, 12, -8);
    const above = hasRoomRight && labelBeside(`${right} →`, zero, 12, 8);
    const className = `scale-${i + 1}`;
    return html`<div class="${className}"><b>${title}</b><svg width="100%" height="42">${below}${above}${ticksAcross(axis, 18)}</svg></div>
<div class="figures">${point}, ${level}</div>`;
  });
  return html`<div class="scale" aria-hidden="true">${scales}<div class="size">${size}</div></div>`;
}

/** The room that `← below` needs beside the line at 0, as a fraction of the axis. */
const LEAST_ROOM = 0.2;

/**
 * Words beside a place on the axis.
 * @param place a fraction of the axis
 * @param offset pixels from the place. If it is below 0, the words stand to the left of the place, otherwise to the right
 */
function labelBeside(text: string, place: number, y: number, offset: number): Markup {
  const anchor = offset < 0 ? 'end' : 'start';
  return html`<text class="tick" x="${place * 100}%" dx="${offset}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

/** @param axis undefined if the picture draws nothing: then rows have figures alone */
function groupMarkup(group: ForestGroup, axis: NumberAxis | undefined, words: ForestWords): Markup {
  const { heading, rows } = group;
  const title = heading !== '' && html`<h3>${heading}</h3>\n`;
  const listLabel = heading === '' ? words.label : heading;
  return html`${title}<ul aria-label="${listLabel}">
${rows.map((row) => rowMarkup(row, axis, words))}</ul>
`;
}

function rowMarkup(row: ForestRow, axis: NumberAxis | undefined, { columns }: ForestWords): Markup {
  const { name, verdict, belowName, remark, marks, size, details } = row;
  const cells = marks.map((mark, i) => {
    const title = columns[i]?.title ?? '';
    return markCells(name, mark, { column: i + 1, title, axis });
  });
  const verdictInWords = belowName !== '' && html`<span>${belowName}</span>`;
  const whichCards = remark !== '' && html`<span class="range">${remark}</span>`;
  return html`<li${verdictClass(verdict)}>
<div class="name"><b>${breakable(label(name))}</b></div>
<div class="verdict">${verdictInWords}${whichCards}</div>
${cells}<div class="size">${size}</div>
${details}</li>
`;
}

/** Where a mark is drawn. */
interface PlaceOfMark {
  /** The number of its column, from 1 on. */
  readonly column: number;
  /** The title of the column. */
  readonly title: string;
  /** Undefined if the picture draws nothing. */
  readonly axis: NumberAxis | undefined;
}

/** Two cells of a row: the mark drawn on the axis, and its figures. @param name of the row */
function markCells(
  name: string,
  mark: ForestMark | undefined,
  { column, title, axis }: PlaceOfMark,
): Markup {
  const className = verdictClass(mark?.verdict ?? null);
  const picture =
    axis !== undefined &&
    html`<svg class="draw draw-${column}" aria-hidden="true" width="100%"><g${className}>${marksMarkup(name, mark, axis)}</g></svg>`;
  return html`${picture}
<div class="value value-${column}">${mark !== undefined && figuresText(mark, title)}</div>
`;
}

/** `+0.97 pp`, and below it `+0.40 to +1.54`. @param title what the figures are compared with, for screen readers */
function figuresText({ verdict, median, interval, says = '' }: ForestMark, title: string): Markup {
  const figure = median === null ? NONE : `${signedFigure(median)} pp`;
  const words = says !== '' && html`<span class="range">${says}</span>`;
  const whom = html`<span class="whom">${title}</span>`;
  if (interval === null) return html`${figure} ${whom} ${words}`;
  return html`<b${verdictClass(verdict)}>${figure}</b> ${whom} <span class="range">${intervalText(interval)}</span> ${words}`;
}

/** The marks of a row, from back to front: the band, the line at 0, the thin and the thick interval, the dot. */
function marksMarkup(name: string, mark: ForestMark | undefined, axis: NumberAxis): Markup {
  const zero = line(axis.at(0), 0, axis.at(0), '100%', 'zero');
  if (mark === undefined || !isInPicture(mark)) return html`${bandOf(axis)}${zero}`;
  const { median, interval } = mark;
  // Without a wider interval the thin line is as long as the thick one, which hides it.
  const thin = intervalMark(widest(mark), axis, 'iv thin');
  const thick = intervalMark(interval, axis, 'iv');
  const left = isBeyondLeft(mark, axis) && labelBeside('◂', 0, MIDDLE + 4, -1);
  const right = isBeyondRight(mark, axis) && labelBeside('▸', 1, MIDDLE + 4, 1);
  const range = interval === null ? '' : `, ${intervalText(interval)}`;
  const title = `${label(name)}: ${signedFigure(median)} pp${range}`;
  const isOnAxis = median !== null && median >= axis.low && median <= axis.high;
  const point = isOnAxis && dot(axis.at(median), MIDDLE, 'own', title);
  return html`${bandOf(axis)}${zero}${thin}${thick}${left}${right}${point}`;
}

function intervalMark(range: Interval | null, axis: NumberAxis, className: string): Markup | false {
  return range !== null && line(axis.at(range.low), MIDDLE, axis.at(range.high), MIDDLE, className);
}

/** The interval of the longest line of the mark: the thin one, otherwise the thick one; null without a line. */
function widest({ interval, sureInterval }: ForestMark): Interval | null {
  if (interval === null) return null;
  return sureInterval === 'unbounded' ? UNBOUNDED : (sureInterval ?? interval);
}

const UNBOUNDED: Interval = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

function isBeyondLeft(mark: ForestMark, axis: NumberAxis): boolean {
  return (widest(mark)?.low ?? axis.low) < axis.low;
}

function isBeyondRight(mark: ForestMark, axis: NumberAxis): boolean {
  return (widest(mark)?.high ?? axis.high) > axis.high;
}

/** The band within 0.1 pp of 0: a difference in it is too small for a verdict. */
function bandOf(axis: NumberAxis): Markup {
  const left = axis.at(-MARGIN);
  const width = axis.at(MARGIN) - left;
  return html`<rect class="band" x="${left * 100}%" width="${width * 100}%" y="0" height="100%"/>`;
}
