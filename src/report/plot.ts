import { html, type Markup, type Part } from './markup.ts';

/** A place on an axis: `at` is a fraction of its length, from 0 (left, or below) to 1. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface Axis {
  /** What is measured, with its unit. */
  readonly title: string;
  readonly ticks: readonly Tick[];
  /** Where zero lies, as a fraction; absent where it is outside, or means nothing. */
  readonly zero?: number | undefined;
}

export interface Plot {
  /** What a reader who cannot see the picture is told of it. */
  readonly label: string;
  /** Pixels. */
  readonly height: number;
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: Part;
}

/**
 * A picture whose text keeps its size at every width, on a phone as on paper: places along x are percentages of the
 * width, places along y pixels.
 */
export function plot({ label, height, x, y, marks }: Plot): Markup {
  return html`<div class="plot"><div class="y-title">${y.title}</div>
<svg role="img" aria-label="${label}" width="100%" height="${height}">
<g aria-hidden="true">${y.ticks.map(({ at, text }) => {
    const py = height * (1 - at);
    return html`<line class="grid" x1="0" x2="100%" y1="${py}" y2="${py}"/><text class="tick" x="0" dx="-8" y="${py}" dy="0.32em" text-anchor="end">${text}</text>`;
  })}${x.ticks.map(
    ({ at, text }) =>
      html`<line class="grid" x1="${at * 100}%" x2="${at * 100}%" y1="${height}" y2="${height + 5}"/><text class="tick x" x="${at * 100}%" y="${height + 19}" text-anchor="middle">${text}</text>`,
  )}${x.zero !== undefined && html`<line class="zero" x1="${x.zero * 100}%" x2="${x.zero * 100}%" y1="0" y2="${height}"/>`}${
    y.zero !== undefined &&
    html`<line class="zero" x1="0" x2="100%" y1="${height * (1 - y.zero)}" y2="${height * (1 - y.zero)}"/>`
  }</g>
${marks}</svg><div class="x-title">${x.title}</div></div>
`;
}
