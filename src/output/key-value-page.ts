import type { Pair, RenderContext, Section } from './types.ts';

/** A page of labels and values: a function for `View.page`. */
export function keyValuePage<T>(
  pairs: (value: T, render: RenderContext) => readonly Pair[],
): (value: T, render: RenderContext) => string {
  return (value, render) => render.pairs(pairs(value, render));
}

export type { Section };
export const sections = (parts: readonly Section[], render: RenderContext): string => render.sections(parts);
