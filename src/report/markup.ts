import { replaceHidden } from '../output/safe-text.ts';

/**
 * Markup that is safe by construction: whatever goes into a template is escaped, unless a template made it. The service's
 * texts (symbols, types, URLs) can so never become elements or attributes of the page.
 */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | false | undefined | readonly Part[];

/** A template literal: its own words are markup, what is put in is escaped. Coordinates are rounded to 1/100. */
export function html(words: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const [first = '', ...rest] = words;
  return new Markup(rest.reduce((before, word, index) => before + textOf(parts[index]) + word, first));
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'number') return String(Math.round(part * 100) / 100);
  return typeof part === 'string' ? escaped(part) : part.map(textOf).join('');
}

function escaped(text: string): string {
  // A number and its percent sign stay on one line.
  return replaceHidden(text.replace(/(?<=\d) (?=%)/g, '\u00a0'), () => '\ufffd').replace(
    /[&<>"']/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );
}

/** UTF-16 units of a service's text that a label shows; a longer one would push the picture off the page. */
const LONGEST_LABEL = 40;

export function label(text: string): string {
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text;
}

/** A label that a narrow column may break after an underscore, a hyphen, a dot or a slash. */
export function breakable(text: string): Markup {
  return new Markup(escaped(text).replace(/[_./-](?=.)/g, '$&<wbr>'));
}
