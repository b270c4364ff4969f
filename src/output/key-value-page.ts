import type { Pair, RenderContext } from './types.ts';

/** A section of a text page: a heading, if any, and what is under it. */
export interface Section {
  readonly title?: string;
  readonly body: string;
}

/**
 * A page of labels and values, for results that are no resource of the API. Texts must be safe already.
 * @returns a function for `View.page`
 */
export function keyValuePage<T>(
  pairs: (value: T, look: RenderContext) => readonly Pair[],
): (value: T, look: RenderContext) => string {
  return (value, look) => look.draw.pairs(pairs(value, look));
}

/** Sections one below the other, with a blank line between; those without a body are left out. */
export function sections(parts: readonly Section[], look: RenderContext): string {
  const shown = parts.filter(({ body }) => body !== '');
  return shown
    .map(({ title, body }) => (title === undefined ? body : `${look.styles.bold(look.draw.paragraph(title))}\n${body}`))
    .join('\n\n');
}
