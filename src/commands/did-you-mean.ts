import { nearest } from '../output/fields.ts';

/**
 * ` Did you mean 'x'?`, to go on after a sentence; empty where no name is near.
 * @param quote around the name
 */
export function didYouMean(word: string, names: readonly string[], quote = ''): string {
  const near = nearest(word, names);
  return near === undefined ? '' : ` Did you mean ${quote}${near}${quote}?`;
}
