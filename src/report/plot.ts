import type { PlainVerdict } from '../statistics/quantile.ts';
import type { PlotAxis } from './axis.ts';
import { breakable, html, label, Markup, type MarkupPart } from './markup.ts';

/** The height of every picture, pixels. */
export const HEIGHT = 120;

interface Plot {
  /** What a reader who cannot see the picture is told of it. */
  readonly label: string;
  readonly x: PlotAxis;
  /** Upright, of HEIGHT. */
  readonly y: PlotAxis;
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

interface Panel extends Plot {
  readonly type: string;
  readonly verdict: PlainVerdict | null;
  readonly says: MarkupPart;
}

export function multiples(panels: readonly Panel[]): Markup {
  return html`<div class="multiples">${panels.map(({ type, verdict, says, ...picture }) => {
    const name = label(type);
    return html`<figure${verdictLook(verdict)}><figcaption><b>${breakable(name)}</b> ${says}</figcaption>${plot({ ...picture, label: `${name}: ${picture.label}` })}</figure>\n`;
  })}</div>
`;
}

/** The ticks of an axis that lies across, below what is drawn. @param top pixels from above */
export function ticksAcross({ ticks }: PlotAxis, top: number): Markup[] {
  return ticks.map(
    ({ at, text }) =>
      html`${rule(at, top, at, top + 5, 'grid')}<text class="tick x" x="${at * 100}%" y="${top + 19}" text-anchor="middle">${text}</text>`,
  );
}

export function bar(from: number, to: number, top: number, bottom: number, look: string, title: string): Markup {
  return html`<rect class="${look}" x="${from * 100}%" width="${(to - from) * 100}%" y="${top}" height="${bottom - top}"><title>${title}</title></rect>`;
}

export function dot(x: number, y: number, radius: number, look: string, title: string): Markup {
  return html`<circle class="${look}" cx="${x * 100}%" cy="${y}" r="${radius}"><title>${title}</title></circle>`;
}

export function rule(x1: number, y1: number, x2: number, y2: number | string, look: string): Markup {
  return html`<line class="${look}" x1="${x1 * 100}%" y1="${y1}" x2="${x2 * 100}%" y2="${y2}"/>`;
}

/** Words at the place in the picture that they are about. */
export function words(x: number, y: number, text: string): Markup {
  return html`<text class="words" x="${x * 100}%" y="${y}" text-anchor="middle">${text}</text>`;
}

/** The width that a path's coordinates are written in; it is stretched to the picture's. */
const PATH_WIDTH = 1000;

export function path(points: readonly (readonly [x: number, y: number])[]): Markup {
  const data = points.map(([x, y]) => `${(x * PATH_WIDTH).toFixed(1)},${y.toFixed(1)}`).join('L');
  return html`<svg x="0" y="0" width="100%" height="${HEIGHT}" viewBox="0 0 ${PATH_WIDTH} ${HEIGHT}" preserveAspectRatio="none"><path class="run" d="M${data}"/></svg>`;
}

/** Colour is the verdict: above, below, or grey. No picture tells it by colour alone. */
export function verdictLook(verdict: PlainVerdict | null): Markup {
  return new Markup(verdict === 'above' || verdict === 'below' ? ` class="${verdict}"` : '');
}
