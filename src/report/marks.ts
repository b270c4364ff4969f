import { line } from 'd3-shape';
import { html, type Markup } from './markup.ts';

/** A rectangle; x as fractions of the width, y in pixels from above. */
export function bar(from: number, to: number, top: number, bottom: number, look: string, title?: string): Markup {
  return html`<rect class="${look}" x="${from * 100}%" width="${Math.max(0, to - from) * 100}%" y="${top}" height="${Math.max(0, bottom - top)}">${titled(title)}</rect>`;
}

export function dot(x: number, y: number, radius: number, look: string, title?: string): Markup {
  return html`<circle class="${look}" cx="${x * 100}%" cy="${y}" r="${radius}">${titled(title)}</circle>`;
}

/** An interval drawn upright, from `low` to `high` (pixels from above). */
export function upright(x: number, low: number, high: number, look: string): Markup {
  return html`<line class="${look}" x1="${x * 100}%" x2="${x * 100}%" y1="${low}" y2="${high}"/>`;
}

/** An interval drawn level, from one fraction of the width to another. */
export function level(from: number, to: number, y: number, look: string): Markup {
  return html`<line class="${look}" x1="${from * 100}%" x2="${to * 100}%" y1="${y}" y2="${y}"/>`;
}

/** The width that a path's coordinates are written in; it is stretched to the picture's. */
const PATH_WIDTH = 1000;

/** A line through points: x as a fraction of the width, y in pixels from above; undefined is a gap. */
export function path(points: readonly (readonly [number, number] | undefined)[], height: number, look: string): Markup {
  const data = line<readonly [number, number] | undefined>()
    .defined((point) => point !== undefined)
    .x((point) => (point?.[0] ?? 0) * PATH_WIDTH)
    .y((point) => point?.[1] ?? 0)
    .digits(1)(points);
  return html`<svg x="0" y="0" width="100%" height="${height}" viewBox="0 0 ${PATH_WIDTH} ${height}" preserveAspectRatio="none"><path class="${look}" d="${data ?? ''}"/></svg>`;
}

function titled(title: string | undefined): Markup | undefined {
  return title === undefined ? undefined : html`<title>${title}</title>`;
}
