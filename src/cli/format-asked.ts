import { type Format, isFormat } from '../output/formats.ts';
import type { Context } from '../runtime/context.ts';

/** Finds the format of help and errors in the words themselves: the parser may fail to read them. */
export function formatAsked(context: Pick<Context, 'argv' | 'env'>): Format {
  const words = wordsBeforeEnd(context);
  let asked: string | undefined = context.env.SCREENER_OUTPUT;
  words.forEach((word, index) => {
    if (word.startsWith('--') && isFormat(word.slice(2))) asked = word.slice(2);
    else if (word === '-o' || word === '--output') asked = words[index + 1];
    else if (word.startsWith('--output=')) asked = word.slice('--output='.length);
    else if (word.startsWith('-o') && word.length > 2) asked = word.slice(2).replace(/^=/, '');
  });
  return isFormat(asked) ? asked : 'table';
}

/** The words before `--`: after it a word is no option. */
export function wordsBeforeEnd({ argv }: Pick<Context, 'argv'>): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}
