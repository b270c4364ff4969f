/** The name that somebody meant who typed another word. */

/** ` Did you mean 'x'?`, to go on after a sentence; empty where no name is near. */
export function didYouMean(word: string, names: readonly string[]): string {
  const name = nearest(word, names);
  return name === undefined ? '' : ` Did you mean '${name}'?`;
}

/** Longer than any name; a word may be of any length, and to count its edits takes time. */
const LONGEST = 100;

/**
 * The name that begins with the word, or the one with the fewest edits if they are few. The last part of a dotted name
 * counts as well: `move_1h_pct` is near `outcome.move_1h_pct`.
 */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const start = word.slice(0, LONGEST);
  const isBeginning = (name: string) => start.length > 1 && name.startsWith(start);
  const distanceTo = (name: string): number => {
    if (isBeginning(name)) return 1;
    const lastPart = name.replace(/^.*\./, '');
    // Half an edit more, so that a whole name goes before the part of another.
    const distanceToPart = edits(start, lastPart) + 0.5;
    return Math.min(edits(start, name), distanceToPart);
  };
  const distances = names.map((name) => ({ name, distance: distanceTo(name) }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  if (best === undefined) return undefined;
  // Any short name is one or two edits from a word of one or two letters.
  if (start.length <= 2 && !isBeginning(best.name)) return undefined;
  return best.distance <= mostEdits(start) ? best.name : undefined;
}

/** A slip in a long word may be longer. */
function mostEdits(word: string): number {
  if (word.length < 4) return 1;
  return Math.max(2, word.length / 3);
}

/** Levenshtein's distance: how many letters to replace, leave out or add until one word is the other. */
export function edits(from: string, to: string): number {
  // The distances of what is read of `from` to each beginning of `to`, the empty one first.
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
