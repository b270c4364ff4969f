import { counted } from './format.ts';
import { html, type Markup, type Part } from './markup.ts';

interface NumbersTable {
  readonly head: readonly string[];
  /** Texts as they are shown; numbers were formatted before. The first cell names the row. */
  readonly rows: readonly (readonly string[])[];
}

interface Section {
  readonly id: string;
  readonly title: string;
  /** One or two sentences that say what the picture shows. */
  readonly says: string;
  readonly picture?: Part;
  readonly numbers?: NumbersTable | undefined;
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

function unfolding(title: string, { head, rows }: NumbersTable): Markup {
  const name = `Numbers: ${title.replace(/^./, (first) => first.toLowerCase())}`;
  const left = rows.length - MOST_LISTED;
  return html`<details><summary>${name}</summary>
${scrollable(name, numbersTable(head, rows.slice(0, MOST_LISTED)))}${left > 0 && note(`${counted(left, 'more row')} ${left === 1 ? 'is' : 'are'} left out.`)}</details>
`;
}

/** What a reader has to know of a picture: what its marks mean, what is left out. Empty sentences say nothing. */
export function note(...sentences: readonly string[]): Markup | undefined {
  const said = sentences.filter((sentence) => sentence !== '');
  return said.length === 0 ? undefined : html`<p class="note">${said.join(' ')}</p>\n`;
}

/** That symbols have too few outcomes for the picture; nothing where all are drawn. */
export function undrawn(symbols: number): string {
  return symbols === 0
    ? ''
    : `${counted(symbols, 'symbol')} with fewer outcomes ${symbols === 1 ? 'is' : 'are'} not drawn.`;
}

/** What may be wider than a phone: it is scrolled by itself, with the keyboard, too. */
export function scrollable(name: string, content: Markup): Markup {
  return html`<div class="wide" role="region" aria-label="${name}" tabindex="0">${content}</div>
`;
}

/** A table with one row a thing; figures stand at the right, words at the left. */
function numbersTable(head: readonly string[], rows: readonly (readonly string[])[]): Markup {
  const looks = head.map((_, column) =>
    column === 0 || rows.some((row) => /^\p{L}/u.test(row[column] ?? '')) ? 'word' : 'figure',
  );
  return html`<table class="numbers"><thead><tr>${head.map((text, column) => html`<th scope="col" class="${looks[column]}">${text}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first = '', ...rest]) =>
      html`<tr><th scope="row">${first}</th>${rest.map((text, column) => html`<td class="${looks[column + 1]}">${text}</td>`)}</tr>\n`,
  )}</tbody></table>`;
}
