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

/**
 * A share in words: `1 in 12` below a quarter. From a quarter on, the simplest fraction within 4 percentage points: 0.72 is `3
 * in 4`. Empty for 0, and for more than 94 %: no fraction with a whole of at most 10 is near it.
 * @param share 0 to 1
 */
export function shareInWords(share: number): string {
  // Below a quarter, 4 percentage points are too many: 0.1 would be `1 in 8`.
  if (share < 0.25) return share === 0 ? '' : `1 in ${Math.round(1 / share)}`;
  for (let whole = 2; whole <= 10; whole += 1) {
    const part = Math.max(1, Math.round(share * whole));
    const isNear = Math.abs(part / whole - share) <= 0.04;
    if (part < whole && isNear) return `${part} in ${whole}`;
  }
  return '';
}
