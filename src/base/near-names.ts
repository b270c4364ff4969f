/** ` Did you mean 'x'?`, to follow a sentence; empty if no name is near. */
export function didYouMean(word: string, names: readonly string[]): string {
  const name = nearest(word, names);
  return name === undefined ? '' : ` Did you mean '${name}'?`;
}

/** Characters: a longer word is cut, because the time to count edits grows with its length. */
const LONGEST = 100;

/**
 * The name that a mistyped word was probably meant to be: the name with the fewest edits, the first if there are several. A name
 * that begins with the word counts as one edit away. The last part of a dotted name is compared, too: `move_1h_pct` is near
 * `outcome.move_1h_pct`.
 * @returns undefined if no name is near
 */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const start = word.slice(0, LONGEST);
  const isBeginning = (name: string) => start.length > 1 && name.startsWith(start);
  const distanceTo = (name: string): number => {
    if (isBeginning(name)) return 1;
    const lastPart = name.replace(/^.*\./, '');
    // Half an edit more, so that a whole name is preferred to a part of another name.
    const distanceToPart = edits(start, lastPart) + 0.5;
    return Math.min(edits(start, name), distanceToPart);
  };
  const distances = names.map((name) => ({ name, distance: distanceTo(name) }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  if (best === undefined) return undefined;
  // A word of one or two letters is one or two edits from every short name. It is near to a name only if the name begins with it.
  if (start.length <= 2 && !isBeginning(best.name)) return undefined;
  return best.distance <= mostEdits(start) ? best.name : undefined;
}

/** The most edits that may be a slip: one in a word of up to three letters, two up to seven, then a third of the letters. */
function mostEdits(word: string): number {
  if (word.length < 4) return 1;
  return Math.max(2, word.length / 3);
}

/** Levenshtein's distance: how many letters to replace, leave out or add to make one word of the other. */
export function edits(from: string, to: string): number {
  // distances[j]: the edits between the letters of `from` that were read so far and the first j letters of `to`.
  let distances = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSameLetter = from[i - 1] === to[j - 1];
      const replaced = (distances[j - 1] ?? 0) + (isSameLetter ? 0 : 1);
      const leftOut = (distances[j] ?? 0) + 1;
      const added = (next[j - 1] ?? 0) + 1;
      next.push(Math.min(replaced, leftOut, added));
    }
    distances = next;
  }
  return distances[to.length] ?? 0;
}
