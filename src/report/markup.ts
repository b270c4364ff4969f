import { andWords } from '../base/words.ts';
import { signed } from '../output/format.ts';
import { replaceHidden } from '../output/safe-text.ts';
import type { Interval } from '../statistics/quantile.ts';

/**
 * Markup of the page. `html` makes it. Each text that is put into its template is escaped; markup that another template made is
 * not. So the service's texts (symbols, types, URLs) never become elements or attributes of the page.
 */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type MarkupPart = Markup | string | number | false | undefined | readonly MarkupPart[];

/**
 * A template literal: its own words are markup, texts that are put in are escaped. Numbers are taken for coordinates of
 * pictures and rounded to 1/100: a figure that people read is put in as a text.
 */
export function html(words: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  const [first = '', ...further] = words;
  let text = first;
  for (const [i, word] of further.entries()) text += textOf(parts[i]) + word;
  return new Markup(text);
}

function textOf(part: MarkupPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'number') return String(Math.round(part * 100) / 100);
  return typeof part === 'string' ? typeset(part) : part.map(textOf).join('');
}

/** A text as markup, with `−` for minus and no line break before `%`. Hidden characters become visible. */
function typeset(text: string): string {
  // A number and its percent sign stay on one line.
  const unbroken = text.replace(/(?<=\d) (?=%)/g, '\u00a0');
  // Texts that the terminal shows, too, write a minus as a hyphen.
  const withMinus = unbroken.replace(/(?<=^|[\s(])-(?=\d)/g, '−');
  const visible = replaceHidden(withMinus, () => '\ufffd');
  return visible.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** UTF-16 units of a service's text that a label shows; a longer one would push the picture off the page. */
const LONGEST_LABEL = 40;

export function label(text: string): string {
  if (text.length <= LONGEST_LABEL) return text;
  // An emoji has two units. If only its first unit fits, it is left out whole.
  const start = text.slice(0, LONGEST_LABEL - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start}…`;
}

/** `a, b and c`: names of types, each as a label. */
export function labels(names: readonly string[]): string {
  return andWords(names.map(label));
}

/** A label that a narrow column may break after an underscore, a hyphen, a dot or a slash. */
export function breakable(text: string): Markup {
  return new Markup(typeset(text).replace(/[_./-](?=.)/g, '$&<wbr>'));
}

/**
 * One part of the page: its heading, and what is below it.
 * @param subtitle one or two sentences on what the picture shows
 */
export function section(
  id: string,
  title: string,
  subtitle: string | Markup,
  ...picture: readonly MarkupPart[]
): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<p class="says">${subtitle}</p>
${picture}</section>
`;
}

/** What a reader must know of a picture, such as what its marks mean or what it leaves out. False if there is no sentence. */
export function note(...sentences: readonly (string | false)[]): Markup | false {
  const words = sentences.filter((sentence) => sentence !== false && sentence !== '').join(' ');
  return words !== '' && html`<p class="note">${words}</p>\n`;
}

/** Several notes that have nothing to do with each other: one paragraph each. */
export function notes(...paragraphs: readonly (string | false)[]): (Markup | false)[] {
  return paragraphs.map((paragraph) => note(paragraph));
}

/** A line of a list: `After`, and `+0.82 pp vs 4 types`. */
export type Fact = readonly [label: MarkupPart, text: MarkupPart];

export function facts(lines: readonly Fact[]): Markup | false {
  if (lines.length === 0) return false;
  const items = lines.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>\n`);
  return html`<dl>${items}</dl>\n`;
}

/** Moves and differences, in percent or percentage points: `+1.25`, `−0.30`, `0.00`; empty for null. */
export function signedFigure(value: number | null, decimals = 2): string {
  return value === null ? '' : signed(value, decimals, '−');
}

/** `+0.40 to +1.54` */
export function intervalText({ low, high }: Interval): string {
  return `${signedFigure(low)} to ${signedFigure(high)}`;
}

/** `70 %`, rounded. It is `0 %` only if the share is 0, and `100 %` only if the share is 1. @param share from 0 to 1 */
export function shareText(share: number): string {
  const least = share > 0 ? 1 : 0;
  const most = share < 1 ? 99 : 100;
  return `${Math.max(least, Math.min(most, Math.round(share * 100)))} %`;
}

/** With fewer outcomes a percentage would look surer than it is: the page says `4 of 6`, not `67 %`. */
const LEAST_FOR_SHARE = 30;

export function isFew(outcomes: number): boolean {
  return outcomes < LEAST_FOR_SHARE;
}
