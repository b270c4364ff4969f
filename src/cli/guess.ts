import { commandOf, everyPath, namesOf, type Path } from '../commands/declaration.ts';
import { nearest } from '../output/fields.ts';
import { type LineShell, shellLine } from '../runtime/shell-words.ts';

/** Characters: nobody copies a longer command line. */
const LONGEST = 1000;

/**
 * Guesses the command line that was meant if a word is no command: for `screener show 5`, `screener signals show 5`.
 * @param path the commands before that word
 */
export function guessLine(path: Path, argv: readonly string[], word: string, shell: LineShell): string | undefined {
  const meant = meantBy(path, word);
  if (meant === undefined) return undefined;
  const above = wordsBelow(path);
  const line = argv.flatMap((each) => (each === word ? meant : above.includes(each) ? [] : [each]));
  const offered = shellLine(['screener', ...line], shell);
  return offered !== undefined && offered.length > LONGEST ? undefined : offered;
}

function meantBy(path: Path, word: string): readonly string[] | undefined {
  const here = wordsBelow(path);
  // A card's id after `signals`.
  if (here[0] === 'signals' && /^\d+$/.test(word)) return ['signals', 'show', word];
  const exact = everyPath([path[0]]).find((each) => namesOf(commandOf(each)).includes(word));
  if (exact !== undefined) return wordsBelow(exact);
  const near = nearest(word, (commandOf(path).commands ?? []).flatMap(namesOf));
  return near === undefined ? undefined : [...here, near];
}

function wordsBelow(path: Path): string[] {
  return path.slice(1).map(({ name }) => name);
}
