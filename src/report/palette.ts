import { groupBy } from '../outcomes/group.ts';
import type { Row } from '../outcomes/row.ts';
import { html, label, type Markup } from './markup.ts';

/** Types with a colour of their own; later ones share the next. */
export const COLOURS = 6;

/** The screener types, those with the most cards first: the types one sees most have the colours. */
export function typesOf(cards: readonly Row[]): string[] {
  return [...groupBy(cards, ({ type }) => type)]
    .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
    .map(([type]) => type);
}

/** The number of a type's colour. @param types as `typesOf` gives them */
export function colourOf(types: readonly string[], type: string): number {
  return Math.min(COLOURS, types.indexOf(type));
}

export function typeLegend(types: readonly string[]): Markup {
  const own = types.slice(0, COLOURS).map(label);
  const names = types.length > COLOURS ? [...own, 'other types'] : own;
  return legend(names.map((name, index) => [name, html`<circle class="k${index}" cx="6" cy="6" r="5"/>`]));
}

/** What the colours of a picture mean. */
export function legend(entries: readonly (readonly [name: string, mark: Markup])[]): Markup {
  return html`<ul class="legend">${entries.map(([name, mark]) => html`<li><svg aria-hidden="true" width="12" height="12">${mark}</svg>${name}</li>`)}</ul>
`;
}
