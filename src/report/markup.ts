import { signed } from '../output/format.ts';
import { replaceHidden } from '../output/safe-text.ts';
import type { Interval } from '../statistics/quantile.ts';

/**
 * Markup that is safe by construction: whatever goes into a template is escaped, unless a template made it. So the
 * service's texts (symbols, types, URLs) never become elements or attributes of the page.
 */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type MarkupPart = Markup | string | number | false | undefined | readonly MarkupPart[];

/** A template literal: its own words are markup, what is put in is escaped. Numbers are coordinates of pictures, and rounded to 1/100. */
export function html(words: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  const [first = '', ...rest] = words;
  return new Markup(
    rest.reduce((before, word, index) => before + textOf(parts[index]) + word, first),
  );
}

function textOf(part: MarkupPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'number') return String(Math.round(part * 100) / 100);
  return typeof part === 'string' ? typeset(part) : part.map(textOf).join('');
}

/** A text as markup, with the page's minus and a fixed blank before `%`. Hidden characters become visible. */
function typeset(text: string): string {
  // A number and its percent sign stay on one line.
  const unbroken = text.replace(/(?<=\d) (?=%)/g, '\u00a0');
  // Texts that the terminal shows, too, have a hyphen as minus.
  const withMinus = unbroken.replace(/(?<=^|[\s(])-(?=\d)/g, '−');
  const visible = replaceHidden(withMinus, () => '\ufffd');
  return visible.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** UTF-16 units of a service's text that a label shows; a longer one would push the picture off the page. */
const LONGEST_LABEL = 40;

export function label(text: string): string {
  if (text.length <= LONGEST_LABEL) return text;
  // A character of two units, as an emoji is, is left out whole.
  const start = text.slice(0, LONGEST_LABEL - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start}…`;
}

/** A label that a narrow column may break after an underscore, a hyphen, a dot or a slash. */
export function breakable(text: string): Markup {
  return new Markup(typeset(text).replace(/[_./-](?=.)/g, '$&<wbr>'));
}

/**
 * One part of the page.
 * @param says one or two sentences on what the picture shows
 */
export function section(
  id: string,
  title: string,
  says: string | Markup,
  ...picture: readonly MarkupPart[]
): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<p class="says">${says}</p>
${picture}</section>
`;
}

/** What a reader must know of a picture: what its marks mean, what it leaves out. False if there is nothing to say. */
export function note(...sentences: readonly (string | false)[]): Markup | false {
  const said = sentences.filter((sentence) => sentence !== false && sentence !== '');
  return said.length > 0 && html`<p class="note">${said.join(' ')}</p>\n`;
}

/** Several notes that have nothing to do with each other: one paragraph each. */
export function notes(...paragraphs: readonly (string | false)[]): (Markup | false)[] {
  return paragraphs.map((paragraph) => note(paragraph));
}

/** A line of a list: what it is about, and what there is to say. */
export type Fact = readonly [label: MarkupPart, text: MarkupPart];

export function facts(lines: readonly Fact[]): Markup | false {
  if (lines.length === 0) return false;
  const items = lines.map(([name, text]) => {
    const term = html`<dt>${name}</dt>`;
    return html`${term}<dd>${text}</dd>\n`;
  });
  return html`<dl>${items}</dl>\n`;
}

/** Moves and differences, in percent or percentage points: `+1.25`, `−0.30`, `0.00`; empty for null. */
export function signedFigure(value: number | null, decimals = 2): string {
  return value === null ? '' : signed(value, decimals, '−');
}

export function between(interval: Interval | null): string {
  if (interval === null) return 'no interval';
  return `${signedFigure(interval.low)} to ${signedFigure(interval.high)}`;
}

/** Rounded, but 0 % only for none, and 100 % only for all. */
export function shareText(share: number): string {
  const least = share > 0 ? 1 : 0;
  const most = share < 1 ? 99 : 100;
  return `${Math.max(least, Math.min(most, Math.round(share * 100)))} %`;
}

/** Of fewer bought outcomes a percentage says nothing, and no heading rests on them. */
const LEAST_FOR_SHARE = 30;

export const isFew = (outcomes: number): boolean => outcomes < LEAST_FOR_SHARE;

/** A share and the number that it is of: `4 of 6`, `68 % of 270`. */
export const shareOf = (some: number, all: number): string =>
  `${isFew(all) ? some : shareText(some / all)} of ${all}`;
