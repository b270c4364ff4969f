import { line } from 'd3-shape';
import { isAbove, isBelow } from '../outcomes/deciding.ts';
import type { ShownVerdict } from '../outcomes/types.ts';
import type { Axis } from './axis.ts';
import { html, Markup, type Part } from './markup.ts';

interface Plot {
  /** What a reader who cannot see the picture is told of it. */
  readonly label: string;
  /** Pixels. */
  readonly height: number;
  readonly x: Axis;
  /** Upright, of the same height. */
  readonly y: Axis;
  readonly marks: Part;
}

/** A picture with its axes. */
export function plot({ label, height, x, y, marks }: Plot): Markup {
  return html`<div class="plot"><svg role="img" aria-label="${label}" width="100%" height="${height}">
<g aria-hidden="true">${y.ticks.map(
    ({ at, text }) =>
      html`${rule(0, at, 1, at, 'grid')}<text class="tick y" x="0" dx="-8" y="${at}" dy="0.32em" text-anchor="end">${text}</text>`,
  )}${ticksAcross(x, height)}${x.zero !== undefined && rule(x.zero, 0, x.zero, height, 'zero')}${
    y.zero !== undefined && rule(0, y.zero, 1, y.zero, 'zero')
  }</g>
${marks}</svg></div>
`;
}

/** The ticks of an axis that lies across, below what is drawn. @param top pixels from above */
export function ticksAcross({ ticks }: Axis, top: number): Markup[] {
  return ticks.map(
    ({ at, text }) =>
      html`${rule(at, top, at, top + 5, 'grid')}<text class="tick x" x="${at * 100}%" y="${top + 19}" text-anchor="middle">${text}</text>`,
  );
}

/** A rectangle between two places across and two from above. */
export function bar(from: number, to: number, top: number, bottom: number, look: string, title: string): Markup {
  return html`<rect class="${look}" x="${from * 100}%" width="${Math.max(0, to - from) * 100}%" y="${top}" height="${Math.max(0, bottom - top)}"><title>${title}</title></rect>`;
}

export function dot(x: number, y: number, radius: number, look: string, title: string): Markup {
  return html`<circle class="${look}" cx="${x * 100}%" cy="${y}" r="${radius}"><title>${title}</title></circle>`;
}

/** A straight line. */
export function rule(x1: number, y1: number, x2: number, y2: number, look: string): Markup {
  return html`<line class="${look}" x1="${x1 * 100}%" y1="${y1}" x2="${x2 * 100}%" y2="${y2}"/>`;
}

/** The width that a path's coordinates are written in; it is stretched to the picture's. */
const PATH_WIDTH = 1000;

/** A line through points; undefined is a gap. */
export function path(points: readonly (readonly [number, number] | undefined)[], height: number, look: string): Markup {
  const data = line<readonly [number, number] | undefined>()
    .defined((point) => point !== undefined)
    .x((point) => (point?.[0] ?? 0) * PATH_WIDTH)
    .y((point) => point?.[1] ?? 0)
    .digits(1)(points);
  return html`<svg x="0" y="0" width="100%" height="${height}" viewBox="0 0 ${PATH_WIDTH} ${height}" preserveAspectRatio="none"><path class="${look}" d="${data ?? ''}"/></svg>`;
}

/** Colour is the verdict: above, below, or grey. No picture tells it by colour alone. */
export function verdictLook(verdict: ShownVerdict | null): Markup {
  return new Markup(isAbove(verdict) ? ' class="above"' : isBelow(verdict) ? ' class="below"' : '');
}
