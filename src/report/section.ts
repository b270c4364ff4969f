import { html, type Markup, type Part } from './markup.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  /** One or two sentences that say what the picture shows. */
  readonly says: string | Markup;
  readonly picture?: Part;
  /** Texts as they are shown. The first cell names the row. */
  readonly numbers?: { readonly head: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] };
}

/** More rows would make the page heavy, and nobody reads them. */
const MOST_LISTED = 300;

/** One part of the page: what it shows in words, the picture, and its numbers to unfold. */
export function section({ id, title, says, picture, numbers }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<p class="says">${says}</p>
${picture}${numbers !== undefined && numbers.rows.length > 0 && unfolding(title, numbers)}</section>
`;
}

function unfolding(title: string, { head, rows }: Required<Section>['numbers']): Markup {
  const table = html`<table class="numbers"><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${rows
    .slice(0, MOST_LISTED)
    .map(
      ([first = '', ...rest]) =>
        html`<tr><th scope="row">${first}</th>${rest.map((text) => html`<td>${text}</td>`)}</tr>\n`,
    )}</tbody></table>`;
  return html`<details><summary>The numbers</summary>
${scrollable(`Numbers: ${title}`, table)}${note(rows.length > MOST_LISTED && `Only the first ${MOST_LISTED} of ${rows.length} rows.`)}</details>
`;
}

/** What a reader has to know of a picture: what its marks mean, what is left out. */
export function note(...sentences: readonly (string | false)[]): Markup | false {
  const said = sentences.filter((sentence) => sentence !== false);
  return said.length > 0 && html`<p class="note">${said.join(' ')}</p>\n`;
}

/** Short facts, a label and a text each, that stand below each other. */
export function facts(all: readonly (readonly [label: string, text: Part] | false)[]): Markup | false {
  const said = all.filter((line) => line !== false);
  return said.length > 0 && html`<dl>${said.map(([label, text]) => html`<dt>${label}</dt><dd>${text}</dd>\n`)}</dl>\n`;
}

/** What may be wider than a phone: it is scrolled by itself, with the keyboard, too. */
export function scrollable(name: string, content: Markup): Markup {
  return html`<div class="wide" role="region" aria-label="${name}" tabindex="0">${content}</div>
`;
}
