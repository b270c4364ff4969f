import { html, Markup } from './markup.ts';

/**
 * A type's colour: its hue comes from its name alone, so that a type has the same colour in every report. Two types may
 * come close to each other; no picture tells them apart by colour alone.
 */
export function hue(type: string): Markup {
  let hash = 2_166_136_261;
  // FNV-1a (Fowler, Noll and Vo 1991): names that differ in one letter lie far apart.
  for (const byte of new TextEncoder().encode(type)) hash = Math.imul(hash ^ byte, 16_777_619) >>> 0;
  return new Markup(` style="--hue:${(hash >>> 8) % 360}"`);
}

/** What the marks of a picture mean. */
export function legend(entries: readonly (readonly [name: string, mark: Markup])[]): Markup {
  return html`<ul class="legend">${entries.map(([name, mark]) => html`<li><svg aria-hidden="true" width="12" height="12">${mark}</svg>${name}</li>`)}</ul>
`;
}
