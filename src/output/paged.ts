/** A table on a terminal: as it is where the screen has room for it, else through the user's pager, as git and gh do. */
import type { Context } from '../runtime/context.ts';
import { showInPager } from '../runtime/programs.ts';
import { measure } from './table/measure.ts';
import { terminalWidth } from './terminal.ts';

/** Leaves at once where all fits, passes colours through, and leaves the text on the screen. */
const LESS_OPTIONS = 'FRX';

/** Lines below a table: what it cost, how to go on, a command of two lines, and the shell's prompt. */
const BELOW = 5;

/**
 * Writes texts to standard output; where that is a pager's, ends when the user has left it.
 * @param texts called for each walk through them
 */
export async function writePaged(
  texts: () => Iterable<string>,
  { stdout, env }: Pick<Context, 'stdout' | 'env'>,
  below = BELOW,
): Promise<void> {
  const words = pagerWords(env);
  const room = (stdout.rows ?? Number.POSITIVE_INFINITY) - below;
  const needsPager = words.length > 0 && !fits(texts(), terminalWidth(env, stdout.columns), room);
  if (needsPager) {
    const pagerEnv = { ...env, LESS: env.LESS ?? LESS_OPTIONS };
    const isShown = await showInPager(words, pagerEnv, texts());
    if (isShown) return;
  }
  for (const text of texts()) await stdout.write(text);
}

/** The words of SCREENER_PAGER, else of PAGER, else `less`, which a dumb terminal cannot show; none for no pager. */
function pagerWords(env: Context['env']): string[] {
  const command = env.SCREENER_PAGER ?? env.PAGER ?? (env.TERM === 'dumb' ? '' : 'less');
  const quotedWords = command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  const words = quotedWords.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  return words[0] === 'cat' ? [] : words;
}

/** Whether the texts fit; takes no more of them than it needs. @param room lines of the terminal */
function fits(texts: Iterable<string>, width: number, room: number): boolean {
  let rows = 0;
  for (const text of texts) {
    // Each text ends with a line break.
    const lines = text.split('\n').slice(0, -1);
    for (const line of lines) rows += Math.max(1, Math.ceil(measure(line) / width));
    if (rows > room) return false;
  }
  return true;
}
