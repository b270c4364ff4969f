/** Lists of words in sentences. Each function takes two words or more. */

/** `a, b and c`. */
export function andWords(words: readonly string[]): string {
  return joinedWords(words, 'and');
}

/** `a, b or c`. */
export function orWords(words: readonly string[]): string {
  return joinedWords(words, 'or');
}

function joinedWords(words: readonly string[], conjunction: string): string {
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
