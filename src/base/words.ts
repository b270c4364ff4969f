/** `a, b and c`. */
export function andWords(words: readonly string[]): string {
  return joinedWords(words, 'and');
}

/** `a, b or c`. */
export function orWords(words: readonly string[]): string {
  return joinedWords(words, 'or');
}

function joinedWords(words: readonly string[], conjunction: string): string {
  const lastWord = words.at(-1) ?? '';
  const wordsBefore = words.slice(0, -1);
  if (wordsBefore.length === 0) return lastWord;
  return `${wordsBefore.join(', ')} ${conjunction} ${lastWord}`;
}
