/**
 * Axes, and marks at places on them. A place from left to right is a fraction of the width, because a picture grows with the
 * window, though its texts do not. A place from top to bottom is in pixels from above.
 */
import { extent } from 'd3-array';
import { type ScaleLinear, scaleLinear, scaleUtc } from 'd3-scale';
import { DAY } from '../base/units.ts';
import { dayAndMonth } from '../output/format.ts';
import { isSide, type Verdict } from '../statistics/rule.ts';
import { breakable, html, Markup, type MarkupPart, signedFigure } from './markup.ts';

/** The height of every picture, pixels. */
export const HEIGHT = 120;

/** The places of the smallest and the largest figure. */
type Ends = readonly [number, number];
const ACROSS: Ends = [0, 1];
export const UPRIGHT: Ends = [HEIGHT, 0];

export interface Axis {
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** The place of zero; absent on an axis of days. */
  readonly zero?: number;
}

/** About how many ticks an axis has. Its ends are rounded to whole steps between ticks. */
const TICKS = 4;

/** An axis of figures. */
export interface NumberAxis extends Axis {
  readonly zero: number;
  /** The figures at its ends. */
  readonly low: number;
  readonly high: number;
  /** The place of a figure. A figure beyond the axis is drawn at its end. */
  readonly at: (value: number) => number;
}

/** An axis of times. */
export interface DayAxis extends Axis {
  /** The place of a time, epoch milliseconds UTC. */
  readonly at: (time: number) => number;
}

/** An axis of signed figures that is long enough for zero and for all of `values`. */
export function signedAxis(values: Iterable<number>, places = ACROSS): NumberAxis {
  const [low = 0, high = 0] = extent([0, ...values]);
  const domain = high > low ? [low, high] : [-1, 1];
  return axisOfScale(scaleLinear(domain, places).nice(TICKS), signedFigure);
}

/** An axis that begins at `low` and ends at `high`: ends rounded to ticks would take room from the marks. */
export function exactAxis(low: number, high: number): NumberAxis {
  return axisOfScale(scaleLinear([low, high], ACROSS), signedFigure);
}

/** An axis from 0 to `most` or more. */
export function countAxis(most: number, text: (value: number) => string = String): NumberAxis {
  return axisOfScale(scaleLinear([0, Math.max(TICKS, most)], UPRIGHT).nice(TICKS), text);
}

function axisOfScale(
  linear: ScaleLinear<number, number>,
  text: (value: number, decimals: number) => string,
): NumberAxis {
  const scale = linear.clamp(true);
  const [low = 0, high = 1] = scale.domain();
  const [first = 0, second = 1, ...more] = scale.ticks(TICKS);
  // Ticks are 1, 2 or 5 times a power of ten apart: steps of 2 need no decimal, steps of 0.2 need one, steps of 0.05 two. In
  // binary a step of 0.1 may come out as 0.09999999999999998: without the 1e-9 it would get two decimals.
  const decimals = Math.max(0, -Math.floor(Math.log10(second - first) + 1e-9));
  const ticks = [first, second, ...more].map((value) => ({
    at: scale(value),
    text: text(value, decimals),
  }));
  return { ticks, zero: scale(0), low, high, at: scale };
}

/** An axis of UTC days from midnight to midnight (epoch milliseconds UTC). */
export function dayAxis(first: number, end: number): DayAxis {
  const at = scaleUtc([first, end], ACROSS).clamp(true);
  const isLong = end - first > LONG_TIME;
  const text = isLong ? monthAndYear : dayAndMonth;
  // On an axis of a few days d3 sets several ticks within a day. Each tick is moved to a midnight, and equal ticks become one.
  const starts = at.ticks(TICKS).map((time) => Math.round(Number(time) / DAY) * DAY);
  const days = [...new Set(starts)].filter((day) => day < end);
  return { ticks: days.map((day) => ({ at: at(day), text: text(day) })), at };
}

/** On a longer axis, d3 sets ticks only at the first days of months. Milliseconds. */
const LONG_TIME = 300 * DAY;

/** `Nov 2026` */
function monthAndYear(time: number): string {
  return new Date(time).toUTCString().slice(8, 16);
}

export interface Plot {
  /** What the picture shows, for a reader who cannot see it. */
  readonly label: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: MarkupPart;
}

export function plot({ label, x, y, marks }: Plot): Markup {
  const upright = y.ticks.map(
    ({ at, text }) =>
      html`${line(0, at, 1, at, 'grid')}<text class="tick y" x="0" dx="-8" y="${at}" dy="0.32em" text-anchor="end">${text}</text>`,
  );
  const zeros = [
    x.zero !== undefined && line(x.zero, 0, x.zero, HEIGHT, 'zero'),
    y.zero !== undefined && line(0, y.zero, 1, y.zero, 'zero'),
  ];
  return html`<div class="plot"><svg role="img" aria-label="${label}" width="100%" height="${HEIGHT}">
<g aria-hidden="true">${upright}${ticksAcross(x, HEIGHT)}${zeros}</g>
${marks}</svg></div>
`;
}

/**
 * What the marks of a picture mean. It stands above the picture, within the frame.
 * @param words one more sentence; empty if there is none
 */
export function legend(samples: MarkupPart, words = ''): Markup {
  const hasSamples = !Array.isArray(samples) || samples.length > 0;
  const paragraphs: Markup[] = [];
  if (hasSamples) paragraphs.push(html`<p>${samples}</p>`);
  if (words !== '') paragraphs.push(html`<p>${words}</p>`);
  return html`<div class="key">${paragraphs}</div>
`;
}

/** A mark of a legend, and what it means. */
export function legendItem(words: string, mark: Markup): Markup {
  return html`<span><svg aria-hidden="true" width="28" height="${ITEM_HEIGHT}">${mark}</svg> ${words}</span> `;
}

/** Pixels. */
const ITEM_HEIGHT = 12;

/** A horizontal line in the middle of a legend's item. */
export function lineItem(className: string): Markup {
  return line(0.1, ITEM_HEIGHT / 2, 0.9, ITEM_HEIGHT / 2, className);
}

/** A vertical line in the middle of a legend's item. */
export function uprightItem(className: string): Markup {
  return line(0.5, 0, 0.5, ITEM_HEIGHT, className);
}

/** A dot in the middle of a legend's item. */
export function dotItem(className: string): Markup {
  return dot(0.5, ITEM_HEIGHT / 2, className, '');
}

/** An area as the mark of a legend's item. */
export function swatch(className: string): Markup {
  return html`<rect class="${className}" width="100%" height="${ITEM_HEIGHT}"/>`;
}

export interface Panel extends Plot {
  /** The type, and what is drawn: `pump by oi`. */
  readonly title: string;
  /** The verdict whose colour the marks have; null for grey ones. */
  readonly verdict: Verdict | null;
  /** What stands between the title and the picture. */
  readonly says: MarkupPart;
}

/** Pictures of one kind beside each other, one for each type. */
export function multiples(panels: readonly Panel[]): Markup {
  return html`<div class="multiples">${panels.map(panelMarkup)}</div>
`;
}

function panelMarkup({ title, verdict, says, ...picture }: Panel): Markup {
  const labelled = { ...picture, label: `${title}: ${picture.label}` };
  const caption = html`<figcaption><b>${breakable(title)}</b> ${says}</figcaption>`;
  return html`<figure${verdictClass(verdict)}>${caption}${plot(labelled)}</figure>\n`;
}

/** The ticks of an axis that lies across, below what is drawn. @param top pixels from above */
export function ticksAcross({ ticks }: Axis, top: number): Markup[] {
  return ticks.map(
    ({ at, text }) =>
      html`${line(at, top, at, top + 5, 'grid')}<text class="tick x" x="${at * 100}%" y="${top + 19}" text-anchor="middle">${text}</text>`,
  );
}

export function bar(
  from: number,
  to: number,
  top: number,
  bottom: number,
  className: string,
  title: string,
): Markup {
  return html`<rect class="${className}" x="${from * 100}%" width="${(to - from) * 100}%" y="${top}" height="${bottom - top}"><title>${title}</title></rect>`;
}

export function dot(x: number, y: number, className: string, title: string): Markup {
  return html`<circle class="${className}" cx="${x * 100}%" cy="${y}" r="5"><title>${title}</title></circle>`;
}

export function line(
  x1: number,
  y1: number,
  x2: number,
  y2: number | string,
  className: string,
): Markup {
  return html`<line class="${className}" x1="${x1 * 100}%" y1="${y1}" x2="${x2 * 100}%" y2="${y2}"/>`;
}

/** Words in the picture, centred on a place. */
export function textAt(x: number, y: number, text: string): Markup {
  return html`<text class="words" x="${x * 100}%" y="${y}" text-anchor="middle">${text}</text>`;
}

/**
 * The class that colours marks and words by a verdict. Whatever is neither above nor below is grey. Words always say it, too.
 */
export function verdictClass(verdict: Verdict | null): Markup {
  return new Markup(isSide(verdict) ? ` class="${verdict}"` : '');
}
