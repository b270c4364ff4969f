/**
 * Axes, and marks at places on them. Across, a place is a fraction of the width, so that text keeps its size; down, it is in
 * pixels from above.
 */
import { extent } from 'd3-array';
import { type ScaleLinear, scaleLinear, scaleUtc } from 'd3-scale';
import { DAY } from '../base/units.ts';
import { dayAndMonth } from '../output/format.ts';
import { isSide, type Word } from '../statistics/rule.ts';
import { breakable, html, Markup, type MarkupPart, signedFigure } from './markup.ts';

/** The height of every picture, pixels. */
export const HEIGHT = 120;

type Ends = readonly [number, number];
const ACROSS: Ends = [0, 1];
export const UPRIGHT: Ends = [HEIGHT, 0];

export interface Axis {
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** Where zero lies; absent where it means nothing. */
  readonly zero?: number;
}

/** About so many ticks, and ends that are round with them. */
const TICKS = 4;

/** An axis of figures. */
export interface NumberAxis extends Axis {
  readonly zero: number;
  /** The figures at its ends. */
  readonly low: number;
  readonly high: number;
  /** From a figure to its place; what lies beyond the axis is drawn at its end. */
  readonly at: (value: number) => number;
}

/** An axis of times. */
export interface DayAxis extends Axis {
  /** From epoch milliseconds UTC to the place. */
  readonly at: (time: number) => number;
}

/** An axis of signed figures that contains zero and `values`; what lies beyond it is drawn at its end. */
export function signedAxis(values: Iterable<number>, places = ACROSS): NumberAxis {
  const [low = 0, high = 0] = extent([0, ...values]);
  return axisOfScale(
    scaleLinear(high > low ? [low, high] : [-1, 1], places).nice(TICKS),
    signedFigure,
  );
}

/** The same with ends as they are given, where round ones would take room from the marks. */
export function closeAxis(low: number, high: number): NumberAxis {
  return axisOfScale(scaleLinear([low, high], ACROSS), signedFigure);
}

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
  // Ticks of a longer time are the first days of months.
  const text =
    end - first > 300 * DAY
      ? (time: number) => new Date(time).toUTCString().slice(8, 16)
      : dayAndMonth;
  // Less than a few days would give ticks within a day.
  const starts = at.ticks(TICKS).map((time) => Math.round(Number(time) / DAY) * DAY);
  const days = [...new Set(starts)].filter((day) => day < end);
  return { ticks: days.map((day) => ({ at: at(day), text: text(day) })), at };
}

export interface Plot {
  /** What a reader who cannot see the picture is told of it. */
  readonly label: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: MarkupPart;
}

export function plot({ label, x, y, marks }: Plot): Markup {
  const upright = y.ticks.map(
    ({ at, text }) =>
      html`${rule(0, at, 1, at, 'grid')}<text class="tick y" x="0" dx="-8" y="${at}" dy="0.32em" text-anchor="end">${text}</text>`,
  );
  const zeros = [
    x.zero !== undefined && rule(x.zero, 0, x.zero, HEIGHT, 'zero'),
    y.zero !== undefined && rule(0, y.zero, 1, y.zero, 'zero'),
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
export function key(samples: MarkupPart, words = ''): Markup {
  const hasSamples = !Array.isArray(samples) || samples.length > 0;
  const paragraphs: Markup[] = [];
  if (hasSamples) paragraphs.push(html`<p>${samples}</p>`);
  if (words !== '') paragraphs.push(html`<p>${words}</p>`);
  return html`<div class="key">${paragraphs}</div>
`;
}

/** A mark, and what it means. */
export function sample(words: string, mark: Markup): Markup {
  return html`<span><svg aria-hidden="true" width="28" height="12">${mark}</svg> ${words}</span> `;
}

/** The sample of an area. */
export function swatch(look: string): Markup {
  return html`<rect class="${look}" width="100%" height="12"/>`;
}

export interface Panel extends Plot {
  /** A label of the type, and of what is drawn. */
  readonly title: string;
  readonly verdict: Word | null;
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
  return html`<figure${verdictLook(verdict)}>${caption}${plot(labelled)}</figure>\n`;
}

/** The ticks of an axis that lies across, below what is drawn. @param top pixels from above */
export function ticksAcross({ ticks }: Axis, top: number): Markup[] {
  return ticks.map(
    ({ at, text }) =>
      html`${rule(at, top, at, top + 5, 'grid')}<text class="tick x" x="${at * 100}%" y="${top + 19}" text-anchor="middle">${text}</text>`,
  );
}

export function bar(
  from: number,
  to: number,
  top: number,
  bottom: number,
  look: string,
  title: string,
): Markup {
  return html`<rect class="${look}" x="${from * 100}%" width="${(to - from) * 100}%" y="${top}" height="${bottom - top}"><title>${title}</title></rect>`;
}

export function dot(x: number, y: number, radius: number, look: string, title: string): Markup {
  return html`<circle class="${look}" cx="${x * 100}%" cy="${y}" r="${radius}"><title>${title}</title></circle>`;
}

export function rule(
  x1: number,
  y1: number,
  x2: number,
  y2: number | string,
  look: string,
): Markup {
  return html`<line class="${look}" x1="${x1 * 100}%" y1="${y1}" x2="${x2 * 100}%" y2="${y2}"/>`;
}

/** Words at the place in the picture that they are about. */
export function textAt(x: number, y: number, text: string): Markup {
  return html`<text class="words" x="${x * 100}%" y="${y}" text-anchor="middle">${text}</text>`;
}

/** Colour is the verdict: above, below, or grey. No picture tells it by colour alone. */
export function verdictLook(verdict: Word | null): Markup {
  return new Markup(isSide(verdict) ? ` class="${verdict}"` : '');
}
