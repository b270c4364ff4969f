import { html, type Markup, type Part } from './markup.ts';

export interface NumbersTable {
  readonly head: readonly string[];
  /** Texts as they are shown; numbers were formatted before. The first cell names the row. */
  readonly rows: readonly (readonly string[])[];
  /** How many more rows there are than are listed, and what they are called. */
  readonly left?: string | undefined;
}

export interface Section {
  /** Its place in the page's links. */
  readonly id: string;
  readonly title: string;
  /** One or two sentences that say what the picture shows. */
  readonly says: string;
  readonly picture?: Part;
  readonly numbers?: NumbersTable | undefined;
  /** What a reader has to know of the picture: a legend, what is left out. */
  readonly note?: string | undefined;
}

/** One part of the page: what it shows in words, the picture, and its numbers to unfold. */
export function section({ id, title, says, picture, numbers, note }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<p class="says">${says}</p>
${picture}${note !== undefined && html`<p class="note">${note}</p>\n`}${numbers !== undefined && numbers.rows.length > 0 && unfolding(title, numbers)}</section>
`;
}

function unfolding(title: string, { head, rows, left }: NumbersTable): Markup {
  const name = `Numbers: ${title.replace(/^./, (first) => first.toLowerCase())}`;
  return html`<details><summary>${name}</summary>
${scrollable(name, numbersTable(head, rows))}${left !== undefined && html`<p class="note">${left}</p>\n`}</details>
`;
}

/** What may be wider than a phone: it is scrolled by itself, with the keyboard, too. */
export function scrollable(name: string, content: Markup): Markup {
  return html`<div class="wide" role="region" aria-label="${name}" tabindex="0">${content}</div>
`;
}

/** A table with one row a thing; figures stand at the right, words at the left. */
export function numbersTable(head: readonly string[], rows: readonly (readonly string[])[]): Markup {
  const look = (column: number) => (rows.some((row) => /^\p{L}/u.test(row[column] ?? '')) ? 'word' : 'figure');
  const looks = head.map((_, column) => look(column));
  return html`<table class="numbers"><thead><tr>${head.map((text, column) => html`<th scope="col" class="${looks[column]}">${text}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first = '', ...rest]) =>
      html`<tr><th scope="row">${first}</th>${rest.map((text, column) => html`<td class="${looks[column + 1]}">${text}</td>`)}</tr>\n`,
  )}</tbody></table>`;
}
