import { nearest } from '../output/fields.ts';

/** ` Did you mean 'x'?`, to go on after a sentence; empty where no name is near. */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near === undefined ? '' : ` Did you mean '${near}'?`;
}
