import { html, type Markup, type Part } from './markup.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  /** One or two sentences that say what the picture shows. */
  readonly says: string | Markup;
  readonly picture?: Part;
}

/** One part of the page: what it shows in words, and the picture. */
export function section({ id, title, says, picture }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<p class="says">${says}</p>
${picture}</section>
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
